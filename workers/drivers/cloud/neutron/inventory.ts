// Everything at Neutron that has an owner of this installation, or none: read live, each thing as its driver sees it.
import type { CloudItem, CloudPort } from '../../../../core/contracts/cloud.ts'
import type { Caller, NeutronApi, NeutronThing } from './api.ts'
import { groupSeen, type Group } from './groups/group.ts'
import { networkSeen, type Network } from './network.ts'
import { isMadeFor, ownerOf } from './owner.ts'
import type { Port } from './port-bodies.ts'
import { subnetSeen, type Subnet } from './subnet.ts'

export interface InventoryDeps {
  readonly api: NeutronApi
  readonly portSeen: (port: Port, caller: Caller) => Promise<CloudPort>
}

export async function inventory({ api, portSeen }: InventoryDeps, of: 'ours' | 'nobodys', caller: Caller): Promise<readonly CloudItem[]> {
  const isAsked = (thing: NeutronThing): boolean => {
    const owner = ownerOf(thing)
    return of === 'nobodys' ? owner === undefined : owner?.installation === api.installation
  }
  const isMade = (thing: NeutronThing): boolean => isMadeFor(thing, ownerOf(thing)?.uid ?? '')
  const networks = (await api.list<Network>('networks', [], caller)).filter(isAsked)
  const subnets = (await api.list<Subnet>('subnets', [], caller)).filter(isAsked)
  const ports = (await api.list<Port>('ports', [], caller)).filter((port) => isAsked(port) && !isNeutrons(port))
  const groups = of === 'ours' ? (await api.list<Group>('security-groups', [], caller)).filter(isAsked) : []
  // What we make of both families is two subnets of one name.
  const together = Map.groupBy(subnets, (each) => (isMade(each) ? each.name : each.id))
  return [
    ...networks.map((each) => ({
      kind: 'network' as const,
      there: networkSeen(each),
      network: undefined,
      subnet: undefined,
      isMade: isMade(each),
    })),
    ...[...together.values()].map((parts) => ({
      kind: 'subnet' as const,
      there: subnetSeen(parts)!,
      network: parts[0]!.network_id,
      subnet: undefined,
      isMade: isMade(parts[0]!),
    })),
    ...groups.map((each) => ({
      kind: 'group' as const,
      there: groupSeen(each),
      network: undefined,
      subnet: undefined,
      isMade: isMade(each),
    })),
    ...(await Promise.all(
      ports.map(async (each) => ({
        kind: 'port' as const,
        there: await portSeen(each, caller),
        network: each.network_id,
        subnet: each.fixed_ips.map(({ subnet_id: id }) => id).join('+') || undefined,
        isMade: isMade(each),
      })),
    )),
  ]
}

/** Of its routers, DHCP agents and the like: nobody's to adopt. */
const isNeutrons = ({ device_owner: by = '' }: Port): boolean => by.startsWith('network:') || by.startsWith('trunk:')
