// When a Subscription begins, what was planned by whoever had not heard of it lands no more.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import type { Write } from '../../core/contracts/store.ts'
import { Stale } from '../../core/errors.ts'
import { askedAnnotation, noticeFinalizer } from '../../core/kinds/annotations.ts'
import { refOf, type Resource } from '../../core/kinds/index.ts'
import { aboutOf, subscribeWrites } from '../../core/plan/notify/beginning.ts'
import { podReported } from '../../core/plan/pod/pod-report.ts'
import { ended, reported } from '../../core/plan/status.ts'
import { SqliteStore } from '../../platform/store/sqlite.ts'
import { fenced } from '../../workers/loop/fences.ts'

let store: SqliteStore
let subscription: Resource<'Subscription'>
const reporting = { namespace: 'megrez-system', now: Date.parse('2026-01-01T00:00:00Z') }
const ready = { phase: 'ready' as const, reason: 'InPlace', message: 'in place' }

beforeEach(async () => {
  store = SqliteStore.open(':memory:')
  subscription = await store.create({ kind: 'Subscription', metadata: { namespace: 'a', name: 's' }, spec: { sink: 'https://a.example' } })
})
afterEach(() => store.close())

const live = async <R extends Resource>(item: R): Promise<R> => (await store.get(refOf(item))) as R
const vpc = (finalizers: readonly string[] = []): Promise<Resource<'Vpc'>> =>
  store.create({ kind: 'Vpc', metadata: { namespace: 'a', name: 'blue', finalizers: [...finalizers, 'megrez.io/vpc'] }, spec: {} })
const begin = async (item: Resource): Promise<void> => store.commit(subscribeWrites(subscription, await live(item)))
const falls = (writes: readonly Write[]): Promise<void> => assert.rejects(store.commit(writes), Stale)

for (const before of ['never reported', 'reported'] as const)
  test(`a report that was planned before falls, of what was ${before}`, async () => {
    let item = await vpc()
    if (before === 'reported') await store.commit(reported(item, { ...ready, phase: 'pending' }, reporting).writes)
    item = await live(item)
    await begin(item)
    await falls(reported(item, ready, reporting).writes)
    const now = await live(item)
    assert.deepEqual(now.metadata.finalizers?.includes(noticeFinalizer), true)
    await store.commit(reported(now, ready, reporting).writes)
    assert.deepEqual([(await live(item)).status?.phase, (await live(item)).status?.asked], ['ready', subscription.metadata.resourceVersion])
  })

test("so does a pod's, where it was told nothing yet", async () => {
  const pod = await store.create({ kind: 'Pod', metadata: { namespace: 'a', name: 'p' }, spec: { containers: [] } })
  await begin(pod)
  const plan = { ...ready, steps: [], nics: [] }
  await falls(podReported(pod, plan, reporting))
  await store.commit(podReported(await live(pod), plan, reporting))
  assert.equal((await live(pod)).metadata.annotations?.[askedAnnotation], subscription.metadata.resourceVersion)
})

test('so does the end of an object that others ask about', async () => {
  const item = await vpc([noticeFinalizer])
  await store.delete(refOf(item))
  const going = await live(item)
  await begin(going)
  await falls(fenced(ended(going, ['megrez.io/vpc'], reporting), going, []))
  const now = await live(item)
  await store.commit(fenced(ended(now, ['megrez.io/vpc'], reporting), now, []))
  assert.equal(await live(item), undefined)
})

test('an object is written on once, and what goes is given no finalizer', async () => {
  const item = await vpc()
  await store.delete(refOf(item))
  assert.deepEqual(
    subscribeWrites(subscription, await live(item)).map((write) => write.do),
    ['patchStatus'],
  )
  await begin(item)
  assert.deepEqual(subscribeWrites(subscription, await live(item)), [])
})

test('what an object is like is kept where all changes are asked for, so that the next one is seen', async () => {
  const item = await vpc()
  await store.commit(reported(item, ready, reporting).writes)
  subscription = await store.create({
    kind: 'Subscription',
    metadata: { namespace: 'a', name: 'all' },
    spec: { sink: 'https://a.example', changes: 'all' },
  })
  await begin(item)
  assert.equal(typeof (await live(item)).status?.told, 'string')
})

test('a Subscription is about something else when its filter or its changes are others, and not when it is paused', () => {
  const of = (spec: Partial<Resource<'Subscription'>['spec']>): string => aboutOf({ spec: { ...subscription.spec, ...spec } })
  assert.equal(of({ paused: true }), of({}))
  assert.notEqual(of({ filter: { kinds: ['Port'] } }), of({}))
  assert.notEqual(of({ changes: 'all' }), of({}))
})
