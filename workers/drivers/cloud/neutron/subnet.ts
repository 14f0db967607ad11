// A Subnet is one subnet of Neutron of each family that it has, made in one request. Neutron refuses a second one: its block would overlap.
import type { CloudSubnet, CloudThingDriver, SubnetWanted } from '../../../../core/contracts/cloud.ts'
import type { Learned, SubnetBlock } from '../../../../core/kinds/vpc/subnet.ts'
import { defaultGateway, parseCidr } from '../../../../core/net/cidr.ts'
import { parseIp, printIp } from '../../../../core/net/ip.ts'
import { offered } from '../../../../core/plan/builtin/pools.ts'
import type { Caller, NeutronApi, NeutronThing } from './api.ts'
import { callerOf, existing, made } from './lookup.ts'
import { networkSeen, type Network } from './network.ts'
import { create, handOver, isHandover, partsOf, whole } from './life.ts'
import { ownerOf, ownText } from './owner.ts'

export interface Subnet extends NeutronThing {
  readonly network_id: string
  readonly ip_version: 4 | 6
  readonly cidr: string
  readonly gateway_ip: string | null
  readonly host_routes?: readonly { readonly destination: string; readonly nexthop: string }[]
  readonly dns_nameservers?: readonly string[]
}

export function subnetDriver(api: NeutronApi): CloudThingDriver<'subnet'> {
  return {
    name: 'neutron',
    async observe(scope, signal) {
      const caller = callerOf(scope, signal)
      if (scope.existing === undefined) return { there: subnetSeen(await made<Subnet>(api, 'subnets', scope.of.uid, caller)) }
      const there = await existing<Subnet>(api, 'subnets', scope.existing, caller)
      return { there: there && { ...subnetSeen([there])!, ...((await isForEverybody(api, there, caller)) && { shared: true }) } }
    },
    async apply(action, signal) {
      const { scope } = action
      const { uid } = scope.of
      const caller = callerOf(scope, signal)
      if (action.do === 'create') {
        const common = { network_id: scope.network, ...ownText(scope.of, api.installation) }
        const bodies = blocksOf(action.wanted).map((block) => ({ ...common, ...bodyOf(block, action.wanted) }))
        return create(api, 'subnets', { uid, bodies }, caller)
      }
      if (isHandover(action)) return handOver(api, 'subnets', { action }, caller)
      if (action.do !== 'update') return
      const blocks = blocksOf(action.wanted)
      for (const [i, { id, revision }] of partsOf(action.there).entries())
        await api.update('subnets', { id, revision, change: changeOf(familyOf(blocks[i]!), action.wanted) }, caller)
    },
  }
}

/** Whoever may only use a network may write on none of its subnets. */
async function isForEverybody(api: NeutronApi, { network_id }: Subnet, caller: Caller): Promise<boolean> {
  const [network] = await api.list<Network>('networks', [['id', network_id]], caller)
  return network !== undefined && networkSeen(network).shared === true
}

/** In the order in which they are seen: IPv4 first. */
const blocksOf = ({ ipv4, ipv6 }: SubnetWanted): readonly SubnetBlock[] => [ipv4, ipv6].filter((block) => block !== undefined)
const familyOf = ({ cidr }: SubnetBlock): 4 | 6 => parseCidr(cidr)!.family

/** Neutron's own defaults are not ours: a block of four addresses has no gateway here. */
function bodyOf(block: SubnetBlock, wanted: SubnetWanted): object {
  const cidr = parseCidr(block.cidr)!
  const standard = defaultGateway(cidr)
  const gateway = block.gateway ?? (standard === undefined ? null : printIp(standard))
  return {
    ip_version: cidr.family,
    cidr: block.cidr,
    gateway_ip: gateway,
    ...((block.pools ?? block.excludes) !== undefined && { allocation_pools: poolsOf(block) }),
    ...changeOf(cidr.family, wanted),
  }
}

function poolsOf(block: SubnetBlock): readonly object[] {
  const { base, family, runs } = offered(block)!
  const text = (offset: number): string => printIp({ family, value: base + BigInt(offset) })
  return runs.map(([first, last]) => ({ start: text(first), end: text(last) }))
}

/** What of a subnet of one family may be changed. */
const changeOf = (family: 4 | 6, { routes, dns }: SubnetWanted): object => ({
  ...(routes !== undefined && {
    host_routes: routes
      .filter(({ nextHop }) => parseIp(nextHop)?.family === family)
      .map(({ destination, nextHop }) => ({ destination, nexthop: nextHop })),
  }),
  ...(dns !== undefined && { dns_nameservers: (dns.nameservers ?? []).filter((each) => parseIp(each)?.family === family) }),
})

export function subnetSeen(found: readonly Subnet[]): CloudSubnet | undefined {
  const parts = [...found].sort((a, b) => a.ip_version - b.ip_version)
  const [first] = parts
  return first && { ...whole(parts), name: first.name, state: 'active', owner: ownerOf(first)?.uid, learned: learnedOf(parts) }
}

function learnedOf(parts: readonly Subnet[]): Learned {
  const routes = parts.flatMap((each) => each.host_routes ?? []).map(({ destination, nexthop }) => ({ destination, nextHop: nexthop }))
  const nameservers = parts.flatMap((each) => each.dns_nameservers ?? [])
  const blocks = parts.map(({ ip_version: family, cidr, gateway_ip: gateway }) => [
    `ipv${family}`,
    { cidr, ...(gateway !== null && { gateway }) },
  ])
  return {
    ...(Object.fromEntries(blocks) as Pick<Learned, 'ipv4' | 'ipv6'>),
    ...(routes.length > 0 && { routes }),
    ...(nameservers.length > 0 && { dns: { nameservers } }),
  }
}
