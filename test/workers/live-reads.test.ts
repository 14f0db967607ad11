// A list of some of a kind says nothing of whoever is not in it any more: only the store can say that it is gone.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Resource } from '../../core/kinds/index.ts'
import { openCaches } from '../../platform/cache/caches.ts'
import { changeCountsOf, readAllLive, type SomeOfKind } from '../../workers/loop/live-reads.ts'
import { withHeldWatch } from './late-watch.ts'

const onNode: SomeOfKind = {
  kind: 'Port',
  within: { fields: { '.spec.node': 'n1' } },
  isWithin: (item) => (item as Resource<'Port'>).spec.node === 'n1',
}

test('a Port that has left a node, of which no watch has told, is known as it is; one that is gone is known no more', async () => {
  const { store, letGo } = withHeldWatch('Port')
  const following = new AbortController()
  try {
    const made = async (name: string): Promise<Resource<'Port'>> =>
      store.create({ kind: 'Port', metadata: { namespace: 'a', name }, spec: { subnet: 's', node: 'n1' } })
    const [moved, gone] = [await made('moved'), await made('gone'), await made('stayed')]
    const caches = openCaches(store)
    await caches.start(following.signal)
    const env = { caches, store }
    assert.equal(await readAllLive(onNode, changeCountsOf(env), env), false)
    await store.update({ ...moved, spec: { subnet: 's' } })
    await store.delete({ kind: 'Port', namespace: 'a', name: 'gone' }, { uid: gone.metadata.uid })
    assert.equal(await readAllLive(onNode, changeCountsOf(env), env), true)
    const known = (name: string): string | undefined => {
      const port = caches.Port.get(`a/${name}`)
      return port && (port.spec.node ?? 'on no node')
    }
    assert.deepEqual([known('moved'), known('gone'), known('stayed')], ['on no node', undefined, 'n1'])
  } finally {
    letGo()
    following.abort()
    await store.close()
  }
})
