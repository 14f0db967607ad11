import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Resource } from '../../core/kinds/index.ts'
import { SqliteStore } from '../../platform/store/sqlite.ts'
import { trials } from '../setup/trials.ts'
import { until } from '../setup/until.ts'
import { makeVpc, turnTo } from './notify-post.ts'
import { openReceiver, told } from './notify-receiver.ts'
import { seeded } from './house.ts'

const phases = ['pending', 'ready', 'error', 'ready'] as const
const start = (file: string): ChildProcess => spawn(process.execPath, ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, 'notify-child.ts'), file], { stdio: ['ignore', 'inherit', 'inherit'] })

async function filled(file: string, url: string): Promise<readonly Resource<'Vpc'>[]> {
  const store = SqliteStore.open(file)
  const vpcs = await Promise.all(Array.from({ length: 5 }, (_, i) => makeVpc(store, `v${i}`, url)))
  for (const phase of phases) await Promise.all(vpcs.map((vpc) => turnTo(store, vpc, phase)))
  await store.close()
  return vpcs
}

test('a dispatcher killed between sending and acknowledging loses nothing, keeps the order, and repeats under the same id', async () => {
  for (let trial = 0; trial < trials(10); trial++) {
    const folder = await mkdtemp(join(tmpdir(), 'megrez-notify-'))
    const file = join(folder, 'store.sqlite')
    let child: ChildProcess | undefined
    let kills = 2
    const random = seeded(trial)
    const receiver = await openReceiver({
      answer() {
        // The request is here whole; whether the answer still gets through is the trial.
        if (kills === 0 || random() > 0.3) return 204
        kills -= 1
        child?.kill('SIGKILL')
        return random() < 0.5 ? 204 : undefined
      },
    })
    const vpcs = await filled(file, receiver.url)
    const all = (): boolean => vpcs.every((vpc) => told(receiver.taken, vpc.metadata.uid).includes(`${phases.length} ready`))
    while (!all()) {
      child = start(file)
      const ended = once(child, 'exit')
      await Promise.race([ended, until(all, 'all are told', 30_000)])
      child.kill('SIGKILL')
      await ended
    }
    for (const vpc of vpcs) {
      const heard = receiver.heard.filter(({ uid }) => uid === vpc.metadata.uid)
      const sequences = heard.map(({ sequence }) => sequence)
      assert.deepEqual(sequences, sequences.toSorted((a, b) => a - b), 'none comes after a newer one')
      assert.deepEqual([...new Set(told(receiver.taken, vpc.metadata.uid))], phases.map((phase, i) => `${i + 1} ${phase}`))
      assert.equal(new Set(heard.map(({ headers }) => headers['webhook-id'])).size, phases.length)
    }
    await receiver.close()
    await rm(folder, { recursive: true })
  }
})
