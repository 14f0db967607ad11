// Broadcast, multicast and unknown MACs of a VNI that floods. A port's copies never lead back to it (as in Nimbess), and what came
// out of the tunnel never goes back in, so there are no loops; the price is ports² connections, in flooding VNIs alone. Unknown MACs go to
// ports that may have more of them than their own.
import type { Segment } from '../node/wanted.ts'
import { gatewayElements } from './addresses.ts'
import { hexOf, hexOfV4, isV4 } from './bytes.ts'
import { tunnelAttrs } from './endpoints.ts'
import type { MadeElement as Element } from './elements.ts'
import { checkRole, insideElements } from './policies.ts'
import { routerElements } from './gateway/routers.ts'

/** Gates of one Replicate (core/modules/replicate.h). */
const gatesMax = 32

/** A Replicate, or a tree of them, that leads to all of these. */
export function copies(role: string, targets: readonly string[]): readonly Element[] {
  const made = (next: readonly string[]): Element => ({ kind: 'module', role, args: { mclass: 'Replicate', gates: next.length }, next })
  if (targets.length <= gatesMax) return [made(targets)]
  const size = Math.max(gatesMax, Math.ceil(targets.length / gatesMax))
  const parts = Array.from({ length: Math.ceil(targets.length / size) }, (_, i) => ({
    part: `${role}.${i}`,
    of: targets.slice(i * size, (i + 1) * size),
  }))
  return [made(parts.map(({ part }) => part)), ...parts.flatMap(({ part, of }) => copies(part, of))]
}

export function segmentElements(segment: Segment, tunnelAddress: string | undefined): readonly Element[] {
  const { vni, subnets, flood, hosts, peerHosts = [], router } = segment
  const gateways = gatewayElements(vni, [...new Set(subnets.flatMap(({ gateway }) => gateway ?? []))], router !== undefined)
  const routed = router === undefined ? [] : routerElements(vni, router.number)
  const senders = tunnelAddress === undefined ? [] : [...new Set([...hosts, ...peerHosts])].filter(isV4)
  const known = senders.map((host) => tunnelFrom(vni, host))
  const reached = tunnelAddress === undefined ? [] : hosts.filter(isV4)
  return [
    ...known,
    ...gateways,
    ...routed,
    ...insideElements(segment),
    ...(flood ? floods({ ...segment, hosts: reached }, tunnelAddress) : []),
  ]
}

/** Who has an address in a VNI tunnels into it, and nobody else. */
const tunnelFrom = (vni: number, host: string): Element => ({
  kind: 'rule',
  table: 'up.from',
  values: [hexOfV4(host), hexOf(vni, 3)],
  to: 'decap',
})

/** Where a copy for a port goes. */
const wayTo = (number: number, { judged = [] }: Pick<Segment, 'judged'>): string =>
  judged.includes(number) ? checkRole(number) : `out.${number}`

function floods(segment: Segment, tunnelAddress: string | undefined): readonly Element[] {
  const { vni, hosts, numbers, loose = [] } = segment
  const host = (ip: string): string => `flood.${vni}.to.${ip}`
  const toHosts = hosts.map((ip): Element => ({
    kind: 'module',
    role: host(ip),
    args: { mclass: 'SetMetadata', attrs: tunnelAttrs(vni, tunnelAddress!, ip) },
    next: ['encap'],
  }))
  const fromPorts = numbers.flatMap((number): readonly Element[] => {
    const from = hexOf(number, 2)
    const ways = (all: readonly number[]): readonly string[] => [
      ...all.filter((other) => other !== number).map((other) => wayTo(other, segment)),
      ...hosts.map(host),
    ]
    const [flood, unknown] = [`flood.${vni}.from.${number}`, `loose.${vni}.from.${number}`]
    return [
      ...copies(flood, ways(numbers)),
      ...copies(unknown, ways(loose)),
      { kind: 'rule', table: 'bum', values: [from, '01'], to: flood },
      { kind: 'rule', table: 'unknown', values: [from], to: unknown },
    ]
  })
  return [...toHosts, ...fromPorts, ...(tunnelAddress === undefined ? [] : fromTunnel(segment))]
}

function fromTunnel(segment: Segment): readonly Element[] {
  const { vni, numbers, loose = [] } = segment
  const ways = (all: readonly number[]): readonly string[] => all.map((number) => wayTo(number, segment))
  const [flood, unknown] = [`flood.${vni}.in`, `loose.${vni}.in`]
  return [
    ...copies(flood, ways(numbers)),
    ...copies(unknown, ways(loose)),
    { kind: 'rule', table: 'bum.in', values: [hexOf(vni, 4), '01'], to: flood },
    { kind: 'rule', table: 'unknown.in', values: [hexOf(vni, 4)], to: unknown },
  ]
}
