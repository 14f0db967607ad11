import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listenHealth } from '../../platform/health.ts'
import { makeMetrics } from '../../platform/metrics.ts'

test('what is missing is told where liveness and where readiness are asked for, and only the latter is refused: a new start mends nothing of it', async () => {
  const missing: string[] = []
  const health = await listenHealth({ host: '127.0.0.1', l4Port: 0 }, { registry: makeMetrics().registry, problems: () => missing })
  const said = async (path: string): Promise<readonly [number, string]> => {
    const answer = await fetch(`http://127.0.0.1:${health.l4Port}${path}`)
    return [answer.status, await answer.text()]
  }
  try {
    assert.deepEqual(
      [await said('/livez'), await said('/readyz')],
      [
        [200, 'ok\n'],
        [200, 'ok\n'],
      ],
    )
    missing.push('the one is away', 'the other hangs')
    assert.deepEqual(
      [await said('/livez'), await said('/readyz')],
      [
        [200, 'ok\nthe one is away\nthe other hangs\n'],
        [503, 'the one is away\nthe other hangs\n'],
      ],
    )
  } finally {
    await health.close()
  }
})
