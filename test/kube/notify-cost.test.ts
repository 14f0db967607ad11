// What being told costs: requests to a real API server for each change, by how many are told of it. docs/figures.md has the numbers.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { refOf, type Resource } from '../../core/kinds/index.ts'
import { noticeOf } from '../../core/plan/notices.ts'
import { checkedOf } from '../../core/plan/subscription.ts'
import type { KubeStore } from '../../platform/store/kube.ts'
import { openKubeStore } from '../../platform/store/kube-open.ts'
import { kubeconfigPath, kubectl, kubeSkip, newNamespace, tryKubectl } from '../setup/kubectl.ts'
import { until } from '../setup/until.ts'
import { makeVpc, openPost } from '../workers/notify-post.ts'
import { openReceiver } from '../workers/notify-receiver.ts'

const own = 'megrez-system'
const writes = (counts: Readonly<Record<string, number>>): number => Object.entries(counts).reduce((sum, [name, count]) => (/^(create|patch|delete|update) /.test(name) ? sum + count : sum), 0)
const reads = (counts: Readonly<Record<string, number>>): number => counts['get notices'] ?? 0

/** The kinds that this is about; the others are not followed. */
async function installThree(): Promise<void> {
  const names = ['vpcs', 'subscriptions', 'notices'].map((plural) => `${plural}.megrez.io`)
  await kubectl(['apply', '--server-side', '--force-conflicts', '--field-manager=megrez', ...names.flatMap((name) => ['-f', join(import.meta.dirname, `../../charts/megrez/files/crds/${name}.yaml`)])])
  await kubectl(['wait', '--for=condition=Established', '--timeout=30s', ...names.map((name) => `crd/${name}`)])
}

/** A Subscription that was checked, and whose credentials are copied. */
async function subscribe(store: KubeStore, namespace: string, sink: string, i: number): Promise<Resource<'Subscription'>> {
  const made = await store.create({ kind: 'Subscription', metadata: { namespace, name: `s${i}` }, spec: { sink: `${sink}/${i}` } })
  const copy = await store.create({ kind: 'Secret', metadata: { namespace: own, name: `copy-${namespace}-${i}` }, spec: { data: {} } })
  return store.patchStatus({ ref: { kind: 'Subscription', namespace, name: `s${i}` }, uid: made.metadata.uid }, { endpoint: { verified: checkedOf(made), credentials: copy.metadata.name } })
}

describe('what a change costs that somebody is told of', { skip: kubeSkip }, () => {
  for (const { told, most } of [{ told: 0, most: 2 }, { told: 1, most: 2 }, { told: 5, most: 4 }])
    test(`${told === 0 ? 'by its own callbackURL' : `by ${told} Subscriptions`}: at most ${most} writes beside the status`, async (t) => {
      await installThree()
      await tryKubectl(['create', 'namespace', own])
      const namespace = await newNamespace('cost')
      const store = await openKubeStore({ kubeconfig: String(kubeconfigPath) })
      t.after(() => store.close())
      const receiver = await openReceiver()
      t.after(() => receiver.close())
      const subscriptions = await Promise.all(Array.from({ length: told }, (_, i) => subscribe(store, namespace, receiver.url, i)))
      const vpcs = await Promise.all(Array.from({ length: 20 }, (_, i) => makeVpc(store, `v${i}`, told === 0 ? receiver.url : undefined, namespace)))
      const post = await openPost({ store, only: ['Vpc', 'Subscription', 'Notice'] })
      t.after(() => post.stop())
      const before = store.requests
      for (const vpc of vpcs) {
        const status = { phase: 'ready' as const, sequence: 1 }
        const notice = noticeOf({ ...vpc, status }, { namespace: own, subscriptions: () => subscriptions }, Date.now())!
        await store.commit([notice, { do: 'patchStatus', ref: refOf(vpc), uid: vpc.metadata.uid, sections: { report: status } }])
      }
      await until(async () => (await post.left()).every(({ spec }) => spec.of.namespace !== namespace), 'all is told', 60_000)
      const [wrote, read] = [(writes(store.requests) - writes(before)) / vpcs.length - 1, (reads(store.requests) - reads(before)) / vpcs.length]
      console.log(`told ${Math.max(1, told)}: ${wrote.toFixed(2)} writes and ${read.toFixed(2)} reads of Notices for each change, beside the status write`)
      assert.equal(receiver.taken.length, Math.max(1, told) * vpcs.length)
      assert.ok(wrote >= 1.9 && wrote <= most + 0.2, `${wrote} writes`)
    })
})
