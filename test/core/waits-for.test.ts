// What plans wait for, by which they are woken: typed, and of the very thing that is missing.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Resource, SpecOf } from '../../core/kinds/index.ts'
import { addressLockNameOf, macLockName, portIDLockName, vlanLockName, vniLockName } from '../../core/net/names.ts'
import { planL2Service } from '../../core/plan/l2/service.ts'
import type { WaitsFor } from '../../core/plan/plan.ts'
import { planPod } from '../../core/plan/pod/pod.ts'
import { planPort, type PortDesired } from '../../core/plan/builtin/port.ts'
import { planVpc } from '../../core/plan/builtin/vpc.ts'
import { t0, thing } from './plan-things.ts'

const other = { kind: 'Port', namespace: 'a', name: 'other', uid: 'uid-other' }
const both = { vpc: 'blue', ipv4: { cidr: '10.0.0.0/24' }, ipv6: { cidr: '2001:db8::/64' } }

function waitsOf(spec: Partial<SpecOf<'Port'>>, taken: string | undefined, more: Partial<PortDesired> = {}): WaitsFor | undefined {
  const port = thing('Port', 'p', { subnet: 'one', ...spec })
  const scope = {
    vpc: { namespace: 'net', name: 'blue' },
    vni: 5000,
    subnet: 'one',
    port: { namespace: 'a', name: 'p', uid: 'uid-p' },
    known: [],
  }
  const subnet = thing('Subnet', 'one', both, { status: { vni: 5000, validated: true } })
  const lockOf = (name: string): Resource<'IPLock'> | undefined =>
    name === taken ? thing('IPLock', name, { vni: 5000, address: '10.0.0.9', holder: other }) : undefined
  const offers = { ipv4: { address: '10.0.0.7' }, ipv6: { address: '2001:db8::7' } }
  return planPort(
    {
      port,
      subnet,
      vpc: thing('Vpc', 'blue', {}),
      scope,
      offers,
      lockOf,
      leaving: () => false,
      hostIP: undefined,
      providerID: 'uid-p',
      createdByUs: false,
      isToLeave: false,
      policy: undefined,
      routed: { lock: undefined, peers: [] },
      agents: true,
      ...more,
    },
    { port: undefined },
  ).waitsFor
}

test('a Port waits for the lock of what it names and somebody else has, of whichever family', () => {
  const [four, six] = [addressLockNameOf(5000, '10.0.0.9')!, addressLockNameOf(5000, '2001:db8::9')!]
  assert.deepEqual(waitsOf({ ips: ['10.0.0.9', '2001:db8::9'] }, four), { kind: 'lock', namespace: 'net', name: four })
  assert.deepEqual(waitsOf({ ips: ['10.0.0.9', '2001:db8::9'] }, six), { kind: 'lock', namespace: 'net', name: six })
  assert.deepEqual(waitsOf({ ips: ['10.0.0.9'] }, four, { leaving: () => true }), { kind: 'lock', namespace: 'net', name: four })
  assert.deepEqual(waitsOf({ portID: 'mine' }, portIDLockName(5000, 'mine')), {
    kind: 'lock',
    namespace: 'net',
    name: portIDLockName(5000, 'mine'),
  })
  const mac = '02:aa:00:00:00:01'
  assert.deepEqual(waitsOf({ mac }, macLockName(5000, mac)), { kind: 'lock', namespace: 'net', name: macLockName(5000, mac) })
})

test('a Port of a full Subnet waits for an address of it, and one that has all waits for nothing', () => {
  assert.deepEqual(waitsOf({}, undefined, { offers: { ipv4: { full: true, againInMs: 1 } } }), {
    kind: 'address',
    namespace: 'net',
    subnet: 'one',
  })
  assert.equal(waitsOf({}, undefined), undefined)
})

test('a Vpc waits for the lock of its VNI, and an L2Service for that of its VLAN', () => {
  const name = vniLockName(7)
  const lock = thing('SegmentLock', name, { vni: 7, holder: { ...other, kind: 'Vpc' } })
  assert.deepEqual(planVpc({ vpc: thing('Vpc', 'blue', { vni: 7 }), offer: undefined, blockers: undefined }, { lock, held: [] }).waitsFor, {
    kind: 'segment',
    name,
  })
  const service = thing('L2Service', 's', { segmentationID: 100, physicalNW: ['physnet'] })
  const vlan = vlanLockName('physnet', 100)
  const held = thing('SegmentLock', vlan, { physicalNetwork: 'physnet', vlan: 100, holder: { ...other, kind: 'L2Service' } })
  const desired = {
    service,
    connectionPoints: [],
    networks: [],
    definitionsFollow: () => false,
    podBefore: () => undefined,
    blockers: undefined,
  }
  assert.deepEqual(planL2Service(desired, { domain: undefined, locks: new Map([[vlan, held]]), held: [] }, t0).waitsFor, {
    kind: 'segment',
    name: vlan,
  })
})

test('a pod waits for what it may name of its namespace, and for nothing while its Ports are being made', () => {
  const ref = { kind: 'Pod', namespace: 'a', name: 'web' } as const
  const pod = thing('Pod', 'web', { containers: [] })
  const waits = (port: Resource<'Port'> | undefined): WaitsFor | undefined =>
    planPod(
      { ref, pod, owner: 'Pod/web', answers: [{ nic: 'net1', port, draft: undefined, portID: 'mine' }], problem: undefined, claimed: [] },
      t0,
    ).waitsFor
  assert.deepEqual(waits(undefined), { kind: 'named', namespace: 'a' })
  assert.equal(waits(thing('Port', 'mine', { subnet: 'one' })), undefined)
  assert.deepEqual(
    planPod({ ref, pod, owner: 'Pod/web', answers: undefined, problem: { message: 'Vpc blue not found', later: true }, claimed: [] }, t0)
      .waitsFor,
    { kind: 'named', namespace: 'a' },
  )
})
