// A port as Neutron writes it, and as the contract of clouds does.
import type { CloudPort, PortSettings, PortWanted } from '../../../../core/contracts/cloud.ts'
import type { CloudState } from '../../../../core/kinds/vpc/at-provider.ts'
import { parseIp } from '../../../../core/net/ip.ts'
import { sameJson } from '../../../../core/same-json.ts'
import type { NeutronThing } from './api.ts'
import { idsOf } from './life.ts'
import { ownerOf } from './owner.ts'
import type { GroupsOfPort } from './groups/security-groups.ts'
import { bindingOf, type Binding } from './vif.ts'

export interface Port extends NeutronThing, Binding {
  readonly status?: string
  readonly admin_state_up?: boolean
  readonly qos_policy_id?: string | null
  readonly mac_address: string
  readonly fixed_ips: readonly { readonly subnet_id: string; readonly ip_address: string }[]
  readonly security_groups?: readonly string[]
  readonly port_security_enabled?: boolean
  readonly allowed_address_pairs?: readonly { readonly ip_address: string; readonly mac_address?: string }[]
  readonly device_id?: string
  readonly device_owner?: string
}

/** Neutron says BUILD of a port that a node has plugged in and that is not wired yet: it is there. */
const states: Readonly<Record<string, CloudState>> = { ACTIVE: 'active', ERROR: 'failed' }

/** What a port says by IDs alone, or not at all. */
export interface AroundPort {
  readonly groups: GroupsOfPort
  readonly qosPolicy: PortSettings['qosPolicy']
  readonly mtu: number | undefined
}
/** IDs of what is wanted. undefined: Neutron's default, or what it has. */
export interface WantedIds {
  readonly groups: readonly string[] | undefined
  readonly qosPolicy: string | null | undefined
}

export function seenAs(port: Port, around: AroundPort): CloudPort {
  const { mtu } = around
  const { id, name, status = '', mac_address: mac, fixed_ips: fixed, revision_number: revision } = port
  return {
    id,
    name,
    owner: ownerOf(port)?.uid,
    state: states[status] ?? 'down',
    revision: String(revision),
    ...(status === 'ERROR' && { message: `port ${id} is in status ERROR` }),
    addresses: fixed.map(({ ip_address }) => ip_address).sort((a, b) => Number(a.includes(':')) - Number(b.includes(':'))),
    mac,
    settings: settingsOf(port, around),
    ...bindingOf(port),
    ...(mtu !== undefined && { mtu }),
  }
}

function settingsOf(port: Port, { groups, qosPolicy }: AroundPort): PortSettings {
  const { mac_address: own, port_security_enabled: portSecurity = true, allowed_address_pairs: pairs = [] } = port
  const allowedAddressPairs = pairs.map(({ ip_address: ip, mac_address: mac }) => ({
    ip,
    ...(mac !== undefined && mac !== own && { mac }),
  }))
  return { ...groups, portSecurity, closed: port.admin_state_up === false, qosPolicy, allowedAddressPairs }
}

/** Without a Subnet it has no address. */
export const createBody = (wanted: PortWanted, subnet: string | undefined, { groups, qosPolicy }: WantedIds): object => ({
  fixed_ips: subnet === undefined ? [] : fixedIn(idsOf(subnet), wanted.addresses),
  ...(wanted.closed && { admin_state_up: false }),
  ...(wanted.portSecurity ? {} : { port_security_enabled: false, security_groups: [] }),
  ...(groups !== undefined && { security_groups: groups }),
  ...(typeof qosPolicy === 'string' && { qos_policy_id: qosPolicy }),
  ...(wanted.allowedAddressPairs.length > 0 && { allowed_address_pairs: pairsOf(wanted) }),
})

/** Of two subnets the first is of IPv4 (subnet.ts). */
function fixedIn(subnets: readonly string[], addresses: readonly string[]): readonly object[] {
  if (subnets.length === 1) return [{ subnet_id: subnets[0], ...(addresses[0] !== undefined && { ip_address: addresses[0] }) }]
  return subnets.map((id, i) => {
    const address = addresses.find((each) => parseIp(each)?.family === (i === 0 ? 4 : 6))
    return { subnet_id: id, ...(address !== undefined && { ip_address: address }) }
  })
}

/** What of it is otherwise: a tenant may not say everything of a port on another's network, so that nothing is said without need. */
export function updateBody(there: CloudPort, wanted: PortWanted, { groups, qosPolicy }: WantedIds): object {
  const { portSecurity, allowedAddressPairs } = there.settings
  const differ = groups !== undefined && !sameGroups(wanted, there.settings)
  const isOpened = !wanted.portSecurity && portSecurity
  return {
    // Neutron lets no groups and no pairs stand at a port without port security.
    ...(isOpened && { security_groups: [] }),
    ...qosBody(there, qosPolicy),
    ...(wanted.closed !== there.settings.closed && { admin_state_up: !wanted.closed }),
    ...(differ && { security_groups: groups }),
    ...(wanted.portSecurity !== portSecurity && { port_security_enabled: wanted.portSecurity }),
    ...(!sameJson(wanted.allowedAddressPairs, allowedAddressPairs) && { allowed_address_pairs: pairsOf(wanted) }),
  }
}

const qosBody = ({ settings }: CloudPort, qosPolicy: WantedIds['qosPolicy']): object =>
  qosPolicy === undefined || qosPolicy === (settings.qosPolicy?.id ?? null) ? {} : { qos_policy_id: qosPolicy }

const sameGroups = ({ securityGroups = [], groups }: PortWanted, there: GroupsOfPort): boolean =>
  sameJson([securityGroups.toSorted(), groups.toSorted()], [there.securityGroups.toSorted(), there.groups.toSorted()])

const pairsOf = ({ allowedAddressPairs }: PortWanted): readonly object[] =>
  allowedAddressPairs.map(({ ip, mac }) => ({ ip_address: ip, ...(mac !== undefined && { mac_address: mac }) }))
