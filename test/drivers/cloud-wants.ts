// What is wanted of a cloud in the laws: a network, a subnet and a port, each planned by the planner of clouds.
import type { CloudAction, CloudKind, CloudScope, CloudSeen } from '../../core/contracts/cloud.ts'
import { portFinalizer, wiredFinalizer } from '../../core/kinds/annotations.ts'
import { apiVersion } from '../../core/kinds/meta.ts'
import type { Resource, SpecOf } from '../../core/kinds/index.ts'
import { planCloudGroup } from '../../core/plan/cloud/group.ts'
import { rulesAtCloud } from '../../core/plan/cloud/group-rules.ts'
import { planCloudSubnet, planNetwork } from '../../core/plan/cloud/network.ts'
import { planCloudPort } from '../../core/plan/cloud/port.ts'
import type { Plan } from '../../core/plan/plan.ts'
import type { Want } from '../laws/driver.ts'

/** Of the worlds of these laws; what was asked for was asked for just now. */
export const at = Date.parse('2026-01-01T00:00:00Z')
const meta = { namespace: 'a', resourceVersion: '1', generation: 1, creationTimestamp: '2026-01-01T00:00:00Z' }
const requestedAt = new Date(at).toISOString()
const going = { deletionTimestamp: meta.creationTimestamp }

/** IDs of the network and the subnet that are there. */
export interface Inside {
  readonly network: string
  readonly subnet: string
}
const common = { cloud: 'c', landsWithinMs: -60_000 }

const vpc: Resource<'Vpc'> = {
  apiVersion,
  kind: 'Vpc',
  metadata: { ...meta, name: 'blue', uid: 'vpc' },
  spec: { provider: 'memory', cloud: 'c' },
  status: { phase: 'ready', cloud: 'c', providerID: 'network-1', requestedAt },
}
const subnet: Resource<'Subnet'> = {
  apiVersion,
  kind: 'Subnet',
  metadata: { ...meta, name: 'one', uid: 'subnet' },
  spec: { vpc: 'blue', ipv4: { cidr: '10.1.0.0/24' }, routes: [{ destination: '192.0.2.0/24', nextHop: '10.1.0.9' }] },
  status: { phase: 'ready', cloud: 'c', providerID: 'subnet-2', requestedAt },
}

type NetworkWant = Want<CloudScope, CloudSeen<'network'>, CloudAction<'network'>>
type SubnetWant = Want<CloudScope, CloudSeen<'subnet'>, CloudAction<'subnet'>>
type GroupWant = Want<CloudScope, CloudSeen<'group'>, CloudAction<'group'>>
type PortWant = Want<CloudScope, CloudSeen<'port'>, CloudAction<'port'>>

export function networkWants(): Readonly<Record<string, NetworkWant>> {
  const want = (spec: Partial<SpecOf<'Vpc'>>, isGoing = false): NetworkWant => {
    const item = { ...vpc, metadata: { ...vpc.metadata, ...(isGoing && going) }, spec: { ...vpc.spec, ...spec } }
    const scope = {
      of: { kind: 'Vpc', namespace: 'a', name: 'blue', uid: 'vpc' },
      existing: spec.existing,
      network: undefined,
      subnet: undefined,
    } as const
    return { scope, plan: (seen) => planNetwork({ ...common, item, scope, blockers: undefined }, seen, at) as Plan<CloudAction<'network'>> }
  }
  return {
    made: want({}),
    changed: want({ mtu: 1400 }),
    adopted: want({ existing: 'spare' }),
    gone: want({}, true),
    released: want({ existing: 'spare' }, true),
  }
}

export function subnetWants({ network }: Inside): Readonly<Record<string, SubnetWant>> {
  const scope: CloudScope = {
    of: { kind: 'Subnet', namespace: 'a', name: 'one', uid: 'subnet' },
    existing: undefined,
    network,
    subnet: undefined,
  }
  const want = (spec: Partial<SpecOf<'Subnet'>>, isGoing = false): SubnetWant => {
    const item = { ...subnet, metadata: { ...subnet.metadata, ...(isGoing && going) }, spec: { ...subnet.spec, ...spec } }
    return {
      scope,
      plan: (seen) => planCloudSubnet({ ...common, item, vpc, scope, blockers: undefined }, seen, at) as Plan<CloudAction<'subnet'>>,
    }
  }
  return { made: want({}), changed: want({ routes: [], dns: { nameservers: ['192.0.2.53'] } }), gone: want({}, true) }
}

interface PortHow {
  readonly node?: string
  /** Of a VM: where it is to move. */
  readonly migratingTo?: string
  readonly isGoing?: boolean
  readonly closedBy?: string
  /** In its status. */
  readonly qosAsked?: string
}

export function portWants(inside: Inside): Readonly<Record<string, PortWant>> {
  const want = (
    spec: Partial<SpecOf<'Port'>>,
    { node, migratingTo, isGoing = false, closedBy, qosAsked = spec.qosPolicy }: PortHow = {},
  ): PortWant => {
    const finalizers = node === undefined ? [portFinalizer] : [portFinalizer, wiredFinalizer]
    const item: Resource<'Port'> = {
      apiVersion,
      kind: 'Port',
      metadata: { ...meta, name: 'p', uid: 'port', finalizers, ...(isGoing && going) },
      spec: { subnet: 'one', ...spec, ...(node !== undefined && { node }), ...(migratingTo !== undefined && { migratingTo }) },
      status: { cloud: 'c', requestedAt, node: { wired: true }, ...(qosAsked !== undefined && { qosPolicy: qosAsked }) },
    }
    const scope = {
      of: { kind: 'Port', namespace: 'a', name: 'p', uid: 'port' },
      existing: spec.portID,
      moves: spec.type === 'tap',
      ...inside,
    } as const
    const desired = {
      ...common,
      item,
      subnet,
      scope,
      hostIP: '192.0.2.1',
      createdByUs: false,
      isToLeave: false,
      agents: true,
      offer: undefined,
      closedBy,
      groups: { named: spec.securityGroups, ids: [], unmade: [], awaited: [], drafts: [] },
    }
    return { scope, plan: (seen) => planCloudPort(desired, seen, at) as Plan<CloudAction<'port'>> }
  }
  const tap = { type: 'tap' } as const
  const fixed = { ips: ['10.0.0.9'], mac: '02:aa:00:00:00:01', securityGroups: ['web'] }
  return {
    made: want({}),
    fixed: want(fixed),
    regrouped: want({ ...fixed, securityGroups: ['db'], allowedAddressPairs: [{ ip: '10.0.0.99' }] }),
    opened: want({ ips: fixed.ips, mac: fixed.mac, portSecurity: false }),
    slow: want({ qosPolicy: 'slow' }),
    fast: want({ qosPolicy: 'fast' }),
    'as fast as any': want({}, { qosAsked: 'fast' }),
    adopted: want({ portID: 'spare' }),
    bound: want({}, { node: 'n1' }),
    closed: want({}, { node: 'n1', closedBy: 'UnifiedNetworkPolicy a/strict' }),
    moved: want({}, { node: 'n2' }),
    vm: want(tap, { node: 'n1' }),
    'vm to move': want(tap, { node: 'n1', migratingTo: 'n2' }),
    'vm moved': want(tap, { node: 'n2' }),
    'vm on no node': want(tap),
    'adopted vm to move': want({ ...tap, portID: 'spare' }, { node: 'n1', migratingTo: 'n2' }),
    'adopted vm released': want({ ...tap, portID: 'spare' }, { isGoing: true }),
    'adopted and bound': want({ portID: 'spare' }, { node: 'n1' }),
    gone: want({}, { isGoing: true }),
    released: want({ portID: 'spare' }, { isGoing: true }),
  }
}

export function groupWants(): Readonly<Record<string, GroupWant>> {
  const scope = {
    of: { kind: 'CloudSecurityGroup', namespace: 'a', name: 'g.c', uid: 'group' },
    existing: undefined,
    network: undefined,
    subnet: undefined,
  } as const
  const want = (rules: NonNullable<SpecOf<'SecurityGroup'>['rules']>, isGoing = false): GroupWant => {
    const group: Resource<'SecurityGroup'> = {
      apiVersion,
      kind: 'SecurityGroup',
      metadata: { ...meta, name: 'web', uid: 'g' },
      spec: { rules },
    }
    const item: Resource<'CloudSecurityGroup'> = {
      apiVersion,
      kind: 'CloudSecurityGroup',
      metadata: { ...meta, name: 'g.c', uid: 'group', ...(isGoing && going) },
      spec: { group: 'web', groupUID: 'g', cloud: 'c' },
      status: { cloud: 'c', requestedAt },
    }
    const desired = {
      ...common,
      item,
      scope,
      rules: rulesAtCloud(group, { remotes: new Map(), cannot: () => undefined }),
      isNeeded: !isGoing,
      drafts: [],
    }
    return { scope, plan: (seen) => planCloudGroup(desired, seen, at) as Plan<CloudAction<'group'>> }
  }
  const web = { direction: 'ingress', protocol: 'tcp', l4PortMin: 80 } as const
  return {
    made: want([web]),
    changed: want([
      { direction: 'ingress', protocol: 'udp', l4PortMin: 1000, l4PortMax: 2000, remoteCIDR: '192.0.2.0/24' },
      { direction: 'ingress', protocol: 'icmp', l4PortMin: 3, l4PortMax: 1 },
      { direction: 'ingress', protocol: 'icmpv6', etherType: 'IPv6' },
      { direction: 'egress', protocolNumber: 47 },
      web,
    ]),
    gone: want([web], true),
  }
}

/** Ways through the wants: each is reached in turn. */
export const cloudJourneys = {
  network: [['made'], ['adopted'], ['made', 'changed'], ['made', 'gone'], ['adopted', 'released'], ['gone']],
  subnet: [['made'], ['made', 'changed'], ['made', 'gone'], ['gone']],
  port: [
    ['made'],
    ['fixed'],
    ['fixed', 'regrouped'],
    ['fixed', 'opened'],
    ['adopted'],
    ['bound'],
    ['made', 'bound'],
    ['bound', 'moved'],
    ['bound', 'made'],
    ['bound', 'closed'],
    ['closed', 'bound'],
    ['adopted and bound', 'released'],
    ['made', 'gone'],
    ['gone'],
    ['released'],
  ],
  group: [['made'], ['made', 'changed'], ['made', 'gone'], ['gone']],
} as const satisfies Readonly<Record<CloudKind, readonly (readonly string[])[]>>

/** Of clouds that bind a port to a second node, for a VM that is to move there. */
export const moveJourneys = [
  ['vm to move'],
  ['vm', 'vm to move'],
  ['vm to move', 'vm moved'],
  ['vm to move', 'vm'],
  ['vm to move', 'vm on no node'],
  ['adopted vm to move', 'adopted vm released'],
] as const

/** Of clouds that have the QoS policies `slow` and `fast`. */
export const qosJourneys = [
  ['slow', 'fast'],
  ['made', 'fast', 'as fast as any'],
] as const
