// The Store contract as a suite: every store passes it, and the tests quote the contract's promises by number.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { AlreadyExists, Invalid, NotFound, Stale } from '../../core/errors.ts'
import { createdHere, type Draft, type Store, type Write } from '../../core/contracts/store.ts'
import { refOf, type Ref, type Resource } from '../../core/kinds/index.ts'
import { WatchRecorder } from './watch-recorder.ts'
import { fenceLaws } from './store-fences.ts'

export interface Opened {
  readonly store: Store
  /** Exists, and is this test file's own. */
  readonly namespace: string
  readonly end: () => Promise<void>
}

const finalizer = 'megrez.io/test'
const random = (): string => randomBytes(4).toString('hex')

export function storeLaws(name: string, open: () => Promise<Opened>): void {
  describe(`store laws: ${name}`, () => {
    let opened: Opened
    let store: Store
    const group = (given: string, more: Partial<Draft<'SecurityGroup'>['metadata']> = {}): Draft<'SecurityGroup'> => ({
      kind: 'SecurityGroup',
      metadata: { name: given, namespace: opened.namespace, ...more },
      spec: { rules: [] },
    })
    const refTo = (given: string): Ref<'SecurityGroup'> => ({ kind: 'SecurityGroup', namespace: opened.namespace, name: given })
    before(async () => {
      opened = await open()
      store = opened.store
    })
    after(() => opened.end())

    test('a created object is read back with identity, generation 1 and its spec', async () => {
      const made = await store.create(group('made', { labels: { a: 'b' }, annotations: { c: 'd' }, finalizers: [] }))
      assert.equal(made.apiVersion, 'megrez.io/v1alpha1')
      assert.equal(made.kind, 'SecurityGroup')
      assert.equal(made.metadata.generation, 1)
      assert.match(made.metadata.uid, /^[0-9a-f-]{36}$/)
      assert.deepEqual(made.metadata.labels, { a: 'b' })
      assert.deepEqual(await store.get(refTo('made')), made)
      assert.equal(await store.get(refTo('nobody')), undefined)
    })

    test('promise 1: of many creates of one name exactly one succeeds', async () => {
      const tries = await Promise.allSettled(Array.from({ length: 12 }, () => store.create(group('lock'))))
      assert.equal(tries.filter((each) => each.status === 'fulfilled').length, 1)
      for (const each of tries) if (each.status === 'rejected') assert.ok(each.reason instanceof AlreadyExists, String(each.reason))
    })

    test('promises 2 and 7: an update needs the version it was read at, counts the generation, and changes nothing when nothing differs', async () => {
      const first = await store.create(group('updated'))
      const second = await store.update({ ...first, spec: { rules: [{ direction: 'ingress' }] } })
      assert.equal(second.metadata.generation, 2)
      assert.notEqual(second.metadata.resourceVersion, first.metadata.resourceVersion)
      await assert.rejects(store.update({ ...first, spec: { rules: [] } }), Stale)
      await assert.rejects(
        store.update({ ...second, metadata: { ...second.metadata, uid: '00000000-0000-4000-8000-000000000000' } }),
        Stale,
      )
      const labelled = await store.update({ ...second, metadata: { ...second.metadata, labels: { x: 'y' } } })
      assert.equal(labelled.metadata.generation, 2)
      const again = await store.update(labelled)
      assert.equal(again.metadata.resourceVersion, labelled.metadata.resourceVersion)
      await assert.rejects(store.update({ ...first, metadata: { ...first.metadata, name: 'never-made' } }), NotFound)
    })

    test('promise 7: a status section is replaced whole, the others stay, the generation too', async () => {
      const port = await store.create<'Port'>({
        kind: 'Port',
        metadata: { name: 'sections', namespace: opened.namespace },
        spec: { subnet: 'blue' },
      })
      const at = { ref: refOf(port), uid: port.metadata.uid }
      await store.patchStatus<'Port'>(at, {
        report: { phase: 'pending', message: 'waiting', sequence: 1 },
        address: { addresses: ['10.0.0.2'], mac: '02:00:00:00:00:01' },
      })
      await store.patchStatus<'Port'>(at, { node: { node: { wired: true, message: 'up' } } })
      const third = await store.patchStatus<'Port'>(at, { report: { phase: 'ready', sequence: 2 }, node: { node: { wired: false } } })
      assert.deepEqual(third.status, {
        phase: 'ready',
        sequence: 2,
        addresses: ['10.0.0.2'],
        mac: '02:00:00:00:00:01',
        node: { wired: false },
      })
      assert.equal(third.metadata.generation, 1)
      const same = await store.patchStatus<'Port'>(at, { report: { phase: 'ready', sequence: 2 } })
      assert.equal(same.metadata.resourceVersion, third.metadata.resourceVersion)
      await assert.rejects(
        store.patchStatus<'Port'>({ ...at, uid: '00000000-0000-4000-8000-000000000000' }, { report: { phase: 'error' } }),
        Stale,
      )
      await assert.rejects(
        store.patchStatus<'Port'>({ ...at, resourceVersion: port.metadata.resourceVersion }, { report: { phase: 'error' } }),
        Stale,
      )
      await assert.rejects(store.patchStatus<'Port'>(at, { report: { addresses: ['10.0.0.9'] } }), Invalid)
      await assert.rejects(store.patchStatus<'Port'>(at, { nonsense: { phase: 'error' } }), Invalid)
      assert.equal((await store.get(refOf(port)))?.status?.phase, 'ready')
    })

    test('promise 5: an object with finalizers goes when the last one does', async () => {
      const made = await store.create(group('kept', { finalizers: [finalizer, `${finalizer}-2`] }))
      const going = await store.delete(refTo('kept'), { uid: made.metadata.uid })
      assert.notEqual(going?.metadata.deletionTimestamp, undefined)
      await store.commit([{ do: 'removeFinalizer', ref: refTo('kept'), uid: made.metadata.uid, finalizer }])
      assert.deepEqual((await store.get(refTo('kept')))?.metadata.finalizers, [`${finalizer}-2`])
      await assert.rejects(store.commit([{ do: 'addFinalizer', ref: refTo('kept'), uid: made.metadata.uid, finalizer: 'megrez.io/late' }]))
      await store.commit([{ do: 'removeFinalizer', ref: refTo('kept'), uid: made.metadata.uid, finalizer: `${finalizer}-2` }])
      assert.equal(await store.get(refTo('kept')), undefined)
      await store.commit([{ do: 'removeFinalizer', ref: refTo('kept'), uid: made.metadata.uid, finalizer }])
      const next = await store.create(group('kept'))
      assert.notEqual(next.metadata.uid, made.metadata.uid)
    })

    test('a finalizer is added once, and only to the object that is meant', async () => {
      const made = await store.create(group('finalized'))
      const write: Write = { do: 'addFinalizer', ref: refTo('finalized'), uid: made.metadata.uid, finalizer }
      await store.commit([write])
      await store.commit([write])
      assert.deepEqual((await store.get(refTo('finalized')))?.metadata.finalizers, [finalizer])
      await assert.rejects(store.commit([{ ...write, uid: '00000000-0000-4000-8000-000000000000', finalizer: 'megrez.io/other' }]), Stale)
      await store.commit([{ ...write, do: 'removeFinalizer' }])
      await store.delete(refTo('finalized'))
    })

    test('promise 2: a delete names the object it means', async () => {
      const made = await store.create(group('deleted'))
      await assert.rejects(store.delete(refTo('deleted'), { uid: '00000000-0000-4000-8000-000000000000' }), Stale)
      const newer = await store.update({ ...made, spec: {} })
      await assert.rejects(
        store.delete(refTo('deleted'), { uid: made.metadata.uid, resourceVersion: made.metadata.resourceVersion }),
        Stale,
      )
      // As a write of a commit another object of that name is simply not meant.
      await store.commit([{ do: 'delete', ref: refTo('deleted'), preconditions: { uid: '00000000-0000-4000-8000-000000000000' } }])
      assert.notEqual(await store.get(refTo('deleted')), undefined)
      assert.equal(
        await store.delete(refTo('deleted'), { uid: made.metadata.uid, resourceVersion: newer.metadata.resourceVersion }),
        undefined,
      )
      await assert.rejects(store.delete(refTo('deleted')), NotFound)
      await store.commit([{ do: 'delete', ref: refTo('deleted') }])
    })

    test('what is to be in a namespace, and names none, is refused', async () => {
      for (const namespace of [undefined, ''])
        await assert.rejects(
          store.create({ ...group('nowhere'), metadata: { ...group('nowhere').metadata, namespace: namespace! } }),
          Invalid,
        )
    })

    test('promise 6: a commit is in order and stops at the first refusal', async () => {
      await store.create(group('taken'))
      await assert.rejects(
        store.commit([
          { do: 'create', draft: group('taken') as unknown as Draft },
          { do: 'create', draft: group('after-refusal') as unknown as Draft },
        ]),
        AlreadyExists,
      )
      assert.equal(await store.get(refTo('after-refusal')), undefined)
      await store.commit([
        {
          do: 'create',
          draft: { ...group('fresh'), metadata: { ...group('fresh').metadata, finalizers: [finalizer] } } as unknown as Draft,
        },
        { do: 'patchStatus', ref: refTo('fresh'), uid: createdHere, sections: { report: { phase: 'ready', sequence: 1 } } },
      ])
      const fresh = await store.get(refTo('fresh'))
      assert.equal(fresh?.status?.phase, 'ready')
      await assert.rejects(
        store.commit([{ do: 'patchStatus', ref: refTo('fresh'), uid: createdHere, sections: { report: { phase: 'error' } } }]),
        Stale,
      )
      await store.commit([
        { do: 'removeFinalizer', ref: refTo('fresh'), uid: fresh?.metadata.uid ?? '', finalizer },
        { do: 'delete', ref: refTo('fresh') },
      ])
      assert.equal(await store.get(refTo('fresh')), undefined)
    })

    test('lists select by namespace, labels and fields, in order and in pages', async () => {
      const label = `page-${random()}`
      for (const i of [3, 1, 2, 5, 4])
        await store.create(group(`page-${i}`, { labels: { [label]: i % 2 === 0 ? 'even' : 'odd', all: 'yes' } }))
      const within = { namespace: opened.namespace, labels: label }
      const names = (items: readonly Resource[]): string[] => items.map((item) => item.metadata.name)
      assert.deepEqual(names((await store.list('SecurityGroup', within)).items), ['page-1', 'page-2', 'page-3', 'page-4', 'page-5'])
      assert.deepEqual(names((await store.list('SecurityGroup', { ...within, labels: `${label}=even` })).items), ['page-2', 'page-4'])
      assert.deepEqual(names((await store.list('SecurityGroup', { ...within, labels: `${label} in (odd),all!=no` })).items), [
        'page-1',
        'page-3',
        'page-5',
      ])
      assert.deepEqual(names((await store.list('SecurityGroup', { ...within, labels: `${label},!all` })).items), [])
      assert.deepEqual(
        names((await store.list('SecurityGroup', { namespace: opened.namespace, fields: { '.metadata.name': 'page-3' } })).items),
        ['page-3'],
      )
      const first = await store.list('SecurityGroup', { ...within, limit: 2 })
      const second = await store.list('SecurityGroup', { ...within, limit: 2, continue: first.continue ?? '' })
      const third = await store.list('SecurityGroup', { ...within, limit: 2, continue: second.continue ?? '' })
      assert.deepEqual(
        [first, second, third].flatMap((page) => names(page.items)),
        ['page-1', 'page-2', 'page-3', 'page-4', 'page-5'],
      )
      assert.equal(third.continue, undefined)
      assert.equal(third.resourceVersion, first.resourceVersion)
      await assert.rejects(store.list('SecurityGroup', { ...within, labels: '=' }), Invalid)
      await assert.rejects(store.list('SecurityGroup', { namespace: opened.namespace, fields: { '.spec.rules': 'x' } }), Invalid)
    })

    test('lists and watches select by a selectable field of the kind', async () => {
      const vni = 1_000_000 + Math.floor(Math.random() * 1_000_000)
      const lock = (given: string, of: number): Draft<'IPLock'> => ({
        kind: 'IPLock',
        metadata: { name: given, namespace: opened.namespace },
        spec: { vni: of, address: '10.0.0.9' },
      })
      const seen = await WatchRecorder.open(store, 'IPLock', { fields: { '.spec.vni': String(vni) } })
      await store.create(lock('field-1', vni))
      await store.create(lock('field-2', vni + 1))
      await store.create(lock('field-3', vni))
      await seen.until((log) => log.includes('put field-3'))
      assert.deepEqual(seen.log, ['all', 'put field-1', 'put field-3'])
      const page = await store.list('IPLock', { fields: { '.spec.vni': String(vni) } })
      assert.deepEqual(
        page.items.map((item) => item.metadata.name),
        ['field-1', 'field-3'],
      )
      await seen.close()
    })

    test('promise 4: a watch begins with all, then gives every step in order, to the end', async () => {
      await store.create(group('seen-0', { labels: { watch: 'one' } }))
      const seen = await WatchRecorder.open(store, 'SecurityGroup', { namespace: opened.namespace, labels: 'watch=one' })
      assert.deepEqual(seen.log, ['all seen-0'])
      const made = await store.create(group('seen-1', { labels: { watch: 'one' }, finalizers: [finalizer] }))
      await store.create(group('seen-other', { labels: { watch: 'two' } }))
      await store.delete(refTo('seen-1'))
      await store.commit([{ do: 'removeFinalizer', ref: refTo('seen-1'), uid: made.metadata.uid, finalizer }])
      const zero = await store.get(refTo('seen-0'))
      assert.ok(zero)
      await store.update({ ...zero, metadata: { ...zero.metadata, labels: { watch: 'three' } } })
      await seen.until((log) => log.includes('gone seen-0'))
      // Leaving the selection is going, too.
      assert.deepEqual(seen.log, ['all seen-0', 'put seen-1', 'put seen-1', 'gone seen-1', 'gone seen-0'])
      await seen.close()
    })

    test('promise 4: an object made anew under the same name is gone before it comes', async () => {
      const seen = await WatchRecorder.open(store, 'SecurityGroup', { namespace: opened.namespace, labels: 'again' })
      await store.create(group('again', { labels: { again: '' } }))
      await store.delete(refTo('again'))
      await store.create(group('again', { labels: { again: '' } }))
      await seen.until((log) => log.filter((line) => line === 'put again').length === 2)
      assert.deepEqual(seen.log, ['all', 'put again', 'gone again', 'put again'])
      await seen.close()
    })

    test('promise 4: a watch from a version goes on there without telling everything again', async () => {
      const { resourceVersion } = await store.list('SecurityGroup', { namespace: opened.namespace })
      await store.create(group('resumed', { labels: { resumed: '' } }))
      const seen = await WatchRecorder.open(
        store,
        'SecurityGroup',
        { namespace: opened.namespace, labels: 'resumed', from: resourceVersion },
        (log) => log.includes('put resumed'),
      )
      assert.deepEqual(seen.log, ['put resumed'])
      await seen.close()
    })

    test('promise 4: a watch from long ago misses nothing, told one by one or with all', async () => {
      await store.create(group('long-ago', { labels: { 'long-ago': '' } }))
      const seen = await WatchRecorder.open(
        store,
        'SecurityGroup',
        { namespace: opened.namespace, labels: 'long-ago', from: '1' },
        (log) => log.length > 0,
      )
      assert.ok(['all long-ago', 'put long-ago'].includes(seen.log[0] ?? ''), seen.log[0])
      await seen.close()
    })

    test('a cluster kind has no namespace', async () => {
      const given = `laws-${random()}`
      const lock = await store.create<'SegmentLock'>({
        kind: 'SegmentLock',
        metadata: { name: given },
        spec: { vni: 77, holder: { kind: 'Vpc', namespace: opened.namespace, name: 'x', uid: 'y' } },
      })
      assert.equal(lock.metadata.namespace, undefined)
      assert.deepEqual(await store.get({ kind: 'SegmentLock', name: given }), lock)
      await store.delete({ kind: 'SegmentLock', name: given })
    })

    fenceLaws(() => opened)

    test('our report on a pod leaves what others wrote', async () => {
      const pod = await store.create<'Pod'>({
        kind: 'Pod',
        metadata: { name: 'reported', namespace: opened.namespace, annotations: { theirs: 'stays' } },
        spec: { containers: [{ name: 'c', image: 'example.org/c' }] },
      })
      const at = { pod: refOf(pod), uid: pod.metadata.uid }
      await store.commit([
        {
          do: 'patchPodStatus',
          ...at,
          annotations: { 'megrez.io/nic-status': '{}', 'megrez.io/other': 'x' },
          conditions: [{ type: 'megrez.io/NetworkReady', status: 'False', reason: 'Waiting' }],
        },
      ])
      await store.commit([
        {
          do: 'patchPodStatus',
          ...at,
          annotations: { 'megrez.io/other': null },
          conditions: [{ type: 'megrez.io/NetworkReady', status: 'True', reason: 'Ready' }],
        },
      ])
      const reported = await store.get(refOf(pod))
      assert.equal(reported?.metadata.annotations?.['theirs'], 'stays')
      assert.equal(reported.metadata.annotations['megrez.io/nic-status'], '{}')
      assert.equal(reported.metadata.annotations['megrez.io/other'], undefined)
      assert.deepEqual(
        reported.status?.conditions?.filter((each) => each.type === 'megrez.io/NetworkReady').map((each) => each.status),
        ['True'],
      )
      await assert.rejects(
        store.commit([{ do: 'patchPodStatus', ...at, uid: '00000000-0000-4000-8000-000000000000', annotations: { a: 'b' } }]),
        Stale,
      )
      await store.delete(refOf(pod))
    })
  })
}
