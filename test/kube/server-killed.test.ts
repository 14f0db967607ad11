// The API server itself dies by kill -9 and comes back: one of its own, since the others' must live.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { component } from '../../lab/programs/binaries.ts'
import { StoreUnavailable } from '../../core/errors.ts'
import { realClock } from '../../platform/clock.ts'
import { KubeClient } from '../../platform/kube/client.ts'
import { kubeconfigCredentials } from '../../platform/kube/credentials.ts'
import { KubeStore } from '../../platform/store/kube/kube.ts'
import { WatchRecorder } from '../laws/watch-recorder.ts'
import { startKube, type KubeServer } from '../setup/kube.ts'
import { kubeSkip } from '../setup/kubectl.ts'

describe('an API server that is killed', { skip: kubeSkip }, () => {
  let server: KubeServer
  let client: KubeClient
  let store: KubeStore
  before(
    async () => {
      const [etcd, kubeApiserver] = [await component('etcd'), await component('kube-apiserver')]
      assert.ok('path' in etcd && 'path' in kubeApiserver)
      server = await startKube({ etcd: etcd.path, kubeApiserver: kubeApiserver.path })
      client = new KubeClient(await kubeconfigCredentials(server.kubeconfig))
      store = new KubeStore(client, { clock: realClock })
    },
    { timeout: 180_000 },
  )
  after(async () => {
    await store?.close()
    await server?.stop()
  })

  const pods = '/api/v1/namespaces/default/pods'
  const create = async (name: string): Promise<void> => {
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec: { containers: [{ name: 'c', image: 'example.org/c' }] } }
    assert.equal((await client.ask({ verb: 'create', resource: 'pods', path: pods, body: pod })).status, 201)
  }
  const remove = (name: string) =>
    client.ask({ verb: 'delete', resource: 'pods', path: `${pods}/${name}`, query: { gracePeriodSeconds: '0' } })

  test('is missed by a write at once, and a watch goes on with what happens after it is back, losing and repeating nothing', async () => {
    await create('before')
    const seen = await WatchRecorder.open(store, 'Pod', { namespace: 'default' })
    await server.kill()
    await assert.rejects(store.get({ kind: 'Pod', namespace: 'default', name: 'before' }), StoreUnavailable)
    await server.restart()
    await create('after')
    await remove('before')
    await seen.until((log) => log.includes('gone before') || log.at(-1) === 'all after')
    // The watch may be resumed from where it was, or find too much forgotten and list anew.
    const known = new Set<string>()
    for (const [what, ...names] of seen.log.map((line) => line.split(' '))) {
      if (what === 'all') known.clear()
      for (const name of names)
        if (what === 'gone') known.delete(name)
        else known.add(name)
    }
    assert.deepEqual([...known], ['after'])
    await seen.close()
  })
})
