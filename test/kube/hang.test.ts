// An API server that is there and does nothing (kill -STOP): whoever asks it is told in time, health says who hangs, and once it goes on
// all that was changed is heard of.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { component } from '../../lab/programs/binaries.ts'
import { StoreUnavailable } from '../../core/errors.ts'
import { Cache } from '../../platform/cache/cache.ts'
import { realClock } from '../../platform/clock.ts'
import { listenHealth } from '../../platform/health.ts'
import { kubeconfigCredentials } from '../../platform/kube/credentials.ts'
import { KubeClient } from '../../platform/kube/client.ts'
import { probeApiServer } from '../../platform/kube/api-server-probe.ts'
import { silentLog } from '../../platform/log.ts'
import { makeMetrics } from '../../platform/metrics.ts'
import { KubeStore } from '../../platform/store/kube/kube.ts'
import { held } from '../setup/held.ts'
import { startKube, type KubeServer } from '../setup/kube.ts'
import { kubeSkip } from '../setup/kubectl.ts'
import { until } from '../setup/until.ts'

/** Thirty seconds each as processes have it: too long for a test. */
const times = { everyMs: 300, answerMs: 700 }

describe('an API server that hangs', { skip: kubeSkip }, () => {
  let server: KubeServer
  before(
    async () => {
      const [etcd, kubeApiserver] = [await component('etcd'), await component('kube-apiserver')]
      assert.ok('path' in etcd && 'path' in kubeApiserver)
      server = await startKube({ etcd: etcd.path, kubeApiserver: kubeApiserver.path })
    },
    { timeout: 120_000 },
  )
  after(() => server.stop())

  test('is given up in time and named by health, and once it goes on watches tell of what was changed', async () => {
    const client = new KubeClient(await kubeconfigCredentials(server.kubeconfig), { timeoutMs: 2_000 })
    const store = new KubeStore(client)
    const pulse = probeApiServer(client, times, { clock: realClock, log: silentLog() })
    const { registry } = makeMetrics()
    const health = await listenHealth(
      { host: '127.0.0.1', l4Port: 0 },
      { registry, problems: () => (pulse.problem === undefined ? [] : [pulse.problem]) },
    )
    const namespaces = new Cache(store, 'Namespace', { onError: (err) => assert.fail(err as Error) })
    const following = new AbortController()
    const readyz = async (): Promise<string> => (await fetch(`http://127.0.0.1:${health.l4Port}/readyz`)).text()
    try {
      await namespaces.start(following.signal)
      assert.equal(await readyz(), 'ok\n')
      const goOn = server.hang()
      try {
        await until(async () => /^the API server has not answered for \d+ s: /.test(await readyz()), 'health says so')
        await held()
        assert.match(await readyz(), /^the API server has not answered/)
        await assert.rejects(store.get({ kind: 'Namespace', name: 'default' }), StoreUnavailable)
      } finally {
        goOn()
      }
      await until(async () => (await readyz()) === 'ok\n', 'it answers again')
      await store.create({ kind: 'Namespace', metadata: { name: 'afterwards' }, spec: {} })
      await until(() => namespaces.get('afterwards') !== undefined, 'the watch that stood all the while tells of it', 60_000)
    } finally {
      following.abort()
      pulse.stop()
      await health.close()
      await store.close()
    }
  })
})
