import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { isRefusal, type Refusal } from '../../core/admit/refusal.ts'
import { nicsAnnotation } from '../../core/kinds/annotations.ts'
import type { Resource } from '../../core/kinds/index.ts'
import type { Store } from '../../core/contracts/store.ts'
import { admitPod, validatePod, type Validated } from '../../webhooks/admission/pods.ts'
import { catchUpOf } from '../../webhooks/admission/catch-up.ts'
import type { AdmittedPod } from '../../webhooks/admission/deps.ts'
import { furnish, openAdmission, podWith, type AdmissionTestServer } from './admission-test-server.ts'

let cluster: AdmissionTestServer
beforeEach(async () => {
  cluster = await openAdmission()
  await furnish(cluster)
})
afterEach(() => cluster.close())

const nicAt = (...steps: readonly (string | number)[]): string => ['/metadata/annotations/megrez.io~1nics', ...steps].join('/')
const pod = (nics: unknown, name = 'web', more: Partial<AdmittedPod['metadata']> = {}): AdmittedPod => {
  const made = podWith(nics)
  return { ...made, metadata: { ...made.metadata, name, uid: `uid-${name}`, ...more } }
}
const judge = (given: AdmittedPod, dryRun = false): Promise<Validated | Refusal> => validatePod(cluster.deps, given, { dryRun })
async function admitted(given: AdmittedPod, dryRun = false): Promise<readonly string[]> {
  const found = await judge(given, dryRun)
  return isRefusal(found) ? assert.fail(`${found.at}: ${found.message}`) : found.warnings
}
async function refused(given: AdmittedPod, at: string, says: RegExp): Promise<void> {
  const found = await judge(given)
  assert.ok(isRefusal(found), 'it was admitted')
  assert.equal(found.at, at)
  assert.match(found.message, says)
}
const locks = async (): Promise<readonly Resource<'IPLock'>[]> => (await cluster.store.list('IPLock')).items
const fixed = [{ subnet: 'front', ip: '10.0.0.9' }]
const controlledBy = (name: string) => ({
  ownerReferences: [{ apiVersion: 'apps/v1', kind: 'StatefulSet', name, uid: `uid-of-${name}`, controller: true }],
})

/** What a worker does once the pod is stored: the Port of its Nic has the lock. */
async function bind(name: string, owner: string): Promise<Resource<'Port'>> {
  const port = await cluster.make('Port', `a/${name}-eth0`, {
    subnet: 'front',
    ips: ['10.0.0.9'],
    podUID: `uid-${name}`,
    claim: { pod: name, nic: 'eth0', owner, podUID: `uid-${name}` },
  })
  const { reservation: _, ...spec } = (await locks())[0]!.spec
  await cluster.store.update({
    ...(await locks())[0]!,
    spec: { ...spec, holder: { kind: 'Port', namespace: 'a', name: port.metadata.name, uid: port.metadata.uid } },
  })
  await cluster.make('Pod', `a/${name}`, { containers: [] }, { metadata: { uid: `uid-${name}`, finalizers: ['example.org/kept'] } })
  return port
}

describe('a fixed address', () => {
  test('is kept for the pod, by the lock that is the right to it', async () => {
    assert.deepEqual(await admitted(pod(fixed)), [])
    const [lock] = await locks()
    assert.equal(lock?.metadata.name, 'v1-5000-10-0-0-9')
    assert.equal(lock?.metadata.namespace, 'a')
    assert.deepEqual(lock?.spec, {
      vni: 5000,
      address: '10.0.0.9',
      subnet: 'front',
      reservation: {
        namespace: 'a',
        owner: 'Pod/web',
        nic: 'eth0',
        podUID: 'uid-web',
        until: new Date(cluster.clock.now() + 30_000).toISOString(),
      },
    })
  })
  test('is not kept by a dry run', async () => {
    await admitted(pod(fixed), true)
    assert.deepEqual(await locks(), [])
  })
  test('a dry run is told of the pod that has it', async () => {
    await admitted(pod(fixed))
    assert.ok(isRefusal(await judge(pod(fixed, 'late'), true)))
  })
  test('is refused while it is kept for another pod', async () => {
    await admitted(pod(fixed))
    await refused(pod(fixed, 'late'), nicAt(0, 'ip'), /address 10.0.0.9 of Subnet front is taken by a reservation for Pod\/web/)
  })
  test("is nobody else's because a clock says that the reservation is over: workers end it", async () => {
    await admitted(pod(fixed))
    cluster.clock.advance(30_001)
    await refused(pod(fixed, 'late'), nicAt(0, 'ip'), /is taken by a reservation for Pod\/web/)
  })
  test('is taken over by the same owner and Nic: a create that a quota refused and that comes again', async () => {
    await admitted(pod(fixed, 'web-1', controlledBy('web')))
    await admitted(pod(fixed, 'web-2', controlledBy('web')))
    assert.equal((await locks())[0]?.spec.reservation?.podUID, 'uid-web-2')
  })
  test('is taken over by the next try of a generated name', async () => {
    await admitted(pod(fixed, 'web-abcde', { generateName: 'web-' }))
    await admitted(pod(fixed, 'web-fghij', { generateName: 'web-' }))
    assert.equal((await locks())[0]?.spec.reservation?.owner, 'Pod/web-')
  })
  test('is not taken over for another Nic', async () => {
    await admitted(pod(fixed, 'web-1', controlledBy('web')))
    await refused(pod([{ ip: '10.0.0.8' }, ...fixed], 'web-2', controlledBy('web')), nicAt(1, 'ip'), /reservation for StatefulSet\/web/)
  })
  test("is not taken over by the same owner's name in another namespace", async () => {
    await cluster.make('Vpc', 'b/shared', { sharedWith: ['a', 'c'] }, { sections: { segment: { vni: 6000 } } })
    await cluster.make(
      'Subnet',
      'b/common',
      { vpc: 'shared', ipv4: { cidr: '10.0.0.0/24' } },
      { sections: { segment: { validated: true } } },
    )
    const there = (namespace: string): AdmittedPod =>
      pod(undefined, 'web', { namespace, annotations: { 'megrez.io/vpc': 'b/shared', [nicsAnnotation]: '[{"ip":"10.0.0.9"}]' } })
    await admitted(there('a'))
    const found = await judge({ ...there('c'), metadata: { ...there('c').metadata, uid: 'another' } })
    assert.ok(isRefusal(found))
    assert.match(found.message, /is taken by another namespace$/)
  })
  test('that a running pod has is refused, by its name', async () => {
    await admitted(pod(fixed))
    await bind('web', 'Pod/web')
    await refused(pod(fixed, 'late'), nicAt(0, 'ip'), /is taken by pod web/)
  })
  test("that the same owner's ending pod has is waited for: a StatefulSet's replacement", async () => {
    await admitted(pod(fixed, 'web-0', controlledBy('web')))
    await bind('web-0', 'StatefulSet/web')
    const successor = pod(fixed, 'web-0', { ...controlledBy('web'), uid: 'uid-successor' })
    await refused(successor, nicAt(0, 'ip'), /is taken by pod web-0/)
    await cluster.store.delete({ kind: 'Pod', namespace: 'a', name: 'web-0' })
    const before = await locks()
    assert.match((await admitted(successor)).join(), /still held for pod web-0, which is going: the pod waits/)
    assert.deepEqual(await locks(), before)
  })
  test("that another owner's ending pod has is refused", async () => {
    await admitted(pod(fixed))
    await bind('web', 'Pod/web')
    await cluster.store.delete({ kind: 'Pod', namespace: 'a', name: 'web' })
    await refused(pod(fixed, 'late'), nicAt(0, 'ip'), /is taken by pod web/)
  })
  test('asked for again by the same pod changes nothing: reinvocation', async () => {
    await admitted(pod(fixed))
    const before = await locks()
    await admitted(pod(fixed))
    assert.deepEqual(await locks(), before)
  })
  test('where the VPC has no VNI yet is refused for now', async () => {
    await cluster.make('Vpc', 'a/young', { defaultSubnet: 'fresh' })
    await cluster.make('Subnet', 'a/fresh', { vpc: 'young', ipv4: { cidr: '10.0.0.0/24' } }, { sections: { segment: { validated: true } } })
    await refusedForNow('young', /Vpc young has no VNI yet/)
  })
  test("in a Subnet that is not validated is refused for now: its block may be another's", async () => {
    await cluster.make('Vpc', 'a/split', { defaultSubnet: 'late' }, { sections: { segment: { vni: 5_009 } } })
    await cluster.make(
      'Subnet',
      'a/late',
      { vpc: 'split', ipv4: { cidr: '10.0.0.0/24' } },
      { sections: { report: { phase: 'error', message: '10.0.0.0/24 overlaps' } } },
    )
    const before = await locks()
    await refusedForNow('split', /Subnet late is not validated: 10\.0\.0\.0\/24 overlaps/)
    assert.deepEqual(await locks(), before)
  })
})

async function refusedForNow(vpc: string, says: RegExp): Promise<void> {
  const found = await judge(
    pod([{ ips: ['10.0.0.9'] }], 'web', { annotations: { 'megrez.io/vpc': vpc, [nicsAnnotation]: '[{"ips":["10.0.0.9"]}]' } }),
  )
  assert.ok(isRefusal(found) && found.later)
  assert.match(found.message, says)
  assert.equal(found.at, nicAt(0, 'ips'))
}

describe('a fixed MAC', () => {
  test('is kept like an address', async () => {
    await admitted(pod([{ mac: '02:AA:00:00:00:01' }]))
    assert.deepEqual(
      (await locks()).map(({ metadata }) => metadata.name),
      ['mac-5000-02aa00000001'],
    )
    await refused(pod([{ mac: '02:aa:00:00:00:01' }], 'late'), nicAt(0, 'mac'), /MAC 02:aa:00:00:00:01 is taken/)
  })
  test("that is another address's own is refused", async () => {
    await refused(pod([{ mac: '06:00:00:07:13:88' }]), nicAt(0, 'mac'), /is the MAC of address 10\.0\.0\.7/)
  })
})

describe('a pre-made Port', () => {
  const asked = [{ portID: 'p-1' }]
  const port = async (): Promise<Resource<'Port'>> => (await cluster.store.get({ kind: 'Port', namespace: 'a', name: 'made' }))!
  beforeEach(() => cluster.make('Port', 'a/made', { subnet: 'front', portID: 'p-1' }))

  test('is claimed for the pod', async () => {
    await admitted(pod(asked))
    assert.deepEqual((await port()).spec.claim, {
      pod: 'web',
      nic: 'eth0',
      owner: 'Pod/web',
      podUID: 'uid-web',
      until: new Date(cluster.clock.now() + 30_000).toISOString(),
    })
  })
  test('is refused while it is in use', async () => {
    await admitted(pod(asked))
    await refused(pod(asked, 'late'), nicAt(0, 'portID'), /the Port with portID p-1 is in use by pod web/)
  })
  test('is taken over as an address is', async () => {
    await admitted(pod(asked, 'web-1', controlledBy('web')))
    await admitted(pod(asked, 'web-2', controlledBy('web')))
    assert.equal((await port()).spec.claim?.podUID, 'uid-web-2')
    cluster.clock.advance(30_001)
    assert.ok(isRefusal(await judge(pod(asked, 'stranger'))), 'workers end it, no clock of ours does')
  })
  test('that an ending pod of the same owner has is waited for', async () => {
    const { until: _, ...claim } = { pod: 'web-0', nic: 'eth0', owner: 'StatefulSet/web', podUID: 'uid-web-0', until: '' }
    await cluster.store.update({ ...(await port()), spec: { ...(await port()).spec, claim, podUID: 'uid-web-0' } })
    assert.match((await admitted(pod(asked, 'web-0', { ...controlledBy('web'), uid: 'uid-next' }))).join(), /still held for pod web-0/)
  })
  test('is not claimed by a dry run', async () => {
    await admitted(pod(asked), true)
    assert.equal((await port()).spec.claim, undefined)
  })
})

describe('all or nothing', () => {
  test('what was kept is given back when the rest cannot be had', async () => {
    await cluster.make('Port', 'a/made', { subnet: 'front', portID: 'p-1', podUID: 'somebody' })
    await refused(pod([...fixed, { mac: '02:aa:00:00:00:01' }, { portID: 'p-1' }]), nicAt(2, 'portID'), /in use by another pod/)
    assert.deepEqual(await locks(), [])
  })
  test('a claim is given back too', async () => {
    const made = await cluster.make('Port', 'a/made', { subnet: 'front', portID: 'p-1' })
    await cluster.make('Port', 'a/used', { subnet: 'front', portID: 'p-2', podUID: 'somebody' })
    // The order of taking is by UID: one of the two orders meets the claim first.
    for (const asked of [
      [{ portID: 'p-1' }, { portID: 'p-2' }],
      [{ portID: 'p-2' }, { portID: 'p-1' }],
    ])
      assert.ok(isRefusal(await judge(pod(asked))))
    assert.equal((await cluster.store.get({ kind: 'Port', namespace: 'a', name: 'made' }))?.spec.claim, undefined)
    assert.equal(made.spec.claim, undefined)
  })
  test('of many pods that want the same two things in any order, one at a time has both', async () => {
    const both = [
      { name: 'x', ip: '10.0.0.9' },
      { name: 'y', ip: '10.0.0.10' },
    ]
    const answers = await Promise.all(Array.from({ length: 40 }, (_, i) => judge(pod(i % 2 === 0 ? both : both.toReversed(), `p${i}`))))
    assert.equal(answers.filter((answer) => !isRefusal(answer)).length, 1)
    const uids = new Set((await locks()).map(({ spec }) => spec.reservation?.podUID))
    assert.equal((await locks()).length, 2)
    assert.equal(uids.size, 1)
  })
})

describe('a callback', () => {
  test('to a private address is refused at its annotation', async () => {
    const given = podWith([], { annotations: { 'megrez.io/callback-url': 'https://10.1.2.3/x' } })
    await refused(given, '/metadata/annotations/megrez.io~1callback-url', /10\.1\.2\.3 is/)
  })
})

describe('what is on its way', () => {
  test('is waited for a moment: a Subnet that is validated after the pod was sent', async () => {
    const news = catchUpOf(cluster.caches, cluster.clock)
    const given = podWith(undefined, { annotations: { 'megrez.io/vpc': 'new' } })
    const answer = admitPod({ ...cluster.deps, news }, given, 'a', { dryRun: false })
    await cluster.make('Vpc', 'a/new', {}, { sections: { segment: { vni: 7000 } } })
    await cluster.make('Subnet', 'a/fresh', { vpc: 'new', ipv4: { cidr: '10.0.0.0/24' } }, { sections: { segment: { validated: true } } })
    cluster.clock.advance(10)
    const found = await answer
    assert.ok(!isRefusal(found))
    assert.equal(found.pod.metadata.annotations?.[nicsAnnotation], '[{"name":"eth0","subnet":"fresh"}]')
  })
  test('is given up after a second', async () => {
    const news = catchUpOf(cluster.caches, cluster.clock)
    const answer = admitPod({ ...cluster.deps, news }, podWith(undefined, { annotations: { 'megrez.io/vpc': 'new' } }), 'a', {
      dryRun: false,
    })
    cluster.clock.advance(1_000)
    const found = await answer
    assert.ok(isRefusal(found))
    assert.equal(found.message, 'Vpc new not found')
  })
})

describe('a store that fails half way', () => {
  test('leaves nothing kept that could be given back', async () => {
    let creates = 0
    const failing = (store: Store): Store =>
      new Proxy(store, {
        get(target, name) {
          if (name === 'create' && ++creates === 2) return () => Promise.reject(new Error('cut off'))
          const value = Reflect.get(target, name) as unknown
          return typeof value === 'function' ? (value as (...given: unknown[]) => unknown).bind(target) : value
        },
      })
    const found = validatePod({ ...cluster.deps, store: failing(cluster.store) }, pod([{ ip: '10.0.0.9' }, { ip: '10.0.0.10' }]), {
      dryRun: false,
    })
    await assert.rejects(found, /cut off/)
    assert.deepEqual(await locks(), [])
  })
})
