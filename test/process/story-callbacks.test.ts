// The story that anybody can have told: npm run story callbacks.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import { readLog, wrongWith } from '../../cli/story/callbacks/log.ts'
import { redisSkip } from '../setup/redis.ts'

const root = join(import.meta.dirname, '../..')

test(
  'the story callbacks ends well: receiver, worker and Redis fail, and the log of each object is complete and in order',
  { skip: redisSkip },
  async () => {
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', join(root, 'cli/story.ts'), 'callbacks', '--json'], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let out = ''
    let said = ''
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
    const [code] = (await once(child, 'close')) as [number]
    assert.equal(code, 0, said)
    const { log, wrong } = JSON.parse(out.trim().split('\n').at(-1) ?? '') as {
      readonly log: readonly { readonly told: readonly { readonly phase: string }[] }[]
      readonly wrong: readonly string[]
    }
    assert.deepEqual([log.length, wrong], [16, []])
    assert.ok(log.every(({ told }) => told.at(-1)?.phase === 'deleted'))
  },
)

test('a log with a gap, a wrong phase, no end or nothing at all would not pass', () => {
  const notice = (sequence: number, phase: string, name = 'a') => ({
    id: `${name}-${sequence}`,
    sequence,
    phase,
    body: { kind: 'Vpc', metadata: { name } },
  })
  const history = new Map([['Vpc a', [{ sequence: 1, phase: 'ready' }]]])
  const faults = (...notices: ReturnType<typeof notice>[]): number => wrongWith(readLog(notices), history).length
  assert.equal(faults(notice(1, 'ready'), notice(1, 'ready'), notice(2, 'deleted')), 0)
  assert.equal(faults(notice(1, 'ready'), notice(3, 'deleted')), 1)
  assert.equal(faults(notice(2, 'deleted'), notice(1, 'ready')), 3)
  assert.equal(faults(notice(1, 'error'), notice(2, 'deleted')), 1)
  assert.equal(faults(notice(1, 'ready')), 1)
  assert.equal(faults(notice(1, 'ready', 'b'), notice(2, 'deleted', 'b')), 1)
})
