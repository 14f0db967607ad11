// Callbacks whose outbox is in a real API server: commits are rows of requests there, and watches come later than writes.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { refOf, type Resource } from '../../core/kinds/index.ts'
import { openKubeStore } from '../../platform/store/kube/open.ts'
import { installCrds, kubeconfigPath, kubeSkip, newNamespace, tryKubectl } from '../setup/kubectl.ts'
import { until } from '../setup/until.ts'
import { end, makeVpc, openPost, changePhase } from '../workers/notify-post.ts'
import { openReceiver, changesTaken } from '../workers/notify-receiver.ts'

describe('callbacks from a cluster', { skip: kubeSkip }, () => {
  test('each change of each object arrives once and in order, the end of it too, though the receiver fails now and then', async () => {
    await installCrds()
    await tryKubectl(['create', 'namespace', 'megrez-system'])
    const namespace = await newNamespace('notify')
    const store = await openKubeStore({ kubeconfig: String(kubeconfigPath) })
    let count = 0
    const receiver = await openReceiver({ answer: () => (count++ % 4 === 0 ? 500 : 204) })
    const post = await openPost({ store })
    const mine = async (): Promise<readonly Resource<'Notice'>[]> =>
      (await post.left()).filter(({ spec }) => spec.of.namespace === namespace)
    try {
      const vpcs = await Promise.all(Array.from({ length: 10 }, (_, i) => makeVpc(store, `v${i}`, receiver.url, namespace)))
      for (const phase of ['pending', 'ready', 'error'] as const) await Promise.all(vpcs.map((vpc) => changePhase(store, vpc, phase)))
      await Promise.all(vpcs.map((vpc) => end(store, vpc)))
      await until(async () => (await mine()).length === 0, 'no Notice is left', 60_000)
      for (const vpc of vpcs) {
        assert.equal(await store.get(refOf(vpc)), undefined)
        assert.deepEqual(changesTaken(receiver.taken, vpc.metadata.uid), ['1 pending', '2 ready', '3 error', '4 deleted'])
      }
    } finally {
      await post.stop()
      await store.close()
      await receiver.close()
    }
  })
})
