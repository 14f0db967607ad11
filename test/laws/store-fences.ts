// Fences of a store: a report lands on what it was planned from, or nothing of it is written.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Stale } from '../../core/errors.ts'
import type { Store, Write } from '../../core/contracts/store.ts'
import { refOf, type Resource, type SpecOf, type StatusOf } from '../../core/kinds/index.ts'
import { fencedPodStatus, fencedStatus } from '../../core/plan/fence.ts'

interface Opened {
  readonly store: Store
  readonly namespace: string
}
type Sections = Readonly<Record<string, object>>
type Port = Resource<'Port'>

const nicStatus = 'megrez.io/nic-status'
const condition = { type: 'megrez.io/NetworkReady', status: 'True', reason: 'Ready' } as const
/** Spelled otherwise by Go than by JavaScript, and by none of them as it is. */
const exotic = 'a <b> & "c"\\ \u0008\u001f\u007f \u2028 \u00e9 \ud83d\ude00 / ~'

export function fenceLaws(opened: () => Opened): void {
  let count = 0
  const made = async (status?: Partial<StatusOf<'Port'>>, spec: Partial<SpecOf<'Port'>> = {}): Promise<Port> => {
    const { store, namespace } = opened()
    const port = await store.create<'Port'>({
      kind: 'Port',
      metadata: { name: `fenced-${count++}`, namespace, finalizers: ['megrez.io/test'] },
      spec: { subnet: 'blue', ...spec },
    })
    return status === undefined ? port : patched(port, sectionsOf(status))
  }
  const sectionsOf = ({ addresses, node, ...report }: Partial<StatusOf<'Port'>>): Sections => ({
    ...(Object.keys(report).length > 0 && { report }),
    ...(addresses && { address: { addresses } }),
    ...(node && { node: { node } }),
  })
  const patched = (port: Port, sections: Sections): Promise<Port> =>
    opened().store.patchStatus<'Port'>({ ref: refOf(port), uid: port.metadata.uid }, sections)
  const live = async <K extends 'Port' | 'Pod'>(item: Resource<K>): Promise<Resource<K>> => (await opened().store.get<K>(refOf(item)))!
  const commit = (...writes: readonly Write[]): Promise<void> => opened().store.commit(writes)
  const next: Sections = { report: { phase: 'ready', sequence: 2 }, address: { addresses: ['10.0.0.9'] } }

  test('a fenced report lands on an object that is as it was read, on one without a status too', async () => {
    for (const status of [
      undefined,
      { phase: 'pending' as const, sequence: 1 },
      { node: { wired: true } },
      { phase: 'pending' as const, sequence: 1, message: exotic, addresses: ['10.0.0.2', '10.0.0.3'] },
    ]) {
      const port = await made(status)
      await commit(fencedStatus(port, next))
      const { phase, sequence, addresses, message } = (await live(port)).status ?? {}
      assert.deepEqual([phase, sequence, addresses, message], ['ready', 2, ['10.0.0.9'], undefined])
    }
  })

  const before: Partial<StatusOf<'Port'>> = { phase: 'pending', sequence: 1, message: 'waits', addresses: ['10.0.0.2'] }
  const changes: Readonly<Record<string, (port: Port) => Promise<unknown>>> = {
    'its sequence has counted on': (port) => patched(port, { report: { phase: 'pending', sequence: 2, message: 'waits' } }),
    'a field of the report is another': (port) => patched(port, { report: { phase: 'pending', sequence: 1, message: 'waits on' } }),
    'a field of the report is gone': (port) => patched(port, { report: { phase: 'pending', sequence: 1 } }),
    'another section that it writes has come to something': (port) =>
      patched(port, { address: { addresses: ['10.0.0.2', '2001:db8::2'] } }),
    'its spec is another': (port) => opened().store.update({ ...port, spec: { ...port.spec, node: 'n1' } }),
    'it is being deleted': (port) => opened().store.delete(refOf(port)),
  }
  for (const [what, change] of Object.entries(changes))
    test(`promise 2: a fenced report changes nothing where ${what}`, async () => {
      const port = await made(before)
      await change(port)
      const changed = await live(port)
      await assert.rejects(commit(fencedStatus(port, next)), Stale)
      assert.deepEqual(await live(port), changed)
    })

  test('promise 2: a fenced report changes nothing where an object has got its first status since', async () => {
    const port = await made()
    await patched(port, { report: { phase: 'ready', sequence: 1 } })
    await assert.rejects(commit(fencedStatus(port, next)), Stale)
    assert.equal((await live(port)).status?.sequence, 1)
  })

  test('promise 2: a field gone out of an object within a section is a change', async () => {
    const { store, namespace } = opened()
    const made = await store.create<'Subscription'>({
      kind: 'Subscription',
      metadata: { name: 'fenced', namespace },
      spec: { sink: 'https://example.org/', profile: 'cloudevents' },
    })
    type Tested = NonNullable<StatusOf<'Subscription'>['tested']>
    const patch = (tested: Tested): Promise<Resource<'Subscription'>> =>
      store.patchStatus<'Subscription'>({ ref: refOf(made), uid: made.metadata.uid }, { endpoint: { tested } })
    const read = await patch({ id: 'one', time: '2026-01-01T00:00:00Z', outcome: 'passed', code: 200 })
    await patch({ id: 'one', time: '2026-01-01T00:00:00Z', outcome: 'passed' })
    await assert.rejects(
      store.commit([fencedStatus(read, { endpoint: { tested: { id: 'two', time: '2026-01-01T00:00:00Z', outcome: 'passed' } } })]),
      Stale,
    )
    assert.equal((await store.get(refOf(made)))?.status?.tested?.id, 'one')
  })

  test('a section of another writer, and what is no part of a report, hold no fenced report up', async () => {
    const port = await made(before)
    await patched(port, { node: { node: { wired: true } } })
    const { metadata, ...rest } = await live(port)
    await opened().store.update({ ...rest, metadata: { ...metadata, labels: { a: 'b' } } })
    await commit(fencedStatus(port, next))
    assert.deepEqual((await live(port)).status, { phase: 'ready', sequence: 2, addresses: ['10.0.0.9'], node: { wired: true } })
  })

  test('a fence has no say over a successor of the same name', async () => {
    const { store } = opened()
    const port = await made()
    await commit(
      { do: 'removeFinalizer', ref: refOf(port), uid: port.metadata.uid, finalizer: 'megrez.io/test' },
      { do: 'delete', ref: refOf(port) },
    )
    await store.create({ kind: 'Port', metadata: { name: port.metadata.name, namespace: port.metadata.namespace! }, spec: port.spec })
    await assert.rejects(commit(fencedStatus(port, next)), Stale)
  })

  test('a finalizer is taken off at the version that was read, or not at all', async () => {
    const port = await made(before)
    const write: Write = {
      do: 'removeFinalizer',
      ref: refOf(port),
      uid: port.metadata.uid,
      finalizer: 'megrez.io/test',
      resourceVersion: port.metadata.resourceVersion,
    }
    await patched(port, { node: { node: { wired: true } } })
    await assert.rejects(commit(write), Stale)
    const read = await live(port)
    assert.deepEqual(read.metadata.finalizers, ['megrez.io/test'])
    await commit({ ...write, resourceVersion: read.metadata.resourceVersion })
    assert.equal((await live(port)).metadata.finalizers, undefined)
    await commit({ ...write, resourceVersion: '1' })
  })

  test('a pod is told only what was planned from what it was told before', async () => {
    const { store, namespace } = opened()
    for (const annotations of [undefined, { theirs: 'stays' }]) {
      const pod = await store.create<'Pod'>({
        kind: 'Pod',
        metadata: { name: 'fenced', namespace, ...(annotations && { annotations }) },
        spec: { containers: [{ name: 'c', image: 'example.org/c' }] },
      })
      const first = JSON.stringify({ phase: 'pending', sequence: 1, message: exotic })
      await commit(fencedPodStatus(pod, { [nicStatus]: first }, [{ ...condition, status: 'False' }]))
      const told = await live(pod)
      await assert.rejects(commit(fencedPodStatus(pod, { [nicStatus]: '{"late":true}' }, [condition])), Stale)
      assert.deepEqual(await live(pod), told)
      // A kubelet writes beside it: other annotations, and conditions that move ours in the list.
      await commit({
        do: 'patchPodStatus',
        pod: refOf(pod),
        uid: pod.metadata.uid,
        annotations: { others: 'too' },
        conditions: [{ type: 'example.org/First', status: 'True' }],
      })
      await commit(fencedPodStatus(told, { [nicStatus]: '{"phase":"ready","sequence":2}' }, [condition]))
      const after = await live(pod)
      assert.deepEqual(after.metadata.annotations, { ...annotations, others: 'too', [nicStatus]: '{"phase":"ready","sequence":2}' })
      assert.deepEqual(after.status?.conditions?.map(({ type, status }) => `${type} ${status}`).sort(), [
        'example.org/First True',
        `${condition.type} True`,
      ])
      await store.delete(refOf(pod))
    }
  })
}
