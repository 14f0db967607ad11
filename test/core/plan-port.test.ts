import { test } from 'node:test'
import assert from 'node:assert/strict'
import type { HeldPort } from '../../core/contracts/port-holder.ts'
import { portFinalizer, wiredFinalizer } from '../../core/kinds/annotations.ts'
import type { Resource, SpecOf } from '../../core/kinds/index.ts'
import { planPort, type PortDesired } from '../../core/plan/builtin/port.ts'
import { at, going, line, t0, thing } from './plan-things.ts'

const vpc = thing('Vpc', 'blue', {}, { status: { vni: 5000 } })
const subnet = thing('Subnet', 'one', { vpc: 'blue', ipv4: { cidr: '10.0.0.0/24' } }, { status: { vni: 5000, validated: true } })
const portOf = (spec: Partial<SpecOf<'Port'>> = {}, more: Parameters<typeof thing>[3] = {}): Resource<'Port'> =>
  thing('Port', 'p', { subnet: 'one', ...spec }, { finalizers: [portFinalizer], ...more } as never)

function desired(port: Resource<'Port'>, more: Partial<PortDesired> = {}): PortDesired {
  const scope = {
    vpc: { namespace: 'a', name: 'blue' },
    vni: 5000,
    subnet: 'one',
    port: { namespace: 'a', name: 'p', uid: 'uid-p' },
    known: port.status?.addresses ?? [],
  }
  return {
    port,
    subnet,
    vpc,
    scope,
    offers: { ipv4: { address: '10.0.0.7' } },
    lockOf: () => undefined,
    leaving: () => false,
    hostIP: undefined,
    providerID: 'uid-p',
    createdByUs: false,
    isToLeave: false,
    policy: undefined,
    routed: { lock: undefined, peers: [] },
    agents: true,
    ...more,
  }
}
const held = (more: Partial<HeldPort> = {}): HeldPort => ({
  providerID: 'uid-p',
  addresses: ['10.0.0.7'],
  mac: '06:00:00:07:13:88',
  portID: undefined,
  hostIP: undefined,
  identity: undefined,
  ...more,
})
const lockBy = (holder: SpecOf<'IPLock'>['holder'], reservation?: SpecOf<'IPLock'>['reservation']) => () =>
  thing('IPLock', 'v1-5000-10-0-0-9', { vni: 5000, address: '10.0.0.9', ...(holder && { holder }), ...(reservation && { reservation }) })
const other = { kind: 'Port', namespace: 'a', name: 'other', uid: 'uid-other' }
const stranger = { kind: 'Port', namespace: 'b', name: 'secret', uid: 'uid-other' }
const kept = (owner: string, untilMs: number) => ({ namespace: 'a', owner, nic: 'net1', podUID: 'some', until: at(untilMs) })
const claim = { pod: 'web', nic: 'net1', owner: 'Pod/web', podUID: 'uid-web' }
const onNode = { node: 'n1', podUID: 'uid-web', claim }
const reported = {
  phase: 'error',
  vni: 5000,
  addresses: ['10.0.0.7'],
  conditions: [{ type: 'Evicted', status: 'True', reason: 'VpcGoing', message: '', lastTransitionTime: at(0) }],
}
const wired = { finalizers: [portFinalizer, wiredFinalizer] }

interface Case {
  readonly port?: Resource<'Port'>
  readonly more?: Partial<PortDesired>
  readonly seen?: HeldPort
  readonly is: string
  readonly says?: RegExp
}
const cases: Readonly<Record<string, Case>> = {
  'a new Port is made': { is: 'ready InPlace, createPort' },
  'what is in place is left alone': { seen: held(), is: 'ready InPlace' },
  'without its Subnet it waits': { more: { subnet: undefined }, is: 'pending SubnetMissing', says: /Subnet one not found/ },
  'in a Subnet that is not valid yet it waits': { more: { subnet: thing('Subnet', 'one', subnet.spec) }, is: 'pending SubnetNotValidated' },
  'a Subnet that is going takes no new Port': {
    more: { subnet: { ...subnet, metadata: { ...subnet.metadata, ...going } } },
    is: 'error SubnetTerminating',
  },
  'and keeps the Ports it has': {
    port: portOf({}, { status: { vni: 5000, addresses: ['10.0.0.7'] } as never }),
    more: { subnet: { ...subnet, metadata: { ...subnet.metadata, ...going } } },
    seen: held(),
    is: 'ready InPlace',
  },
  'a guest whose Vpc goes with its namespace is told first': {
    port: portOf({}, { status: { phase: 'ready', vni: 5000, addresses: ['10.0.0.7'] } as never }),
    more: { isToLeave: true },
    seen: held(),
    is: 'error VpcGoing',
    says: /Vpc a\/blue is being deleted with its namespace$/,
  },
  'and its locks stay while its node has it': {
    port: portOf(onNode, { ...wired, status: reported } as never),
    more: { isToLeave: true },
    seen: held(),
    is: 'error VpcGoing',
    says: /node n1 has still to unwire it/,
  },
  'and what it was told to have is taken back first': {
    port: portOf(onNode, { status: reported } as never),
    more: { isToLeave: true },
    seen: held(),
    is: 'error VpcGoing',
    says: /namespace$/,
  },
  'and are free after that': {
    port: portOf(onNode, { status: { ...reported, addresses: undefined } } as never),
    more: { isToLeave: true },
    seen: held(),
    is: 'error VpcGoing, deletePort',
    says: /no address any more/,
  },
  'a full Subnet is waited for': {
    more: { offers: { ipv4: { full: true, againInMs: 700 } } },
    is: 'pending SubnetFull',
    says: /no free IPv4 address/,
  },
  'a fixed address is taken as it is': { port: portOf({ ips: ['10.0.0.9'] }), is: 'ready InPlace, createPort' },
  'one outside the block is refused': {
    port: portOf({ ips: ['10.0.1.9'] }),
    is: 'error AddressOutside',
    says: /10\.0\.1\.9 is not in Subnet one/,
  },
  'one of a family that the Subnet does not have is refused': { port: portOf({ ips: ['2001:db8::1'] }), is: 'error AddressOutside' },
  'one that another Port holds is refused, and says who': {
    port: portOf({ ips: ['10.0.0.9'] }),
    more: { lockOf: lockBy(other) },
    is: 'error AddressTaken',
    says: /taken by Port a\/other/,
  },
  'and leaves the node of a pod that is gone, so that another may have it': {
    port: portOf({ ips: ['10.0.0.9'], node: 'n1', podUID: 'uid-gone' }),
    more: { lockOf: lockBy(other) },
    is: 'error AddressTaken, leaveNode',
  },
  'but not before the node has unwired it': {
    port: portOf({ ips: ['10.0.0.9'], node: 'n1', podUID: 'uid-gone' }, wired),
    more: { lockOf: lockBy(other) },
    is: 'error AddressTaken',
  },
  'without its Subnet it leaves that node too': {
    port: portOf({ node: 'n1', podUID: 'uid-gone' }),
    more: { subnet: undefined },
    is: 'pending SubnetMissing, leaveNode',
  },
  "one that a stranger's Port holds is refused, and nothing is said of him": {
    port: portOf({ ips: ['10.0.0.9'] }),
    more: { lockOf: lockBy(stranger) },
    is: 'error AddressTaken',
    says: /taken by another namespace$/,
  },
  'nor while that Port is going': {
    port: portOf({ ips: ['10.0.0.9'] }),
    more: { lockOf: lockBy(stranger), leaving: () => true },
    is: 'pending AddressLeaving',
    says: /taken by another namespace, which is going$/,
  },
  'nor of a stranger for whom it is kept': {
    port: portOf({ ips: ['10.0.0.9'], claim }),
    more: { lockOf: lockBy(undefined, { ...kept('Pod/web', 1), namespace: 'b' }) },
    is: 'error AddressTaken',
    says: /taken by another namespace$/,
  },
  'one that is about to be let go is waited for': {
    port: portOf({ ips: ['10.0.0.9'] }),
    more: { lockOf: lockBy(other), leaving: () => true },
    is: 'pending AddressLeaving',
  },
  'one kept for another pod is refused': {
    port: portOf({ ips: ['10.0.0.9'], claim }),
    more: { lockOf: lockBy(undefined, kept('Pod/stranger', 1)) },
    is: 'error AddressTaken',
    says: /a reservation for Pod\/stranger/,
  },
  'one kept for the same owner and NIC is taken over': {
    port: portOf({ ips: ['10.0.0.9'], claim }),
    more: { lockOf: lockBy(undefined, kept('Pod/web', 1)) },
    is: 'ready InPlace, createPort',
  },
  'nor is one past its time, until workers have ended it: clocks differ': {
    port: portOf({ ips: ['10.0.0.9'], claim }),
    more: { lockOf: lockBy(undefined, kept('Pod/stranger', 0)) },
    is: 'error AddressTaken',
    says: /a reservation for Pod\/stranger/,
  },
  'a portID that another Port has is refused': {
    port: portOf({ portID: 'mine' }),
    more: { lockOf: lockBy(other) },
    is: 'error PortIDTaken',
  },
  'nor of a stranger who has it': {
    port: portOf({ portID: 'mine' }),
    more: { lockOf: lockBy(stranger) },
    is: 'error PortIDTaken',
    says: /^portID mine is taken by another namespace$/,
  },
  'nor of a stranger who has its MAC': {
    port: portOf({ mac: '02:aa:00:00:00:01' }),
    more: { lockOf: lockBy(stranger) },
    is: 'error MacTaken',
    says: /taken by another namespace$/,
  },
  'a MAC that another address will have is refused': {
    port: portOf({ mac: '06:00:00:63:13:88' }),
    is: 'error MacTaken',
    says: /MAC of address 10\.0\.0\.99/,
  },
  "a MAC of one's own is had with a lock": { port: portOf({ mac: '02:aa:00:00:00:01' }), is: 'ready InPlace, createPort' },
  'half a Port is made whole': { seen: held({ mac: undefined }), is: 'ready InPlace, createPort' },
  'an address more than it needs is given back': {
    port: portOf({}, { status: { addresses: ['10.0.0.7'] } as never }),
    seen: held({ addresses: ['10.0.0.3', '10.0.0.7'] }),
    is: 'ready InPlace, freeAddresses',
  },
  'and not before it tells of what it keeps': { seen: held({ addresses: ['10.0.0.3', '10.0.0.7'] }), is: 'ready InPlace' },
  'an address that it lost is had again': {
    port: portOf({}, { status: { vni: 5000, addresses: ['10.0.0.7'] } as never }),
    more: { offers: {} },
    is: 'ready InPlace, createPort',
  },
  'on a node it is guarded, then bound': {
    port: portOf(onNode),
    seen: held(),
    more: { hostIP: '192.0.2.1' },
    is: 'ready InPlace, guardNode, bindPort',
  },
  'where no agent will unwire it, it is bound at once': {
    port: portOf(onNode),
    seen: held(),
    more: { hostIP: '192.0.2.1', agents: false },
    is: 'ready InPlace, bindPort',
  },
  'once guarded it is only bound': {
    port: portOf(onNode, wired),
    seen: held(),
    more: { hostIP: '192.0.2.1' },
    is: 'ready InPlace, bindPort',
  },
  'its pod gone, it waits on its node until it is unwired': {
    port: portOf({ node: 'n1', podUID: 'uid-web' }, wired),
    seen: held({ hostIP: '192.0.2.1' }),
    more: { hostIP: '192.0.2.1' },
    is: 'ready InPlace, bindPort',
  },
  'and then leaves it': { port: portOf({ node: 'n1', podUID: 'uid-web' }), seen: held(), is: 'ready InPlace, leaveNode' },
  'claimed by a pod that is elsewhere, it leaves the node it was on without one': {
    port: portOf({ node: 'n1', claim }),
    seen: held(),
    is: 'ready InPlace, leaveNode',
  },
  'only kept for a pod to come, it stays there': {
    port: portOf({ node: 'n1', claim: { ...claim, until: new Date(t0 + 1).toISOString() } }),
    seen: held(),
    is: 'ready InPlace',
  },
  'of a provider that gives the id itself it is looked at again': {
    more: { providerID: undefined },
    is: 'pending ProviderPending, createPort',
  },
  'deleted, it frees what it holds': { port: portOf({}, going), seen: held(), is: 'deleted Freed, deletePort' },
  'deleted with nothing held, it goes': { port: portOf({}, going), is: 'deleted Freed' },
  'deleted while wired, it keeps everything': {
    port: portOf(onNode, { ...going, ...wired }),
    seen: held(),
    is: 'terminating Wired',
    says: /node n1 has still to unwire it/,
  },
}
for (const [name, { port = portOf(), more = {}, seen, is, says = /./ }] of Object.entries(cases)) {
  test(`Port: ${name}`, () => {
    const plan = planPort(desired(port, more), { port: seen })
    assert.equal(line(plan), is)
    assert.match(plan.message, says)
  })
}

test('what a ready Port reports is what it was given', () => {
  const { sections } = planPort(desired(portOf(onNode, wired), { hostIP: '192.0.2.1', createdByUs: true }), { port: undefined })
  assert.deepEqual(sections?.['provider'], { providerID: 'uid-p', portID: 'uid-p', createdByUs: true })
  const { ifcName, ...address } = sections?.['address'] as { ifcName: string }
  assert.deepEqual(address, { addresses: ['10.0.0.7'], mac: '06:00:00:07:13:88', vni: 5000, hostIP: '192.0.2.1' })
  assert.match(ifcName, /^mgz[0-9a-v]{12}$/)
})

test('a Port that no pod has is called as KOS calls it', () => {
  const { sections } = planPort(desired(portOf()), { port: undefined })
  assert.equal((sections?.['address'] as { ifcName: string }).ifcName, 'kos060000071388')
})

test('a Port whose worker knows rules and not their policy is looked at again; any other is left alone', () => {
  const againMs = (isPolicyLate: boolean): number | undefined =>
    planPort(desired(portOf(), { isPolicyLate }), { port: held() }).requeueAfterMs
  assert.deepEqual([againMs(true), againMs(false)], [5_000, undefined])
})
