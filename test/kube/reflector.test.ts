import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { TurnedClock } from '../../platform/clock.ts'
import { KubeClient } from '../../platform/kube/client.ts'
import { kubeconfigCredentials } from '../../platform/kube/credentials.ts'
import { KubeStore } from '../../platform/store/kube/kube.ts'
import { WatchRecorder } from '../laws/watch-recorder.ts'
import { installCrds, kubeconfigPath, kubectl, kubeSkip, newNamespace } from '../setup/kubectl.ts'
import { until } from '../setup/until.ts'

describe('a reflector on a real API server', { skip: kubeSkip }, () => {
  let store: KubeStore
  let namespace = ''
  const clock = new TurnedClock()
  before(async () => {
    await installCrds()
    namespace = await newNamespace('reflector')
    store = new KubeStore(new KubeClient(await kubeconfigCredentials(kubeconfigPath)), { clock })
  })
  after(() => store?.close())
  const create = (name: string) => store.create<'SecurityGroup'>({ kind: 'SecurityGroup', metadata: { name, namespace }, spec: {} })

  test('lists more than a page of objects in pages, and the next watch event follows them', async () => {
    const many = await newNamespace('many')
    const names = Array.from({ length: 501 }, (_, i) => `g${String(i).padStart(4, '0')}`)
    const one = (name: string) =>
      JSON.stringify({ apiVersion: 'megrez.io/v1alpha1', kind: 'SecurityGroup', metadata: { name, namespace: many }, spec: {} })
    await Promise.all(
      Array.from({ length: 16 }, async (_, writer) => {
        for (let i = writer; i < names.length; i += 16)
          await store.create({ kind: 'SecurityGroup', metadata: { name: names[i]!, namespace: many }, spec: {} })
      }),
    )
    const before = store.requests['list securitygroups'] ?? 0
    const seen = await WatchRecorder.open(store, 'SecurityGroup', { namespace: many })
    assert.equal(seen.log[0], ['all', ...names].join(' '))
    assert.equal((store.requests['list securitygroups'] ?? 0) - before, 2)
    await kubectl(['create', '-f', '-'], { input: one('next') })
    await seen.until((log) => log.at(-1) === 'put next')
    assert.equal(seen.log.length, 2)
    await seen.close()
  })

  test('a watch that was silent for too long is begun again from where it was, and misses nothing', async () => {
    const seen = await WatchRecorder.open(store, 'SecurityGroup', { namespace })
    await create('one')
    await seen.until((log) => log.includes('put one'))
    const watches = store.requests['watch securitygroups'] ?? 0
    await create('two')
    await seen.until((log) => log.includes('put two'))
    clock.advance(90_000)
    await create('three')
    await until(() => {
      // Its pause.
      clock.advance(100)
      return seen.log.includes('put three')
    }, 'the third is seen')
    assert.deepEqual(seen.log, ['all', 'put one', 'put two', 'put three'])
    assert.equal(store.requests['watch securitygroups'], watches + 1)
    await seen.close()
  })
})
