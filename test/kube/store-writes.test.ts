// What the writes rely on of a real API server, and what they cost.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pauseMs } from 'node:timers/promises'
import { createdHere, type Write } from '../../core/contracts/store.ts'
import { Invalid, NamespaceTerminating, NotFound, Stale, StoreUnavailable, type MegrezError } from '../../core/errors.ts'
import { refOf, type Resource } from '../../core/kinds/index.ts'
import { fencedPodStatus, fencedStatus } from '../../core/plan/fence.ts'
import { openKubeStore } from '../../platform/store/kube/open.ts'
import type { KubeStore } from '../../platform/store/kube/kube.ts'
import { WatchRecorder } from '../laws/watch-recorder.ts'
import { installCrds, kubeconfigPath, kubectl, kubeSkip, newNamespace } from '../setup/kubectl.ts'
import { until } from '../setup/until.ts'

const stranger = '00000000-0000-4000-8000-000000000000'
const pause = { containers: [{ name: 'c', image: 'example.org/pause' }] }

/** What the work of `during` asked of the API server. */
async function cost(store: KubeStore, during: () => Promise<unknown>): Promise<Readonly<Record<string, number>>> {
  const before = store.requests
  await during()
  return Object.fromEntries(
    Object.entries(store.requests)
      .map(([key, count]) => [key, count - (before[key] ?? 0)])
      .filter(([, count]) => count !== 0),
  )
}

describe('writes to a real API server', { skip: kubeSkip }, () => {
  let store: KubeStore
  /** Bound to what Megrez's workers may do with pods: read them, and write their status. */
  let workers: KubeStore
  let namespace = ''
  before(async () => {
    await installCrds()
    namespace = await newNamespace('writes')
    store = await openKubeStore({ kubeconfig: String(kubeconfigPath) })
    workers = await openKubeStore({ kubeconfig: String(kubeconfigPath), context: 'workers' })
    const role = {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'Role',
      metadata: { name: 'pods-status', namespace },
      rules: [
        { apiGroups: [''], resources: ['pods'], verbs: ['get', 'list', 'watch'] },
        { apiGroups: [''], resources: ['pods/status'], verbs: ['patch'] },
      ],
    }
    await kubectl(['create', '-f', '-'], { input: JSON.stringify(role) })
    await kubectl([
      'create',
      'rolebinding',
      'pods-status',
      '--role=pods-status',
      '--serviceaccount=megrez-system:megrez-workers',
      '-n',
      namespace,
    ])
  })
  after(async () => {
    await store?.close()
    await workers?.close()
  })
  const port = (name: string, more: { finalizers?: readonly string[]; labels?: Readonly<Record<string, string>> } = {}) =>
    store.create<'Port'>({ kind: 'Port', metadata: { name, namespace, ...more }, spec: { subnet: 'blue' } })

  test('a pod gets our report and loses our finalizer through pods/status, by somebody who may not patch pods', async () => {
    const pod = await store.create<'Pod'>({
      kind: 'Pod',
      metadata: { name: 'reported', namespace, annotations: { theirs: 'stays' }, finalizers: ['example.org/other', 'megrez.io/notice'] },
      spec: pause,
    })
    const at = { pod: refOf(pod), uid: pod.metadata.uid }
    const writes: Write[] = [
      {
        do: 'patchPodStatus',
        ...at,
        annotations: { 'megrez.io/nic-status': '{}' },
        conditions: [{ type: 'megrez.io/NetworkReady', status: 'True', reason: 'Ready' }],
      },
      { do: 'removeFinalizer', ref: refOf(pod), uid: pod.metadata.uid, finalizer: 'megrez.io/notice' },
      { do: 'addFinalizer', ref: refOf(pod), uid: pod.metadata.uid, finalizer: 'megrez.io/port' },
    ]
    await workers.commit(writes)
    const reported = await store.get(refOf(pod))
    assert.deepEqual(reported?.metadata.annotations, { theirs: 'stays', 'megrez.io/nic-status': '{}' })
    assert.deepEqual(reported.metadata.finalizers, ['example.org/other', 'megrez.io/port'])
    assert.match(reported.status?.conditions?.find((each) => each.type === 'megrez.io/NetworkReady')?.lastTransitionTime ?? '', /^\d{4}-/)
    await store.delete(refOf(pod))
    await workers.commit([
      { do: 'removeFinalizer', ref: refOf(pod), uid: pod.metadata.uid, finalizer: 'megrez.io/port' },
      { do: 'removeFinalizer', ref: refOf(pod), uid: pod.metadata.uid, finalizer: 'example.org/other' },
    ])
    assert.equal(await store.get(refOf(pod)), undefined)
    assert.equal(workers.requests['patch pods'], undefined)
    await assert.rejects(workers.create({ kind: 'Pod', metadata: { name: 'no', namespace }, spec: pause }), StoreUnavailable)
  })

  test("a port's writes cost one request each where a watch shows it", async () => {
    const seen = await WatchRecorder.open(store, 'Port', { namespace, labels: 'cost' })
    const creating = await cost(store, async () => {
      await store.commit([
        { do: 'create', draft: { kind: 'IPLock', metadata: { name: 'v1-5-10-0-0-7', namespace }, spec: { vni: 5, address: '10.0.0.7' } } },
        {
          do: 'create',
          draft: {
            kind: 'Port',
            metadata: { name: 'costs', namespace, labels: { cost: '' }, finalizers: ['megrez.io/port'] },
            spec: { subnet: 'blue' },
          },
        },
        {
          do: 'patchStatus',
          ref: { kind: 'Port', namespace, name: 'costs' },
          uid: createdHere,
          sections: { report: { phase: 'pending', sequence: 1 }, address: { addresses: ['10.0.0.7'] } },
        },
      ])
    })
    assert.deepEqual(creating, { 'create iplocks': 1, 'create ports': 1, 'patch ports/status': 1 })
    await seen.until((log) => log.filter((line) => line === 'put costs').length === 2)
    const there = await store.get<'Port'>({ kind: 'Port', namespace, name: 'costs' })
    assert.ok(there)
    const ref = refOf(there)
    const { uid } = there.metadata
    assert.deepEqual(
      await cost(store, () => store.commit([{ do: 'patchStatus', ref, uid, sections: { report: { phase: 'ready', sequence: 2 } } }])),
      { 'patch ports/status': 1 },
    )
    await seen.until((log) => log.filter((line) => line === 'put costs').length === 3)
    await store.delete(ref)
    assert.deepEqual(await cost(store, () => store.commit([{ do: 'removeFinalizer', ref, uid, finalizer: 'megrez.io/port' }])), {
      'patch ports': 1,
    })
    await seen.until((log) => log.at(-1) === 'gone costs')
    await seen.close()
  })

  test('a status that stands as it was seen is not sent', async () => {
    const seen = await WatchRecorder.open(store, 'Port', { namespace, labels: 'same' })
    const made = await port('same', { labels: { same: '' } })
    const { resourceVersion } = (
      await store.patchStatus<'Port'>({ ref: refOf(made), uid: made.metadata.uid }, { report: { phase: 'ready' } })
    ).metadata
    await seen.until((log) => log.length === 3)
    const write: Write = {
      do: 'patchStatus',
      ref: refOf(made),
      uid: made.metadata.uid,
      resourceVersion,
      sections: { report: { phase: 'ready' } },
    }
    assert.deepEqual(await cost(store, () => store.commit([write])), {})
    await seen.close()
  })

  test('a fenced report costs one request, whatever its text is, and so does what a pod is told', async () => {
    const message = 'a <b> & "c"\\ \u2028 \u00e9 \ud83d\ude00'
    const made = await port('fenced-cost')
    const read = await store.patchStatus<'Port'>(
      { ref: refOf(made), uid: made.metadata.uid },
      { report: { phase: 'pending', sequence: 1, message } },
    )
    assert.deepEqual(await cost(store, () => store.commit([fencedStatus(read, { report: { phase: 'ready', sequence: 2, message } })])), {
      'patch ports/status': 1,
    })
    const seen = await WatchRecorder.open(store, 'Pod', { namespace, labels: 'told' })
    let pod = await store.create<'Pod'>({ kind: 'Pod', metadata: { name: 'told', namespace, labels: { told: '' } }, spec: pause })
    await store.commit([
      { do: 'patchPodStatus', pod: refOf(pod), uid: pod.metadata.uid, conditions: [{ type: 'PodScheduled', status: 'True' }] },
    ])
    for (const sequence of [1, 2]) {
      await until(async () => (pod = (await store.get(refOf(pod)))!).status?.conditions?.length === sequence, 'it is as it was left')
      await seen.until((log) => log.filter((line) => line === 'put told').length === sequence + 1)
      assert.deepEqual(
        await cost(store, () =>
          store.commit([
            fencedPodStatus(pod, { 'megrez.io/nic-status': JSON.stringify({ sequence, message }) }, [
              { type: 'megrez.io/NetworkReady', status: 'True', reason: 'Ready' },
            ]),
          ]),
        ),
        { 'patch pods/status': 1 },
      )
    }
    await seen.close()
    await store.delete(refOf(pod))
  })

  test('with an agent that writes its section ten times a second no report needs more than three tries', async () => {
    const agent = await openKubeStore({ kubeconfig: String(kubeconfigPath) })
    const made = await port('busy')
    const at = { ref: refOf(made), uid: made.metadata.uid }
    let wrote = 0
    let ends = false
    const telling = (async () => {
      for (; !ends; wrote++) {
        await agent.patchStatus<'Port'>(at, { node: { node: { wired: true, message: `${wrote}` } } })
        await pauseMs(100)
      }
    })()
    let most = 0
    for (let sequence = 1; sequence <= 30; sequence++) {
      const read = (await store.get(refOf(made)))!
      await pauseMs(50)
      const asked = await cost(store, () =>
        store.commit([fencedStatus(read, { report: { phase: sequence % 2 === 0 ? 'ready' : 'pending', sequence } })]),
      )
      most = Math.max(most, asked['patch ports/status'] ?? 0)
    }
    ends = true
    await telling
    await agent.close()
    assert.ok(most <= 3, `a report took ${most} tries`)
    assert.ok(wrote >= 10, `the agent wrote ${wrote} times`)
    assert.equal((await store.get(refOf(made)))?.status?.sequence, 30)
  })

  test('two that add and remove finalizers of one object at once end with each of what they wanted', async () => {
    const made = await port('rivals')
    const names = Array.from({ length: 5 }, (_, i) => `example.org/f${i}`)
    await Promise.all(names.map((finalizer) => store.commit([{ do: 'addFinalizer', ref: refOf(made), uid: made.metadata.uid, finalizer }])))
    assert.deepEqual([...((await store.get(refOf(made)))?.metadata.finalizers ?? [])].sort(), names)
    await Promise.all(
      names.map((finalizer) => store.commit([{ do: 'removeFinalizer', ref: refOf(made), uid: made.metadata.uid, finalizer }])),
    )
    assert.equal((await store.get(refOf(made)))?.metadata.finalizers, undefined)
  })

  test('a finalizer cannot be added while the object goes, and a delete says what keeps it', async () => {
    const made = await port('going', { finalizers: ['megrez.io/port'] })
    const kept = await store.delete(refOf(made), { uid: made.metadata.uid })
    assert.deepEqual(kept?.metadata.finalizers, ['megrez.io/port'])
    await assert.rejects(
      store.commit([{ do: 'addFinalizer', ref: refOf(made), uid: made.metadata.uid, finalizer: 'example.org/late' }]),
      Invalid,
    )
    await store.commit([{ do: 'removeFinalizer', ref: refOf(made), uid: made.metadata.uid, finalizer: 'megrez.io/port' }])
  })

  test('a delete that is no longer meant is done, one that comes too late is stale', async () => {
    const made = await port('meant')
    const newer = await store.update({ ...made, metadata: { ...made.metadata, labels: { x: 'y' } } })
    await store.commit([{ do: 'delete', ref: refOf(made), preconditions: { uid: stranger, resourceVersion: '1' } }])
    await assert.rejects(
      store.commit([
        { do: 'delete', ref: refOf(made), preconditions: { uid: made.metadata.uid, resourceVersion: made.metadata.resourceVersion } },
      ]),
      Stale,
    )
    await store.commit([
      { do: 'delete', ref: refOf(made), preconditions: { uid: made.metadata.uid, resourceVersion: newer.metadata.resourceVersion } },
    ])
    assert.equal(await store.get(refOf(made)), undefined)
  })

  test('a refusal names the field: of the schema, of a rule, of a field that is not known', async () => {
    const refused = async (spec: object): Promise<MegrezError> => {
      const err: unknown = await store
        .create<'Port'>({ kind: 'Port', metadata: { name: 'refused', namespace }, spec: spec as Resource<'Port'>['spec'] })
        .catch((caught: unknown) => caught)
      assert.ok(err instanceof Invalid, String(err))
      return err
    }
    assert.equal((await refused({ subnet: 'blue', type: 'wrong' })).at, '/spec/type')
    assert.match((await refused({ subnet: 'blue', ips: ['nonsense'] })).message, /each must be an IPv4 or IPv6 address/)
    assert.match((await refused({ subnet: 'blue', colour: 'red' })).message, /spec\.colour/)
    assert.equal(await store.get({ kind: 'Port', namespace, name: 'refused' }), undefined)
  })

  test('nothing is created in a namespace that goes, or that is not there', async () => {
    const going = await newNamespace('going')
    await kubectl(['delete', 'namespace', going, '--wait=false'])
    await until(async () => (await store.get({ kind: 'Namespace', name: going }))?.status?.phase === 'Terminating', 'the namespace goes')
    const draft = (where: string) => ({ kind: 'SecurityGroup', metadata: { name: 'late', namespace: where }, spec: {} }) as const
    await assert.rejects(store.create<'SecurityGroup'>(draft(going)), NamespaceTerminating)
    await assert.rejects(store.create<'SecurityGroup'>(draft('never-made')), NotFound)
  })

  test('an Event reads as kubectl shows it, and counts', async () => {
    const regarding = { apiVersion: 'megrez.io/v1alpha1', kind: 'Port', namespace, name: 'p', uid: stranger }
    const made = await store.create<'Event'>({
      kind: 'Event',
      metadata: { name: 'p.1', namespace },
      spec: {
        regarding,
        type: 'Warning',
        reason: 'SubnetFull',
        action: 'Allocate',
        note: 'Subnet blue is full',
        eventTime: '2026-11-21T10:00:00.123Z',
      },
    })
    assert.equal(made.spec.eventTime, '2026-11-21T10:00:00.123000Z')
    assert.equal(made.spec.count, undefined)
    const again = await store.update({ ...made, spec: { ...made.spec, count: 2 } })
    assert.equal(again.spec.count, 2)
    assert.match(await kubectl(['get', 'events', '-n', namespace]), /Warning\s+SubnetFull\s+port\/p\s+Subnet blue is full/)
    const { items } = await store.list('Event', { namespace })
    assert.deepEqual(
      items.map((item) => item.spec),
      [again.spec],
    )
  })
})
