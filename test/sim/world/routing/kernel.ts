// The network of a machine's kernel, as far as it routes for VNIs: pairs of devices, rules, routes of all tables, and neighbours. What
// hangs on a device goes with it. One link leads to the other nodes and to the gateway outside.
import { isInBlock } from '../../../../core/net/cidr.ts'
import { parseIp, type Ip } from '../../../../core/net/ip.ts'
import { doorName, routerName } from '../../../../core/net/router-name.ts'
import type { EgressThing } from '../../../../core/routing/egress-things.ts'
import type { ServiceThing } from '../../../../core/routing/service-things.ts'
import type { UntrackedThing } from '../../../../core/routing/untracked.ts'
import type { NetlinkEvent } from '../../../../core/wire/netlink/netlink.ts'
import { nodeBlock } from '../../layout.ts'

/** A pair of devices of one VNI. */
export interface RouterPair {
  readonly vni: number
  /** Numbers of its two ends: another pair of the VNI has others. */
  readonly router: number
  readonly door: number
  mac: string
  readonly up: Set<number>
}
export interface KernelRule {
  readonly family: 4 | 6
  readonly priority: number
  readonly iif?: string
  readonly from?: string
  readonly to?: string
  readonly mark?: { readonly value: number; readonly mask: number }
  readonly table?: number
  readonly protocol: number
}
export interface KernelRouteEntry {
  readonly table: number
  readonly to: string
  readonly metric: number
  readonly protocol: number
  /** Of a router; absent: by the link to the other nodes, or nowhere. */
  readonly index?: number
  readonly via?: string
  /** The next rule is asked, whatever shorter prefixes say (RTN_THROW). */
  readonly isPast?: boolean
  readonly mtu?: number
}
export interface KernelNeighbour {
  readonly index: number
  readonly address: string
  readonly mac: string
}

export class KernelNet {
  readonly pairs = new Map<number, RouterPair>()
  readonly rules = new Map<string, KernelRule>()
  readonly routes = new Map<string, KernelRouteEntry>()
  readonly neighbours = new Map<string, KernelNeighbour>()
  /** Called after each change of rules, routes, devices or neighbours. */
  onChange: () => void = () => undefined
  /** Whoever follows it. */
  readonly wakes = new Set<(event?: NetlinkEvent) => void>()
  readonly services = new Map<string, ServiceThing>()
  readonly egress = new Map<string, EgressThing>()
  readonly untracked = new Map<string, UntrackedThing>()
  #nextIndex = 10

  hasDoor(ifname: string): boolean {
    for (const { vni } of this.pairs.values()) if (doorName(vni) === ifname) return true
    return false
  }

  /** Router or door of that name. */
  linkOf(ifname: string): { readonly pair: RouterPair; readonly index: number } | undefined {
    for (const pair of this.pairs.values()) {
      if (routerName(pair.vni) === ifname) return { pair, index: pair.router }
      if (doorName(pair.vni) === ifname) return { pair, index: pair.door }
    }
    return undefined
  }

  /** @returns false where there is one already */
  makePair(vni: number, isUp = false): boolean {
    if (this.pairs.has(vni)) return false
    const [router, door] = [this.#nextIndex++, this.#nextIndex++]
    this.pairs.set(vni, { vni, router, door, mac: '02:00:00:00:ff:ff', up: new Set(isUp ? [router, door] : []) })
    this.changed()
    return true
  }

  dropPair(vni: number): boolean {
    const pair = this.pairs.get(vni)
    if (pair === undefined) return false
    this.pairs.delete(vni)
    for (const [key, { index }] of this.routes) if (index === pair.router) this.routes.delete(key)
    for (const [key, { index }] of this.neighbours) if (index === pair.router) this.neighbours.delete(key)
    this.changed()
    return true
  }

  clear(): void {
    this.pairs.clear()
    this.rules.clear()
    this.routes.clear()
    this.neighbours.clear()
    this.services.clear()
    this.egress.clear()
    this.untracked.clear()
    this.changed()
  }

  /** @param gone what is there no more */
  changed(gone?: NetlinkEvent): void {
    this.onChange()
    for (const wake of this.wakes) wake(gone)
  }

  put<V>(into: Map<string, V>, key: string, value: V): void {
    into.set(key, value)
    this.changed()
  }

  drop<V>(from: Map<string, V>, key: string, gone?: (value: V) => NetlinkEvent): boolean {
    const value = from.get(key)
    if (value === undefined) return false
    from.delete(key)
    this.changed(gone?.(value))
    return true
  }
}

/** Where a packet goes on. */
export type KernelVerdict =
  | { readonly to: 'router'; readonly pair: RouterPair }
  | { readonly to: 'node'; readonly address: string }
  | { readonly to: 'nowhere'; readonly why: string }

const nowhere = (why: string): KernelVerdict => ({ to: 'nowhere', why })

/** What rules look at. */
export interface Packet {
  readonly source: string
  readonly destination: string
  /** Absent: none. */
  readonly mark?: number
}

/**
 * Rules by priority, in the table that each names the longest prefix, of equal ones the least metric (fib_rules.c, fib_trie.c). A table
 * without one for it does not end the search. Main has the node's link alone.
 *
 * @param iif the router that the packet came in by
 */
export function kernelVerdictOn(kernel: KernelNet, { source, destination, mark = 0 }: Packet, iif?: string): KernelVerdict {
  const [from, ip] = [parseIp(source), parseIp(destination)]
  if (from === undefined || ip === undefined) return nowhere('it is no address')
  const rules = [...kernel.rules.values()].filter(
    (rule) =>
      rule.family === ip.family &&
      (rule.iif === undefined || rule.iif === iif) &&
      (rule.mark === undefined || (mark & rule.mark.mask) >>> 0 === rule.mark.value) &&
      (rule.to === undefined || isInBlock(rule.to, ip)) &&
      (rule.from === undefined || isInBlock(rule.from, from)),
  )
  for (const { table, priority } of rules.toSorted((a, b) => a.priority - b.priority)) {
    if (table === undefined) return nowhere(`rule ${priority} refuses it`)
    const route = bestRoute(kernel, table, ip)
    if (route !== undefined && route.isPast !== true) return led(kernel, route)
  }
  return isInBlock(nodeBlock, ip) ? { to: 'node', address: destination } : nowhere('the main table has no route')
}

function led(kernel: KernelNet, { index, via, to, table }: KernelRouteEntry): KernelVerdict {
  if (via !== undefined) return { to: 'node', address: via }
  const pair = [...kernel.pairs.values()].find(({ router }) => router === index)
  return pair === undefined || !pair.up.has(pair.router) || !pair.up.has(pair.door)
    ? nowhere(`${to} of table ${table.toString(16)} is unreachable`)
    : { to: 'router', pair }
}

const lengthOf = ({ to }: KernelRouteEntry): number => Number(to.split('/')[1])

export function bestRoute(kernel: KernelNet, table: number, ip: Ip): KernelRouteEntry | undefined {
  let best: KernelRouteEntry | undefined
  for (const route of kernel.routes.values()) {
    if (route.table !== table || !isInBlock(route.to, ip)) continue
    const [is, was] = [lengthOf(route), best === undefined ? -1 : lengthOf(best)]
    if (is > was || (is === was && route.metric < best!.metric)) best = route
  }
  return best
}
