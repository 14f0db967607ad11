import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import type { WatchEvent, Store } from '../../core/contracts/store.ts'
import type { Resource } from '../../core/kinds/index.ts'
import { Cache, type Listener, type ChangeEvent } from '../../platform/cache/cache.ts'
import { SqliteStore } from '../../platform/store/sqlite.ts'
import { until } from '../setup/until.ts'

type Vpc = Resource<'Vpc'>
type Steps = readonly WatchEvent<'Vpc'>[]

const vpc = (name: string, version: number, { vni = 1, uid = `uid-${name}` } = {}): Vpc => ({
  apiVersion: 'megrez.io/v1alpha1',
  kind: 'Vpc',
  metadata: { name, namespace: 'a', uid, resourceVersion: String(version), generation: 1, creationTimestamp: '2026-01-01T00:00:00Z' },
  spec: { vni },
})
const all = (version: number, ...items: Vpc[]): WatchEvent<'Vpc'> => ({ type: 'all', items, resourceVersion: String(version) })
const put = (item: Vpc): WatchEvent<'Vpc'> => ({ type: 'put', item })
const gone = (item: Vpc): WatchEvent<'Vpc'> => ({ type: 'gone', item })

interface Followed {
  readonly cache: Cache<'Vpc'>
  /** By a listener that was there from the beginning. */
  readonly heard: readonly string[]
  readonly problems: readonly string[]
}
const after = (...steps: Steps): Promise<Followed> => afterBeside(undefined, ...steps)

/** A cache that has seen these changes, in this order; `first` is told of every step before the listener that writes down. */
async function afterBeside(first: Listener<'Vpc'> | undefined, ...steps: Steps): Promise<Followed> {
  const read = new AbortController()
  const watch = async function* (): AsyncGenerator<WatchEvent<'Vpc'>> {
    yield* steps
    read.abort()
  }
  const problems: string[] = []
  const cache = new Cache({ watch } as unknown as Store, 'Vpc', {
    indexes: { vni: (item) => [String(item.spec.vni)] },
    onError: (err, key) => problems.push(`${key}: ${(err as Error).message}`),
  })
  const heard: string[] = []
  if (first !== undefined) cache.on(first)
  cache.on((event) => heard.push(textOf(event)))
  const end = once(read.signal, 'abort')
  await cache.start(new AbortController().signal)
  if (!read.signal.aborted) await end
  return { cache, heard, problems }
}
const side = (item: Vpc | undefined): string => (item === undefined ? '-' : `${item.metadata.uid}@${item.metadata.resourceVersion}`)
const textOf = ({ key, before, after: now }: ChangeEvent<'Vpc'>): string => `${key} ${side(before)} ${side(now)}`
const found = (cache: Cache<'Vpc'>, vni: number): string[] => [...cache.by('vni', String(vni))].map((item) => item.metadata.name).sort()

test('what is there is told as new, then each step with what was before', async () => {
  const { cache, heard } = await after(all(2, vpc('blue', 1), vpc('red', 2)), put(vpc('blue', 3)), gone(vpc('red', 4)))
  assert.deepEqual(heard, ['a/blue - uid-blue@1', 'a/red - uid-red@2', 'a/blue uid-blue@1 uid-blue@3', 'a/red uid-red@2 -'])
  assert.deepEqual([cache.size, cache.get('a/blue')?.metadata.resourceVersion, cache.get('a/red')], [1, '3', undefined])
  assert.equal(cache.resourceVersion, '4')
})

test('a relist drops what is gone, takes what is new, and is silent of what is the same', async () => {
  const { cache, heard } = await after(
    all(3, vpc('blue', 1), vpc('red', 2), vpc('green', 3)),
    all(9, vpc('blue', 1), vpc('green', 8), vpc('white', 9)),
  )
  assert.deepEqual(heard.slice(3).sort(), ['a/green uid-green@3 uid-green@8', 'a/red uid-red@2 -', 'a/white - uid-white@9'])
  assert.deepEqual([...cache.values()].map((item) => item.metadata.name).sort(), ['blue', 'green', 'white'])
  assert.equal(cache.resourceVersion, '9')
})

test('one made anew under the same name is another: the first goes before the second comes', async () => {
  const again = vpc('blue', 5, { uid: 'uid-second', vni: 2 })
  for (const change of [put(again), all(5, again)]) {
    const { cache, heard } = await after(all(1, vpc('blue', 1)), change)
    assert.deepEqual(heard, ['a/blue - uid-blue@1', 'a/blue uid-blue@1 -', 'a/blue - uid-second@5'])
    assert.deepEqual([found(cache, 1), found(cache, 2)], [[], ['blue']])
  }
})

test('the end of an earlier one of the same name leaves its successor alone', async () => {
  const { cache, heard } = await after(all(5, vpc('blue', 5, { uid: 'uid-second' })), gone(vpc('blue', 4)))
  assert.deepEqual(heard, ['a/blue - uid-second@5'])
  assert.deepEqual(found(cache, 1), ['blue'])
})

test('an index follows every change and holds nothing of what is gone', async () => {
  const { cache } = await after(
    all(2, vpc('blue', 1), vpc('red', 2)),
    put(vpc('blue', 3, { vni: 7 })),
    put(vpc('white', 4, { vni: 7 })),
    gone(vpc('red', 5)),
  )
  assert.deepEqual([found(cache, 1), found(cache, 7), found(cache, 8)], [[], ['blue', 'white'], []])
  assert.equal(
    [...cache.by('vni', '7')].find((item) => item.metadata.name === 'blue'),
    cache.get('a/blue'),
  )
  assert.deepEqual([...cache.by('no such index', '7')], [])
})

test('an object that is given again as it was is no step', async () => {
  const { heard } = await after(all(1, vpc('blue', 1)), put(vpc('blue', 1)))
  assert.deepEqual(heard, ['a/blue - uid-blue@1'])
})

test('a listener that throws is told of, and neither the cache nor another listener misses a step', async () => {
  const throwing = ({ key }: ChangeEvent<'Vpc'>): never => {
    throw new Error(`no ${key}`)
  }
  const { cache, heard, problems } = await afterBeside(throwing, all(1, vpc('blue', 1)), put(vpc('blue', 2)), gone(vpc('blue', 3)))
  assert.deepEqual(problems, ['a/blue: no a/blue', 'a/blue: no a/blue', 'a/blue: no a/blue'])
  assert.deepEqual(heard, ['a/blue - uid-blue@1', 'a/blue uid-blue@1 uid-blue@2', 'a/blue uid-blue@2 -'])
  assert.deepEqual([cache.size, found(cache, 1)], [0, []])
})

test('a listener that comes late is told of what is there as new', async () => {
  const { cache } = await after(all(1, vpc('blue', 1)), put(vpc('blue', 2)))
  const heard: string[] = []
  cache.on((event) => heard.push(textOf(event)))
  assert.deepEqual(heard, ['a/blue - uid-blue@2'])
})

test('a cache that has seen nothing yet, and one whose signal fell before, are not synced', async () => {
  const store = SqliteStore.open(':memory:')
  const cache = new Cache(store, 'Vpc')
  assert.equal(cache.synced, false)
  await cache.start(AbortSignal.abort())
  assert.equal(cache.synced, false)
  await store.close()
})

test('over a store it is as the store is: whole when start resolves, then with every change, until its signal falls', async () => {
  const store = SqliteStore.open(':memory:')
  const stop = new AbortController()
  const draft = (name: string, namespace: string) => store.create({ kind: 'Vpc', metadata: { name, namespace }, spec: {} })
  await draft('blue', 'a')
  await draft('elsewhere', 'b')
  const cache = new Cache(store, 'Vpc', { within: { namespace: 'a' } })
  await cache.start(stop.signal)
  assert.equal(cache.synced, true)
  assert.deepEqual([...cache.values()], (await store.list('Vpc', { namespace: 'a' })).items)
  await draft('red', 'a')
  await store.delete({ kind: 'Vpc', namespace: 'a', name: 'blue' })
  await until(() => cache.get('a/red') !== undefined && cache.get('a/blue') === undefined, 'red is in the cache and blue is not')
  assert.equal(cache.get('a/red'), await store.get({ kind: 'Vpc', namespace: 'a', name: 'red' }))
  stop.abort()
  await store.close()
})

/** A cache that is told the first changes, then learns something, then is told the others. */
async function learning(first: Steps, learn: (cache: Cache<'Vpc'>) => void, ...then: Steps): Promise<Followed> {
  const read = new AbortController()
  const watch = async function* (): AsyncGenerator<WatchEvent<'Vpc'>> {
    yield* first
    learn(cache)
    yield* then
    read.abort()
  }
  const cache: Cache<'Vpc'> = new Cache({ watch } as unknown as Store, 'Vpc', { indexes: { vni: (item) => [String(item.spec.vni)] } })
  const heard: string[] = []
  cache.on((event) => heard.push(textOf(event)))
  const end = once(read.signal, 'abort')
  await cache.start(new AbortController().signal)
  if (!read.signal.aborted) await end
  return { cache, heard, problems: [] }
}

test('what was read live is believed until the watch has come as far', async () => {
  const { cache, heard } = await learning(
    [all(1, vpc('blue', 1))],
    (each) => each.learn('a/blue', vpc('blue', 5, { vni: 7 })),
    put(vpc('blue', 2)),
    put(vpc('blue', 4)),
    put(vpc('blue', 5, { vni: 7 })),
    put(vpc('blue', 6)),
  )
  assert.deepEqual(heard, ['a/blue - uid-blue@1', 'a/blue uid-blue@1 uid-blue@5', 'a/blue uid-blue@5 uid-blue@6'])
  assert.deepEqual([found(cache, 7), found(cache, 1)], [[], ['blue']])
})

test('what was read to be gone does not come back by a late watch, its successor does', async () => {
  const { heard } = await learning(
    [all(1, vpc('blue', 1))],
    (each) => each.learnGone(vpc('blue', 1)),
    put(vpc('blue', 2)),
    gone(vpc('blue', 3)),
    put(vpc('blue', 4, { uid: 'uid-second' })),
  )
  assert.deepEqual(heard, ['a/blue - uid-blue@1', 'a/blue uid-blue@1 -', 'a/blue - uid-second@4'])
})

test('a late answer that one was there says nothing of one that a watch, or a relist, has told is gone; its successor is learnt', async () => {
  for (const ended of [gone(vpc('blue', 2)), all(2)]) {
    const { heard } = await learning([all(1, vpc('blue', 1)), ended], (each) => {
      each.learn('a/blue', vpc('blue', 1))
      each.learn('a/blue', vpc('blue', 3, { uid: 'uid-second' }))
    })
    assert.deepEqual(heard, ['a/blue - uid-blue@1', 'a/blue uid-blue@1 -', 'a/blue - uid-second@3'])
  }
})

test('an answer that it was gone says nothing of what was made since under its name, nor of what nobody knew', async () => {
  const { heard, cache } = await learning(
    [all(1, vpc('blue', 1)), gone(vpc('blue', 2)), put(vpc('blue', 3, { uid: 'uid-second' }))],
    (each) => {
      each.learnGone(vpc('blue', 1))
      each.learnGone(vpc('red', 1))
    },
    put(vpc('blue', 4, { uid: 'uid-second' })),
  )
  assert.deepEqual(heard.slice(2), ['a/blue - uid-second@3', 'a/blue uid-second@3 uid-second@4'])
  assert.equal(cache.get('a/blue')?.metadata.uid, 'uid-second')
})

test('a live read that a watch has overtaken tells nothing, nor does a list from before a live read', async () => {
  const overtaken = await learning([all(1, vpc('blue', 3))], (each) => each.learn('a/blue', vpc('blue', 2)))
  assert.deepEqual(overtaken.heard, ['a/blue - uid-blue@3'])
  const { heard, cache } = await learning(
    [all(1, vpc('blue', 1))],
    (each) => {
      each.learn('a/blue', vpc('blue', 5))
      each.learn('a/new', vpc('new', 6))
    },
    all(4, vpc('blue', 3)),
    gone(vpc('new', 7)),
    all(9, vpc('blue', 8)),
  )
  assert.deepEqual(heard, [
    'a/blue - uid-blue@1',
    'a/blue uid-blue@1 uid-blue@5',
    'a/new - uid-new@6',
    'a/new uid-new@6 -',
    'a/blue uid-blue@5 uid-blue@8',
  ])
  assert.equal(cache.size, 1)
})

test('whoever needs all that is before a version is called once the watch has told of it', async () => {
  const order: string[] = []
  const { cache } = await learning(
    [all(1, vpc('blue', 1))],
    (each) => {
      each.learn('a/late', vpc('late', 5))
      for (const version of ['1', '5', '4']) order.push(`${version} ${each.hasReached(version, () => order.push(`reached ${version}`))}`)
    },
    put(vpc('early', 4)),
    put(vpc('late', 5)),
    put(vpc('blue', 6)),
  )
  assert.deepEqual(order, ['1 true', '5 false', '4 false', 'reached 4', 'reached 5'])
  assert.equal(
    cache.hasReached('6', () => assert.fail()),
    true,
  )
})
