// The quota of a Cloud: one answer for all who ask together, and for the Cloud's own report one that a pool has had.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CloudDriver, PortQuota } from '../../core/contracts/cloud.ts'
import { CloudRefused } from '../../core/errors.ts'
import { Quotas } from '../../workers/clouds/quota.ts'
import { memory } from '../../workers/drivers/cloud/memory.ts'
import { MemoryCloud } from '../../workers/drivers/cloud/memory-cloud.ts'
import { around as withPools, filled } from './warm-cluster.ts'
import { openTestCluster, type TestCluster } from './test-cluster.ts'

const signal = new AbortController().signal

async function settled(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve))
}

interface Around {
  readonly cluster: TestCluster
  /** What each question is answered by; those behind it have used as many as were asked. */
  readonly answers: (() => Promise<PortQuota>)[]
  asked(): number
  ask(until?: AbortSignal): Promise<number | undefined>
  /** One of five seconds ago is as good. */
  recent(): Promise<number | undefined>
}

async function around(): Promise<Around> {
  const cluster = await openTestCluster({ idle: true })
  const cloud = await cluster.make('Cloud', 'c', { provider: 'memory', endpoint: 'here' })
  let asked = 0
  const answers: (() => Promise<PortQuota>)[] = []
  const driver: CloudDriver = {
    ...memory(new MemoryCloud({ now: () => cluster.clock.now() }), { landsWithinMs: 1_000 }),
    quota: () => {
      asked += 1
      return answers.shift()?.() ?? Promise.resolve({ used: asked, limit: 10 })
    },
  }
  const quotas = new Quotas({ clouds: { usable: () => ({ driver }) }, caches: cluster.caches, clock: cluster.clock })
  return {
    cluster,
    answers,
    asked: () => asked,
    ask: async (end = signal) => (await quotas.of(cloud, end))?.used,
    recent: async () => (await quotas.of(cloud, signal, 5_000))?.used,
  }
}

test('one answer serves all who ask together, and for a while whoever takes one that is not new', async () => {
  const { cluster, ask, recent } = await around()
  assert.deepEqual(await Promise.all([ask(), ask(), recent()]), [1, 1, 1])
  cluster.clock.advance(4_999)
  assert.equal(await recent(), 1)
  cluster.clock.advance(1)
  assert.equal(await recent(), 2)
  assert.equal(await ask(), 3, 'who makes ports by it has a new one')
  await cluster.close()
})

test('whoever asks once a Port of ours has come there waits for no answer to a question of before', async () => {
  const { cluster, answers, ask } = await around()
  const { promise, resolve } = Promise.withResolvers<PortQuota>()
  answers.push(() => promise)
  const first = ask()
  const { kind, metadata } = await cluster.make('Port', 'a/p', { subnet: 'one' })
  const { uid, resourceVersion } = metadata
  const sections = { provider: { cloud: 'c', requestedAt: '2026-01-01T00:00:00.000Z' } }
  await cluster.store.commit([{ do: 'patchStatus', ref: { kind, namespace: 'a', name: 'p' }, uid, resourceVersion, sections }])
  await settled(() => cluster.caches.Port.get('a/p')?.status?.cloud === 'c')
  assert.equal(await ask(), 2)
  resolve({ used: 7, limit: 10 })
  assert.equal(await first, 7)
  await cluster.close()
})

test('what a Cloud does not say is asked for again, and who goes keeps no other from the answer', async () => {
  const { cluster, answers, asked, ask, recent } = await around()
  answers.push(() => Promise.reject(new CloudRefused({ cloud: 'c', what: 'its quota', reason: '403' })))
  assert.deepEqual([await ask(), await recent()], [undefined, 2])
  const { promise, resolve } = Promise.withResolvers<PortQuota>()
  answers.push(() => promise)
  const going = new AbortController()
  const [gone, stays] = [ask(going.signal), ask()]
  going.abort()
  await assert.rejects(gone, { name: 'AbortError' })
  resolve({ used: 7, limit: 10 })
  assert.deepEqual([await stays, asked()], [7, 3])
  await cluster.close()
})

test('a Cloud tells what a pool there has heard, and asks for nothing itself', async () => {
  let asked = 0
  const of = await withPools(
    { min: 2, max: 2, reserve: 0 },
    {
      portsMax: 100,
      through: (driver) => ({
        ...driver,
        quota(end) {
          asked += 1
          return driver.quota!(end)
        },
      }),
    },
  )
  const { cluster } = of
  await filled(of, 2)
  await cluster.advance(60_000)
  asked = 0
  for (let second = 0; second < 300; second++) await cluster.advance(1_000)
  assert.equal(asked, 5, 'of a pool that is looked at each minute, and its Cloud')
  assert.equal((await cluster.get('Cloud', 'c'))?.status?.portQuota?.used, 3)
  await of.end()
})
