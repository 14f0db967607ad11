// What Alcor's managers say and are told, as JSON, and what that is to us. Their names are Neutron's, a network is a VPC.
import type { CloudKinds, CloudScope, CloudThing, PortSettings, PortWanted, SubnetWanted } from '../../../../core/contracts/cloud.ts'
import { CloudRefused } from '../../../../core/errors.ts'
import type { CloudState, Vif } from '../../../../core/kinds/vpc/at-provider.ts'
import { macOfUID } from '../../../../core/net/mac.ts'
import { hash80 } from '../../../../core/net/names.ts'
import { interfaceOf } from './host-interface.ts'
import { foreignTags, ownerIn, tagsOf } from './tags.ts'

export interface Entity {
  readonly id: string
  readonly name?: string | null
  readonly tags?: readonly string[] | null
  readonly status?: string | null
  readonly revision_number?: number | null
}
interface NetworkEntity extends Entity {
  readonly mtu?: number | null
}
interface SubnetEntity extends Entity {
  readonly network_id?: string
  readonly cidr?: string
  readonly gateway_ip?: string | null
  readonly host_routes?: readonly { readonly destination: string; readonly nexthop: string }[] | null
  readonly dns_nameservers?: readonly string[] | null
}
interface PortEntity extends Entity {
  readonly network_id?: string
  readonly mac_address?: string | null
  readonly veth_name?: string | null
  readonly fixed_ips?: readonly { readonly subnet_id?: string; readonly ip_address?: string }[] | null
  readonly security_groups?: readonly string[] | null
  readonly port_security_enabled?: boolean | null
  readonly admin_state_up?: boolean | null
  readonly allowed_address_pairs?: readonly { readonly ip_address: string; readonly mac_address?: string | null }[] | null
  readonly 'binding:host_id'?: string | null
}
export interface Entities {
  readonly network: NetworkEntity
  readonly subnet: SubnetEntity
  readonly port: PortEntity
}

/** SecurityGroups of ours are not made there. */
export type AlcorKind = keyof Entities

export interface Naming {
  /** UID of the Cloud. */
  readonly installation: string
  /** Pattern of the names that host agents give. */
  readonly hostInterface: string
}

export const nameOf = (uid: string): string => `megrez-${uid}`

/** Revision numbers are the managers' own affair, and are not counted by all of them: what it says is in it too. */
export const revisionOf = (entity: Entity): string => `${entity.revision_number ?? 0}-${hash80(JSON.stringify(entity))}`

const states: Readonly<Record<string, CloudState>> = {
  PENDING: 'building',
  BUILD: 'building',
  FAILURE: 'failed',
  ERROR: 'failed',
  SUCCESS: 'active',
  ACTIVE: 'active',
}

/** Whatever else it says, and where it says nothing, it is there. A network and a subnet carry as soon as they are. */
function stateOf(kind: AlcorKind, entity: Entity): CloudState {
  const state = states[(entity.status ?? '').toUpperCase()]
  if (state === 'building' || state === 'failed') return state
  if (kind !== 'port') return 'active'
  return state === 'active' && hostOf(entity) !== undefined ? 'active' : 'down'
}

const hostOf = (entity: PortEntity): string | undefined => entity['binding:host_id'] || undefined

function thingOf(kind: AlcorKind, entity: Entity): CloudThing {
  const state = stateOf(kind, entity)
  return {
    id: entity.id,
    name: entity.name ?? '',
    state,
    ...(state === 'failed' && { message: `Alcor says ${entity.status}` }),
    revision: revisionOf(entity),
    owner: ownerIn(entity),
  }
}

const seen: { readonly [K in AlcorKind]: (entity: Entities[K], naming: Naming) => CloudKinds[K]['there'] } = {
  network: (entity) => ({ ...thingOf('network', entity), ...(entity.mtu && { mtu: entity.mtu }) }),
  subnet: (entity) => ({ ...thingOf('subnet', entity), learned: learnedOf(entity) }),
  port: (entity, naming) => ({
    ...thingOf('port', entity),
    addresses: (entity.fixed_ips ?? []).flatMap(({ ip_address }) => ip_address ?? []),
    mac: entity.mac_address?.toLowerCase().replaceAll(/[-,]/g, ':'),
    settings: settingsOf(entity),
    host: hostOf(entity),
    vif: vifOf(entity, naming),
  }),
}
export const seenAs = <K extends AlcorKind>(kind: K, entity: Entities[K], naming: Naming): CloudKinds[K]['there'] =>
  seen[kind](entity, naming)

const settingsOf = (entity: PortEntity): PortSettings => ({
  securityGroups: entity.security_groups ?? [],
  groups: [],
  portSecurity: entity.port_security_enabled ?? true,
  closed: entity.admin_state_up === false,
  qosPolicy: undefined,
  allowedAddressPairs: (entity.allowed_address_pairs ?? []).map(({ ip_address: ip, mac_address: mac }) => ({ ip, ...(mac && { mac }) })),
})

/** Its host agent makes the interface: the node waits for that, and gives it back. */
function vifOf(entity: PortEntity, { hostInterface }: Naming): Vif | undefined {
  const node = hostOf(entity)
  if (node === undefined || stateOf('port', entity) === 'building') return undefined
  const name = interfaceOf(entity, hostInterface)
  return { node, plug: 'interface', interface: name, interfaceID: entity.id, type: 'alcor' }
}

function learnedOf({ cidr = '', gateway_ip: gateway, host_routes: routes, dns_nameservers: nameservers }: SubnetEntity) {
  const block = { cidr, ...(gateway && { gateway }) }
  return {
    ...(cidr !== '' && (cidr.includes(':') ? { ipv6: block } : { ipv4: block })),
    ...(routes && { routes: routes.map(({ destination, nexthop: nextHop }) => ({ destination, nextHop })) }),
    ...(nameservers && { dns: { nameservers: [...nameservers] } }),
  }
}

/** What is made, under an ID that is its owner's UID. @throws CloudRefused */
export function madeOf<K extends AlcorKind>(kind: K, scope: CloudScope, wanted: CloudKinds[K]['wanted'], naming: Naming): object {
  const { uid } = scope.of
  const common = { id: uid, name: nameOf(uid), tags: tagsOf(uid, naming.installation, { isMade: true }), admin_state_up: true }
  if (kind === 'network') return { ...common, ...mtuPart(wanted as CloudKinds['network']['wanted']) }
  if (kind === 'subnet')
    return { ...common, network_id: scope.network, ...blockPart(wanted as SubnetWanted), ...factsPart(wanted as SubnetWanted) }
  // The MAC manager hands a MAC out once: the fence of ports.
  const { mac = macOfUID(uid), ...port } = wanted as PortWanted
  return { ...common, network_id: scope.network, mac_address: mac, fixed_ips: fixedPart(port, scope), ...settingsPart(port) }
}

const mtuPart = ({ mtu }: CloudKinds['network']['wanted']) => ({ ...(mtu !== undefined && { mtu }) })

function blockPart({ ipv4, ipv6 }: SubnetWanted): object {
  const refusal = (reason: string): Error => new CloudRefused({ cloud: 'alcor', what: 'a subnet', reason })
  const block = ipv4 ?? ipv6
  if (block === undefined || (ipv4 !== undefined && ipv6 !== undefined))
    throw refusal('a subnet of Alcor has one block of addresses: either ipv4 or ipv6')
  if ((block.pools ?? block.excludes) !== undefined) throw refusal('pools and excludes of a block are not known to Alcor')
  return {
    cidr: block.cidr,
    ip_version: ipv4 === undefined ? 6 : 4,
    ...(block.gateway !== undefined && { gateway_ip: block.gateway }),
  }
}

const factsPart = ({ routes, dns }: SubnetWanted) => ({
  ...(routes && { host_routes: routes.map(({ destination, nextHop: nexthop }) => ({ destination, nexthop })) }),
  ...(dns?.nameservers && { dns_nameservers: dns.nameservers }),
})

const fixedPart = ({ addresses }: Pick<PortWanted, 'addresses'>, { subnet: subnet_id }: CloudScope) =>
  addresses.length === 0 ? [{ subnet_id }] : addresses.map((ip_address) => ({ subnet_id, ip_address }))

/** Groups that nobody named are Alcor's to choose. @throws CloudRefused */
function settingsPart({ securityGroups, portSecurity, closed, qosPolicy, allowedAddressPairs }: Pick<PortWanted, keyof PortSettings>) {
  if (typeof qosPolicy === 'string') throw new CloudRefused({ cloud: 'alcor', what: 'a port', reason: 'Alcor has no QoS policies' })
  return {
    ...(securityGroups !== undefined && { security_groups: securityGroups }),
    port_security_enabled: portSecurity,
    admin_state_up: !closed,
    allowed_address_pairs: allowedAddressPairs.map(({ ip, mac }) => ({ ip_address: ip, ...(mac !== undefined && { mac_address: mac }) })),
  }
}

export function updateOf<K extends AlcorKind>(kind: K, wanted: CloudKinds[K]['wanted']): object {
  if (kind === 'network') return mtuPart(wanted as CloudKinds['network']['wanted'])
  return kind === 'subnet' ? factsPart(wanted as SubnetWanted) : settingsPart(wanted as PortWanted)
}

/** Whose it is from now on; undefined: nobody's. */
export const ownedBy = (entity: Entity, uid: string | undefined, { installation }: Naming, isMade = false) => ({
  tags: [...foreignTags(entity), ...(uid === undefined ? [] : tagsOf(uid, installation, { isMade }))],
})

/** An empty word takes a port off its host: what is null is left as it is. */
export const boundTo = (host: string | undefined) => ({ 'binding:host_id': host ?? '' })
