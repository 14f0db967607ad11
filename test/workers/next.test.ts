// What a plan makes and names next: reconciled in the pass that makes it, and nobody else is woken for it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Write } from '../../core/contracts/store.ts'
import { AlreadyExists } from '../../core/errors.ts'
import type { SqliteStore } from '../../platform/store/sqlite.ts'
import { openTestCluster, type TestCluster } from './test-cluster.ts'
import { clusterLike, lockedAddresses, makePod, toldOf, withNetwork } from './network.ts'

interface Watched {
  readonly cluster: TestCluster
  /** Of keys that were added since, each with its queue. */
  readonly added: string[]
  readonly commits: (readonly Write[])[]
}

async function watched(store?: SqliteStore, before: (writes: readonly Write[]) => void = () => undefined): Promise<Watched> {
  const added: string[] = []
  const commits: (readonly Write[])[] = []
  const cluster = await openTestCluster({ added: (queue, key) => void added.push(`${queue} ${key}`), ...(store && { store }) })
  await withNetwork(cluster)
  await cluster.settle()
  const { commit } = cluster.store
  Object.defineProperty(cluster.store, 'commit', {
    value: (writes: readonly Write[]) => {
      commits.push(writes)
      before(writes)
      return commit.call(cluster.store, writes)
    },
  })
  added.length = 0
  return { cluster, added, commits }
}

const inShort = (write: Write): string =>
  `${write.do} ${write.do === 'create' ? write.draft.kind : write.do === 'update' ? write.item.kind : write.do === 'patchPodStatus' ? 'Pod' : write.ref.kind}`
const twoNics = { node: 'n1', nics: [{ name: 'net1' }, { name: 'net2' }] }

test('a pod with two NICs is one commit in our own store, and its Ports wake nobody', async () => {
  const { cluster, added, commits } = await watched()
  try {
    await makePod(cluster, 'a/web', twoNics)
    await cluster.advance(5_000)
    const port = ['create IPLock', 'patchStatus Port']
    assert.deepEqual(
      commits.map((writes) => writes.map(inShort)),
      [['create Pod'], ['create Port', 'create Port', ...port, ...port, 'patchPodStatus Pod']],
    )
    assert.equal((await toldOf(cluster, 'a/web')).phase, 'ready')
    assert.deepEqual(added, ['Pod a/web'])
    assert.deepEqual(
      (await cluster.all('Port')).map(({ status }) => [status?.phase, status?.sequence]),
      [
        ['ready', 1],
        ['ready', 1],
      ],
    )
  } finally {
    await cluster.close()
  }
})

test('on a store that commits write by write the Ports are made and reconciled by their pod, and have no key of their own', async () => {
  const store = clusterLike()
  const { cluster, added, commits } = await watched(store)
  try {
    await makePod(cluster, 'a/web', twoNics)
    await cluster.advance(1_000)
    assert.deepEqual(
      (await cluster.all('Port')).map(({ status }) => status?.phase),
      ['ready', 'ready'],
    )
    const port = ['create IPLock', 'patchStatus Port']
    assert.deepEqual(
      commits.map((writes) => writes.map(inShort)).filter((writes) => writes.length > 0),
      [['create Pod'], ['create Port'], ['create Port'], port, port],
    )
    assert.deepEqual(
      added.filter((each) => each.startsWith('Port')),
      [],
    )
  } finally {
    await cluster.close()
    await store.close()
  }
})

test('a Port that waits for something is made with its pod, and its own key waits', async () => {
  const { cluster, added } = await watched()
  try {
    await cluster.make('Subnet', 'a/none', { vpc: 'blue', ipv4: { cidr: '10.9.0.0/30', pools: [{ first: '10.9.0.2', last: '10.9.0.2' }] } })
    await makePod(cluster, 'a/first', { nics: [{ name: 'net1', subnet: 'none' }] })
    await cluster.settle()
    added.length = 0
    await makePod(cluster, 'a/web', { nics: [{ name: 'net1', subnet: 'none' }] })
    await cluster.settle()
    assert.deepEqual((await cluster.all('Port')).map(({ status }) => status?.phase).sort(), ['pending', 'ready'])
    assert.equal((await toldOf(cluster, 'a/web')).phase, 'pending')
    assert.equal(added.filter((each) => each.startsWith('Port a/web')).length > 0, true, 'it is looked at again')
  } finally {
    await cluster.close()
  }
})

test('where the commit of a pod and its Ports falls, none of them is there, and the next pass makes all', async () => {
  let left = 1
  const { cluster } = await watched(undefined, (writes) => {
    if (writes.some((write) => write.do === 'create' && write.draft.kind === 'Port') && left-- > 0)
      throw new AlreadyExists({ kind: 'IPLock', key: 'a/somebody' })
  })
  try {
    await makePod(cluster, 'a/web', twoNics)
    await cluster.advance(5_000)
    assert.deepEqual(
      (await cluster.all('Port')).map(({ status }) => status?.phase),
      ['ready', 'ready'],
    )
    assert.equal((await lockedAddresses(cluster)).length, 2)
    assert.equal((await toldOf(cluster, 'a/web')).phase, 'ready')
  } finally {
    await cluster.close()
  }
})
