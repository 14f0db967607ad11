// The API server of test/sim is held to a real one: the same requests, one after the other, are answered alike.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { realUids } from '../../platform/chance.ts'
import { realClock } from '../../platform/clock.ts'
import { KubeClient, type KubeResponse, type KubeRequest, type KubeApi } from '../../platform/kube/client.ts'
import { kubeconfigCredentials } from '../../platform/kube/credentials.ts'
import { SimulatedClient } from '../sim/kube-api/client.ts'
import { SimulatedApi } from '../sim/kube-api/server.ts'
import { installCrds, kubeconfigPath, kubeSkip, newNamespace } from '../setup/kubectl.ts'

/** What an answer is made of, of either server. */
interface Body {
  readonly kind?: string
  readonly reason?: string
  readonly details?: {
    readonly name?: string
    readonly kind?: string
    readonly causes?: readonly { readonly reason?: string; readonly field?: string }[]
  }
  readonly metadata?: {
    readonly uid?: string
    readonly resourceVersion?: string
    readonly generation?: number
    readonly labels?: object
    readonly annotations?: object
    readonly finalizers?: readonly string[]
    readonly deletionTimestamp?: string
    readonly deletionGracePeriodSeconds?: number
    readonly continue?: string
  }
  readonly items?: readonly { readonly metadata: { readonly name: string } }[]
  readonly spec?: object
  readonly status?: unknown
}

const stranger = '00000000-0000-4000-8000-000000000000'
const patchType = (type: string): Pick<KubeRequest, 'contentType'> => ({ contentType: `application/${type}-patch+json` })

/** The conversation; `said` are the answers so far, by the step's name. */
function steps(namespace: string): Readonly<Record<string, (said: Readonly<Record<string, Body>>) => KubeRequest>> {
  const all = `/apis/megrez.io/v1alpha1/namespaces/${namespace}/securitygroups`
  const groups = { resource: 'securitygroups', path: all }
  const one = (sub = '') => ({ resource: 'securitygroups', path: `${all}/g${sub}` })
  const pods = { resource: 'pods', path: `/api/v1/namespaces/${namespace}/pods` }
  const pod = (sub = '') => ({ resource: 'pods', path: `${pods.path}/p${sub}` })
  const body = {
    apiVersion: 'megrez.io/v1alpha1',
    kind: 'SecurityGroup',
    metadata: { name: 'g', labels: { a: 'b' }, finalizers: ['megrez.io/test'] },
    spec: { rules: [] },
    status: { phase: 'ready' },
  }
  const json = (operations: readonly object[], sub = ''): KubeRequest => ({
    verb: 'patch',
    ...one(sub),
    body: operations,
    ...patchType('json'),
  })
  const merge = (change: object, sub = ''): KubeRequest => ({ verb: 'patch', ...one(sub), body: change, ...patchType('merge') })
  const uidOf = (said: Readonly<Record<string, Body>>, step: string): string => said[step]?.metadata?.uid ?? ''
  return {
    created: () => ({ verb: 'create', ...groups, body }),
    'created twice': () => ({ verb: 'create', ...groups, body }),
    'created nowhere': () => ({
      verb: 'create',
      resource: 'securitygroups',
      path: '/apis/megrez.io/v1alpha1/namespaces/nowhere-at-all/securitygroups',
      body: { ...body, metadata: { name: 'g' } },
    }),
    'its absent status tested': () =>
      json([
        { op: 'test', path: '/status', value: null },
        { op: 'add', path: '/spec/rules', value: [{ direction: 'ingress' }] },
      ]),
    reported: (said) =>
      json(
        [
          { op: 'test', path: '/metadata/uid', value: uidOf(said, 'created') },
          { op: 'add', path: '/status', value: {} },
          { op: 'add', path: '/status/phase', value: 'ready' },
        ],
        '/status',
      ),
    'reported past the status endpoint': () => merge({ status: { phase: 'error' } }),
    'wanted past the status endpoint': () => merge({ spec: { rules: [] }, status: { phase: 'pending' } }, '/status'),
    'a test that fails': () => json([{ op: 'test', path: '/metadata/labels/a', value: 'c' }]),
    'a test of what is not there': () => json([{ op: 'test', path: '/metadata/annotations/none', value: 'c' }]),
    'nothing to remove': () => json([{ op: 'remove', path: '/metadata/annotations' }]),
    'nothing to add to': () => json([{ op: 'add', path: '/spec/none/at', value: 1 }]),
    'moved and copied': () =>
      json([
        { op: 'copy', from: '/metadata/labels/a', path: '/metadata/labels/c' },
        { op: 'move', from: '/metadata/labels/a', path: '/metadata/labels/d' },
      ]),
    'another UID': () => merge({ metadata: { uid: stranger }, spec: { rules: [] } }),
    'an old version': (said) => merge({ metadata: { resourceVersion: said['created']?.metadata?.resourceVersion }, spec: {} }),
    'a strategic patch of a custom kind': () => ({ verb: 'patch', ...one(), body: {}, ...patchType('strategic-merge') }),
    labelled: () => merge({ metadata: { labels: { a: null, e: 'f' }, annotations: { n: 'o' } } }),
    'labelled alike': () => merge({ metadata: { labels: { e: 'f' }, annotations: {} } }),
    'annotations emptied': () =>
      json([
        { op: 'add', path: '/metadata/annotations', value: {} },
        { op: 'add', path: '/metadata/ownerReferences', value: [] },
      ]),
    'listed by label': () => ({ verb: 'list', ...groups, query: { labelSelector: 'e in (f,g),!a' } }),
    'listed by name': () => ({ verb: 'list', ...groups, query: { fieldSelector: 'metadata.name=none' } }),
    'listed by no selector': () => ({ verb: 'list', ...groups, query: { labelSelector: 'a in (b' } }),
    'listed by a field that is not offered': () => ({ verb: 'list', ...groups, query: { fieldSelector: 'spec.rules=x' } }),
    'listed of an unknown kind': () => ({
      verb: 'list',
      resource: 'nobodies',
      path: `/apis/megrez.io/v1alpha1/namespaces/${namespace}/nobodies`,
    }),
    'another created': () => ({ verb: 'create', ...groups, body: { ...body, metadata: { name: 'h' } } }),
    'the first page': () => ({ verb: 'list', ...groups, query: { limit: '1' } }),
    'the second page': (said) => ({ verb: 'list', ...groups, query: { limit: '1', continue: said['the first page']?.metadata?.continue } }),
    'deleted by another UID': () => ({ verb: 'delete', ...one(), body: { preconditions: { uid: stranger } } }),
    'deleted as a dry run': () => ({ verb: 'delete', ...one(), query: { dryRun: 'All' } }),
    'deleted without finalizers': () => ({ verb: 'delete', ...groups, path: `${all}/h` }),
    deleted: (said) => ({ verb: 'delete', ...one(), body: { preconditions: { uid: uidOf(said, 'created') } } }),
    'deleted twice': () => ({ verb: 'delete', ...one() }),
    'held again': () => json([{ op: 'add', path: '/metadata/finalizers/-', value: 'megrez.io/late' }]),
    'let go': () =>
      json([
        { op: 'test', path: '/metadata/finalizers/0', value: 'megrez.io/test' },
        { op: 'remove', path: '/metadata/finalizers/0' },
      ]),
    'asked for once gone': () => ({ verb: 'get', ...one() }),
    'deleted once gone': () => ({ verb: 'delete', ...one() }),
    'patched once gone': () => merge({ spec: {} }),
    'a pod': () => ({
      verb: 'create',
      ...pods,
      body: {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'p', annotations: { theirs: 'stays' }, finalizers: ['megrez.io/test'] },
        spec: { containers: [{ name: 'c', image: 'example.org/c' }] },
      },
    }),
    'its status': (said) => ({
      verb: 'patch',
      ...pod('/status'),
      body: {
        metadata: { uid: uidOf(said, 'a pod'), annotations: { ours: 'x' } },
        status: { conditions: [{ type: 'megrez.io/NetworkReady', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' }] },
      },
      ...patchType('strategic-merge'),
    }),
    'its status by another UID': () => ({
      verb: 'patch',
      ...pod('/status'),
      body: { metadata: { uid: stranger } },
      ...patchType('strategic-merge'),
    }),
    'its finalizer by its status': () => ({
      verb: 'patch',
      ...pod('/status'),
      body: [{ op: 'remove', path: '/metadata/finalizers' }],
      ...patchType('json'),
    }),
    'the pod deleted': () => ({ verb: 'delete', ...pod() }),
    'the pod once gone': () => ({ verb: 'get', ...pod() }),
    'the namespace deleted': () => ({ verb: 'delete', resource: 'namespaces', path: `/api/v1/namespaces/${namespace}` }),
    'created in a namespace that ends': () => ({ verb: 'create', ...groups, body }),
  }
}

const ours = ['phase', 'conditions']
const statusOf = (body: Body): unknown =>
  body.kind === 'SecurityGroup'
    ? body.status
    : typeof body.status === 'object' && body.status !== null
      ? Object.fromEntries(Object.entries(body.status).filter(([name]) => ours.includes(name)))
      : body.status

/** Whose version was given out last, so that it shows what was written. */
function isWritten({ metadata: { uid = '', resourceVersion = '' } = {} }: Body, versions: Map<string, string>): boolean {
  const written = uid !== '' && versions.get(uid) !== resourceVersion
  if (uid !== '') versions.set(uid, resourceVersion)
  return written
}

const refusalOf = ({ kind, reason, details: { name, kind: of, causes = [] } = {} }: Body): object =>
  kind === 'Status' ? { reason, name, of, causes: [...new Set(causes.map((cause) => `${cause.reason} ${cause.field}`))] } : {}
const wishOf = ({ kind, metadata: { labels, generation } = {}, spec }: Body): object =>
  kind === 'SecurityGroup' ? { labels, generation, spec } : {}

/** What either server may say in its own way is left out: times, UIDs, prose, defaults of pods. */
function essence({ status, body }: KubeResponse, versions: Map<string, string>): object {
  const said = body as Body
  const { annotations, finalizers, deletionTimestamp, deletionGracePeriodSeconds, continue: more = '' } = said.metadata ?? {}
  return {
    status,
    kind: said.kind,
    refused: refusalOf(said),
    written: isWritten(said, versions),
    finalizers,
    annotations,
    deleting: deletionTimestamp !== undefined,
    deletionGracePeriodSeconds,
    wish: wishOf(said),
    reported: statusOf(said),
    items: said.items?.map(({ metadata }) => metadata.name),
    more: more !== '',
  }
}

async function conversation(client: KubeApi, namespace: string): Promise<Record<string, object>> {
  const said: Record<string, Body> = {}
  const versions = new Map<string, string>()
  const told: Record<string, object> = {}
  for (const [name, ask] of Object.entries(steps(namespace))) {
    const answer = await client.ask(ask(said))
    said[name] = answer.body as Body
    told[name] = JSON.parse(
      JSON.stringify(essence(answer, versions)).replaceAll(namespace, 'the-namespace').replaceAll('"lastProbeTime":null,', ''),
    ) as object
  }
  return told
}

describe('the simulated API server', { skip: kubeSkip }, () => {
  test('answers as a real one does', async () => {
    await installCrds()
    const real = new KubeClient(await kubeconfigCredentials(String(kubeconfigPath)))
    const api = new SimulatedApi({ clock: realClock, uids: realUids })
    await api.serve(
      { verb: 'create', resource: 'namespaces', path: '/api/v1/namespaces', body: { metadata: { name: 'simulated' } } },
      'admin',
    )
    const wanted = await conversation(real, await newNamespace('simulated'))
    const found = await conversation(new SimulatedClient(api, { by: 'test' }), 'simulated')
    await real.close()
    const differing = Object.keys(wanted).filter((name) => !isDeepStrictEqual(found[name], wanted[name]))
    assert.deepEqual(
      differing.map((name) => ({ name, answer: found[name] })),
      differing.map((name) => ({ name, answer: wanted[name] })),
    )
  })
})
