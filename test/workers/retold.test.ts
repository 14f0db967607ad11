// A worker that begins with a past may report what is no longer so; whoever knows better looks again, though nothing else has changed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refFromKey, type Resource } from '../../core/kinds/index.ts'
import { openTestCluster } from './test-cluster.ts'
import { withNetwork } from './network.ts'

for (const [kind, key] of [
  ['Vpc', 'a/blue'],
  ['Subnet', 'a/one'],
  ['Port', 'a/p'],
] as const) {
  test(`a ${kind} that another worker has reported by a past is reported as it is again`, async (t) => {
    const cluster = await openTestCluster()
    t.after(() => cluster.close())
    await withNetwork(cluster)
    if (kind === 'Port') await cluster.make('Port', 'a/p', { subnet: 'one' })
    await cluster.settle()
    const before = (await cluster.get(kind, key)) as Resource<typeof kind>
    assert.equal(before.status?.phase, 'ready')
    const past = { phase: 'pending' as const, message: 'as it was long ago', sequence: (before.status?.sequence ?? 0) + 1 }
    await cluster.store.patchStatus({ ref: refFromKey(kind, key), uid: before.metadata.uid }, { report: past })
    await cluster.settle()
    const { phase, sequence = 0, message } = (await cluster.get(kind, key))?.status ?? {}
    assert.deepEqual([phase, message], ['ready', before.status?.message])
    assert.ok(sequence > past.sequence, 'and whoever is told is told of it')
  })
}
