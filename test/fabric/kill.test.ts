// Workers that are killed at any step on the way to the store or to a real switch, again and again: the next takes over, and in the end
// exactly what is wanted is open.
import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import { after, before, describe, test } from 'node:test'
import { labPrefix } from '../../lab/namespaces.ts'
import { startOvsNode, type OvsNode } from '../../lab/programs/ovs.ts'
import { ovsFolder, ovsSkip } from '../setup/ovs.ts'
import { trials } from '../setup/trials.ts'
import { seeded } from '../workers/test-cluster.ts'
import type { Deed, Ended, Order } from './worker-child.ts'

const ports = ['n1', 'n2', 'gw']
const lives = trials(20)
/** In each life; another worker, which is left in peace, comes last. */
const kills = 5
const from = Number(process.env['MEGREZ_TEST_SEED'] ?? 1)

interface Spare {
  readonly process: ChildProcess
  readonly lines: Interface
  readonly loaded: Promise<unknown>
}

describe('workers that are killed', { skip: ovsSkip }, () => {
  let node: OvsNode
  let folder = ''
  /** Loads while the one before it works. */
  let spare: Spare | undefined
  before(async () => {
    node = await startOvsNode({ name: labPrefix(), folder: ovsFolder() })
    await node.vsctl(
      'add-br',
      'tor',
      '--',
      'set',
      'bridge',
      'tor',
      'datapath_type=netdev',
      ...ports.flatMap((name) => [
        '--',
        'add-port',
        'tor',
        name,
        '--',
        'set',
        'interface',
        name,
        'type=internal',
        '--',
        'set',
        'port',
        name,
        'trunks=4095',
      ]),
    )
    folder = await mkdtemp(join(tmpdir(), 'mz-kill-'))
  })
  after(async () => {
    spare?.process.kill('SIGKILL')
    await node.stop()
    await rm(folder, { recursive: true, force: true })
  })

  function load(): Spare {
    const child = spawn(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, 'worker-child.ts'), node.db],
      { stdio: ['pipe', 'pipe', 'inherit'], env: { ...process.env, NODE_TEST_CONTEXT: undefined } },
    )
    const lines = createInterface({ input: child.stdout })
    return { process: child, lines, loaded: once(lines, 'line') }
  }

  /** What one worker came to: undefined where it was killed. */
  async function work(order: Order): Promise<Ended | undefined> {
    const mine = spare ?? load()
    await mine.loaded
    spare = load()
    const said = once(mine.lines, 'line') as Promise<[string]>
    said.catch(() => undefined)
    const gone = once(mine.process, 'exit') as Promise<[number | null, string | null]>
    mine.process.stdin!.write(`${JSON.stringify(order)}\n`)
    const [code, signal] = await gone
    if (signal === 'SIGKILL') return undefined
    assert.equal(code, 0, 'it did not come to its end')
    return JSON.parse((await said)[0]) as Ended
  }

  const trunks = async (name: string): Promise<number[]> => JSON.parse((await node.vsctl('get', 'port', name, 'trunks')).trim()) as number[]

  test(`in ${lives} lives of ${kills} kills each no VLAN is leaked, doubled or missing in the end`, async () => {
    let killed = 0
    for (let seed = from; seed < from + lives; seed++) {
      const random = seeded(seed)
      const file = join(folder, `${seed}.sqlite`)
      const among = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)]!
      const deed = (): Deed => {
        const number = among([1, 2, 3])
        // Each has VLANs of its own: who is refused one is another test's.
        return {
          do: among(['serve', 'serve', 'edit', 'detach', 'end'] as const),
          name: `s${number}`,
          vlan: 100 * number + Math.floor(random() * 4),
        }
      }
      const log: Order[] = []
      for (let n = 0; n < kills; n++) {
        const order = { file, deeds: [...(n === 0 ? [{ do: 'site' } as const] : []), deed(), deed()], steps: Math.floor(random() * 24) }
        log.push(order)
        if ((await work(order)) === undefined) killed++
      }
      const ended = await work({ file, deeds: [] })
      for (const name of ports)
        assert.deepEqual(
          await trunks(name),
          ended!.wanted.length === 0 ? [4095] : ended!.wanted,
          `seed ${seed}, port ${name}: ${JSON.stringify(log)}`,
        )
      for (const vlan of ended!.wanted)
        assert.equal(
          ended!.locks.filter((lock) => lock.split(' ')[1] === String(vlan)).length,
          2,
          `seed ${seed}: ${ended!.locks.join('; ')}`,
        )
      // The switch goes on to the next life as it is left by the end of this one.
      await work({ file, deeds: ['s1', 's2', 's3'].map((name) => ({ do: 'end', name })) })
      for (const name of ports) assert.deepEqual(await trunks(name), [4095], `seed ${seed}: something is left open on ${name}`)
    }
    assert.ok(killed >= lives, `${killed} were killed at all`)
  })
})
