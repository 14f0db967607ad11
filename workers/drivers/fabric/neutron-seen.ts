// What OpenStack's networking API says of trunks, of the ports that are in them, and of the networks that those are on.
import { parseVlan, type VlanId } from '../../../core/net/segment.ts'
import type { NeutronApi } from './neutron-api.ts'

export interface SubPort {
  readonly port_id: string
  readonly segmentation_id: number
}
export interface Trunk {
  readonly id: string
  /** Anybody's choice, and not unique. */
  readonly name: string
  readonly sub_ports: readonly SubPort[]
}
export interface NeutronPort {
  readonly id: string
  readonly name: string
  readonly network_id: string
}
interface Network {
  readonly id: string
  readonly 'provider:segmentation_id': number
}
export interface NeutronView {
  readonly trunks: readonly Trunk[]
  /** The networks that a VLAN can mean. */
  networksOf(vlan: VlanId): readonly string[]
  /** Ports with our mark, in a trunk or not. */
  readonly mine: readonly NeutronPort[]
  /** Whether a port is on a network of that VLAN; one that we may not see is not. */
  leadsTo(port: Pick<SubPort, 'port_id'>, vlan: VlanId): boolean
}

const portFields = 'fields=id&fields=name&fields=network_id'

export async function observed(
  api: NeutronApi,
  { mark, physicalNetwork }: { readonly mark: string; readonly physicalNetwork: string | undefined },
  signal: AbortSignal,
): Promise<NeutronView> {
  const of = physicalNetwork === undefined ? '' : `&provider:physical_network=${encodeURIComponent(physicalNetwork)}`
  // Before the ports: what is in a trunk was made before it was put there.
  const { trunks } = await api.call<{ trunks: readonly Trunk[] }>('GET', '/v2.0/trunks', { signal })
  const [{ networks }, { ports: mine }, { ports: joined }] = await Promise.all([
    api.call<{ networks: readonly Network[] }>(
      'GET',
      `/v2.0/networks?provider:network_type=vlan${of}&fields=id&fields=provider:segmentation_id`,
      { signal },
    ),
    api.call<{ ports: readonly NeutronPort[] }>('GET', `/v2.0/ports?description=${encodeURIComponent(mark)}&${portFields}`, { signal }),
    api.call<{ ports: readonly NeutronPort[] }>('GET', `/v2.0/ports?device_owner=${encodeURIComponent('trunk:subport')}&${portFields}`, {
      signal,
    }),
  ])
  const vlans = new Map(
    networks.flatMap((each) => {
      const vlan = parseVlan(each['provider:segmentation_id'])
      return vlan === undefined ? [] : [[each.id, vlan] as const]
    }),
  )
  const byVlan = new Map([...Map.groupBy(vlans, ([, vlan]) => vlan)].map(([vlan, all]) => [vlan, all.map(([id]) => id)]))
  const on = new Map([...joined, ...mine].map((each) => [each.id, each.network_id]))
  return {
    trunks,
    mine,
    networksOf: (vlan) => byVlan.get(vlan) ?? [],
    leadsTo: ({ port_id: id }, vlan) => vlans.get(on.get(id) ?? '') === vlan,
  }
}

/** By its id, or else by its name: several where it is not unique. */
export function trunksOf({ trunks }: NeutronView, on: string): readonly Trunk[] {
  const byId = trunks.filter((each) => each.id === on)
  return byId.length > 0 ? byId : trunks.filter((each) => each.name === on)
}
