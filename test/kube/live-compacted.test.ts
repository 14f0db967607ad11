// The live source of pages over an API server that has forgotten where a reader was (410): one of its own, as it is killed.
import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { component } from '../../lab/programs/binaries.ts'
import { realClock } from '../../platform/clock.ts'
import { KubeClient } from '../../platform/kube/client.ts'
import { kubeconfigCredentials } from '../../platform/kube/credentials.ts'
import { KubeStore } from '../../platform/store/kube/kube.ts'
import { startKube, type KubeServer } from '../setup/kube.ts'
import { applyCrds, chartCrds, kubeSkip } from '../setup/kubectl.ts'
import { readEvents, type EventReader } from '../webhooks/event-reader.ts'
import { openHarness, type Harness } from '../webhooks/rest-harness.ts'

describe('a watch of many kinds over an API server that has forgotten', { skip: kubeSkip }, () => {
  let server: KubeServer
  let store: KubeStore
  let rest: Harness
  let app: FastifyInstance
  let url = ''
  before(
    async () => {
      const [etcd, kubeApiserver] = [await component('etcd'), await component('kube-apiserver')]
      assert.ok('path' in etcd && 'path' in kubeApiserver)
      server = await startKube({ etcd: etcd.path, kubeApiserver: kubeApiserver.path })
      const { kubeconfig } = server
      await applyCrds(chartCrds, { kubeconfig })
      store = new KubeStore(new KubeClient(await kubeconfigCredentials(kubeconfig)), { clock: realClock })
      rest = await openHarness()
      app = rest.another({ store })
      await app.listen({ host: '127.0.0.1', port: 0 })
      url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
    },
    { timeout: 180_000 },
  )
  after(async () => {
    await app?.close()
    await rest?.close()
    await store?.close()
    await server?.stop()
  })

  const group = (name: string) => store.create({ kind: 'SecurityGroup', metadata: { namespace: 'default', name }, spec: {} })
  const watch = (last = ''): Promise<EventReader> =>
    readEvents(`${url}/v1/watch?kinds=SecurityGroup&namespace=default`, {
      authorization: `Bearer ${rest.token}`,
      ...(last !== '' && { 'last-event-id': last }),
    })

  test('tells all anew, to who comes back and to who has stayed, and then what follows', async () => {
    await group('before')
    const [left, stayed] = [await watch(), await watch()]
    for (const each of [left, stayed]) assert.equal((await each.next()).data.resumed, false)
    assert.deepEqual(await stayed.words(1), ['all SecurityGroup@default default/before'])
    const last = (await left.next()).id ?? ''
    left.stop()
    await server.kill()
    await server.restart()
    await group('meanwhile')
    await store.delete({ kind: 'SecurityGroup', namespace: 'default', name: 'before' })
    await server.kill()
    await server.compact()
    await server.restart()
    const back = await watch(last)
    try {
      assert.equal((await back.next()).data.resumed, true, 'its place is one of these parts')
      assert.deepEqual(await back.words(1), ['all SecurityGroup@default default/meanwhile'], 'what went is not there any more')
      await group('after')
      assert.deepEqual(await back.words(1), ['put SecurityGroup default/after'])
      assert.deepEqual(await knownTo(stayed), ['default/after', 'default/meanwhile'])
    } finally {
      back.stop()
      stayed.stop()
    }
  })

  /** What stands with a reader once it is told of the last change: it may have heard of what was between, or of all anew. */
  async function knownTo(reader: EventReader): Promise<readonly string[]> {
    const known = new Set(['default/before'])
    while (!known.has('default/after')) {
      const [what, , ...names] = (await reader.words(1))[0]!.split(' ')
      if (what === 'all') known.clear()
      for (const name of names)
        if (what === 'gone') known.delete(name)
        else known.add(name)
    }
    return [...known].sort()
  }
})
