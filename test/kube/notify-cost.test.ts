// What being told costs: requests to a real API server for each change, by how many are told of it. docs/figures.md has the numbers.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { refOf, type Resource } from '../../core/kinds/index.ts'
import { noticeOf } from '../../core/plan/notify/notices.ts'
import { checkedOf } from '../../core/plan/notify/subscription.ts'
import { KubeClient, type KubeRequest, type KubeApi } from '../../platform/kube/client.ts'
import { kubeconfigCredentials } from '../../platform/kube/credentials.ts'
import { KubeStore } from '../../platform/store/kube/kube.ts'
import { kubeconfigPath, kubectl, kubeSkip, newNamespace } from '../setup/kubectl.ts'
import { until } from '../setup/until.ts'
import { makeVpc, openPost } from '../workers/notify-post.ts'
import { openReceiver } from '../workers/notify-receiver.ts'

const verbs = ['create', 'patch', 'delete'] as const

/**
 * A store, and what it has asked about these namespaces: what other tests have left on the server is looked after too, and is not counted.
 */
async function openCounted(
  namespaces: readonly string[],
): Promise<{ readonly store: KubeStore; readonly asked: (verb: KubeRequest['verb'], resource?: string) => number }> {
  const client = new KubeClient(await kubeconfigCredentials(String(kubeconfigPath)))
  const asks: KubeRequest[] = []
  const counted: KubeApi = {
    ask: (ask, signal) => (asks.push(ask), client.ask(ask, signal)),
    open: (ask, signal) => client.open(ask, signal),
    as: (authorization) => client.as(authorization),
    get counts() {
      return client.counts
    },
    close: () => client.close(),
  }
  const isOurs = ({ path }: KubeRequest): boolean => namespaces.some((namespace) => path.includes(`/namespaces/${namespace}/`))
  const asked = (verb: KubeRequest['verb'], resource?: string): number =>
    asks.filter((ask) => ask.verb === verb && (resource ?? ask.resource) === ask.resource && isOurs(ask)).length
  return { store: new KubeStore(counted), asked }
}

/** The kinds that this is about; the others are not followed. */
async function installThree(): Promise<void> {
  const names = ['vpcs', 'subscriptions', 'notices'].map((plural) => `${plural}.megrez.io`)
  await kubectl([
    'apply',
    '--server-side',
    '--force-conflicts',
    '--field-manager=megrez',
    ...names.flatMap((name) => ['-f', join(import.meta.dirname, `../../charts/megrez/files/crds/${name}.yaml`)]),
  ])
  await kubectl(['wait', '--for=condition=Established', '--timeout=30s', ...names.map((name) => `crd/${name}`)])
}

/** A Subscription that was checked, and whose credentials are copied. */
async function subscribe(
  store: KubeStore,
  { namespace, own }: { readonly namespace: string; readonly own: string },
  sink: string,
  i: number,
): Promise<Resource<'Subscription'>> {
  const made = await store.create({ kind: 'Subscription', metadata: { namespace, name: `s${i}` }, spec: { sink: `${sink}/${i}` } })
  const copy = await store.create({ kind: 'Secret', metadata: { namespace: own, name: `copy-${namespace}-${i}` }, spec: { data: {} } })
  return store.patchStatus(
    { ref: { kind: 'Subscription', namespace, name: `s${i}` }, uid: made.metadata.uid },
    { endpoint: { verified: checkedOf(made), credentials: copy.metadata.name } },
  )
}

describe('what a change costs that somebody is told of', { skip: kubeSkip }, () => {
  for (const { told, most } of [
    { told: 0, most: 2 },
    { told: 1, most: 2 },
    { told: 5, most: 4 },
  ])
    test(`${told === 0 ? 'by its own callbackURL' : `by ${told} Subscriptions`}: at most ${most} writes beside the status`, async (t) => {
      await installThree()
      const [namespace, own] = [await newNamespace('cost'), await newNamespace('post')]
      const { store, asked } = await openCounted([namespace, own])
      t.after(() => store.close())
      const receiver = await openReceiver()
      t.after(() => receiver.close())
      const subscriptions = await Promise.all(Array.from({ length: told }, (_, i) => subscribe(store, { namespace, own }, receiver.url, i)))
      const vpcs = await Promise.all(
        Array.from({ length: 20 }, (_, i) => makeVpc(store, `v${i}`, told === 0 ? receiver.url : undefined, namespace)),
      )
      const post = await openPost({ store, config: { namespace: own }, only: ['Vpc', 'Subscription', 'Notice'] })
      t.after(() => post.stop())
      const written = (): number => verbs.reduce((sum, verb) => sum + asked(verb), 0)
      const before = written()
      for (const vpc of vpcs) {
        const status = { phase: 'ready' as const, sequence: 1 }
        const notice = noticeOf({ ...vpc, status }, { namespace: own, subscriptions: () => subscriptions }, Date.now())!
        await store.commit([notice, { do: 'patchStatus', ref: refOf(vpc), uid: vpc.metadata.uid, sections: { report: status } }])
      }
      await until(async () => (await post.left()).every(({ spec }) => spec.of.namespace !== namespace), 'all is told', 60_000)
      const [wrote, read] = [(written() - before) / vpcs.length - 1, asked('get', 'notices') / vpcs.length]
      console.log(
        `told ${Math.max(1, told)}: ${wrote.toFixed(2)} writes and ${read.toFixed(2)} reads of Notices for each change, beside the status write`,
      )
      assert.equal(receiver.taken.length, Math.max(1, told) * vpcs.length)
      assert.ok(wrote >= 1.9 && wrote <= most + 0.2, `${wrote} writes`)
    })
})
