// What is written in the log of a look that failed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Stale, StoreUnavailable } from '../../core/errors.ts'
import { silentLog, type Log } from '../../platform/log.ts'
import { reconcileOnce } from '../../platform/queue/reconcile-once.ts'

interface Line {
  readonly level: string
  readonly said: object
}

function logged(): { readonly log: Log; readonly lines: Line[] } {
  const lines: Line[] = []
  const at = (level: string) => (said: object) => void lines.push({ level, said })
  return { lines, log: Object.assign(Object.create(silentLog()) as Log, { warn: at('warn'), debug: at('debug') }) }
}

const failing = (err: Error, log: Log) =>
  reconcileOnce(() => Promise.reject(err), { concurrency: 1, retryAfterMs: () => 5, onProblem: () => undefined }, log)

test('that a rival was faster is told to whoever looks for it, without a stack, and to everybody once it does not end', async () => {
  const { log, lines } = logged()
  const reconcile = failing(new Stale({ kind: 'Port', key: 'a/p' }), log)
  for (let i = 0; i < 6; i++) assert.equal(await reconcile('a/p', AbortSignal.timeout(1_000)), 5)
  assert.deepEqual(
    lines.map(({ level }) => level),
    ['debug', 'debug', 'debug', 'debug', 'debug', 'warn'],
  )
  assert.deepEqual(Object.keys(lines[0]!.said), ['key', 'attempt', 'retryMs', 'reason'])
})

test("what is no rival's doing is a warning at once, with all that is known", async () => {
  const { log, lines } = logged()
  const problem = new StoreUnavailable({ reason: 'gone' })
  await failing(problem, log)('a/p', AbortSignal.timeout(1_000))
  assert.deepEqual(
    lines.map(({ level, said }) => [level, (said as { err?: unknown }).err]),
    [['warn', problem]],
  )
})
