// Routing between the Subnets of a VNI, by nftables at the way out of the bridge's port that the gateway is behind: what the bridge sends
// there for the gateway's MAC goes back into the bridge, to the MAC that the bridge's neighbours have for its destination. The table is
// made once, by the program nft; such ports are hooked to it, and told the gateways' addresses, over netlink.
import { doorName } from '../../../core/net/router-name.ts'
import {
  bridgeName,
  routerEnds,
  tableNames,
  tunnelName,
  vniOfName,
  type LinuxItem,
  type RouterEnd,
} from '../../../core/linux/linux-items.ts'
import { gatewayMac } from '../../../core/net/gateway-mac.ts'
import type { Link } from '../../../core/wire/netlink/link.ts'
import {
  encodeChainsDump,
  encodeHook,
  encodeMapDump,
  encodeUnhook,
  readHooked,
  readMap,
  type Hook,
  type HookTable,
} from '../../../core/wire/nft/hooks.ts'
import { encodeGateways, encodeGatewaysDump, readGateways, type Gateway, type GatewaySets } from '../../../core/wire/nft/gateways.ts'
import type { ChainRule } from '../../../core/wire/nft/rules.ts'
import { errnos, refusedBy, triesMax, type NodeKernel } from './node-kernel.ts'

export type Router = Extract<LinuxItem, { readonly kind: 'router' }>
export type AnsweringItem = Extract<LinuxItem, { readonly kind: 'gateway' }>
export const isRouter = (thing: LinuxItem): thing is Router => thing.kind === 'router'
export const isAnswering = (thing: LinuxItem): thing is AnsweringItem => thing.kind === 'gateway'

const whole = tableNames.routes
const [, table = ''] = whole.split(' ')
const names = { table, map: 'bridges' } as const
/** The chain that a device is handed to, by where its frames for the gateway go. */
const chains = { bridge: 'route', kernel: 'rise', nodes: 'beyond' } as const satisfies Readonly<Record<RouterEnd, string>>
const hookTable = (to: RouterEnd): HookTable => ({ ...names, to: chains[to] })
const sets: GatewaySets = { table: names.table, v4: 'gateways4', v6: 'gateways6' }
const what = 'a route between Subnets'
/**
 * Two words of four bytes at these bits of an IP header change places, which no checksum minds. The frame's first bytes are of its
 * destination, which is written anew afterwards.
 */
const swap = (one: number, other: number): string =>
  `@ll,0,32 set @nh,${one},32; @nh,${one},32 set @nh,${other},32; @nh,${other},32 set @ll,0,32`
const six = [64, 96, 128, 160]
/**
 * A ping of a gateway goes back to where it came from as its answer (RFC 792, RFC 4443 section 4.2), and all else that is for a gateway's
 * own
 * address goes nowhere, pings in fragments too. An answer that the bridge gives for the gateway is for its own ports alone: each node gives
 * it to its own.
 *
 * `fwd` takes a hop off, asks the neighbours of the device and sends (net/netfilter/nft_fwd_netdev.c). Nobody is told of a packet whose
 * hops are used up, nor of one for whom there is no neighbour. What has no neighbour of its own but would be given one, groups and
 * broadcast, is no gateway's business.
 */
const rules = `
table ${whole} {
  map ${names.map} { type ifname : iface_index; }
  set ${sets.v4} { type ifname . ipv4_addr; }
  set ${sets.v6} { type ifname . ipv6_addr; }
  chain back {
    ether daddr set ether saddr
    ether saddr set ${gatewayMac}
    fwd to oifname map @${names.map}
  }
  chain echo4 {
    icmp type != echo-request drop
    icmp code != 0 drop
    ip frag-off & 0x3fff != 0 drop
    ${swap(96, 128)}
    ip ttl set 64
    icmp type set echo-reply
    goto back
  }
  chain echo6 {
    icmpv6 type != echo-request drop
    icmpv6 code != 0 drop
    ${six.map((at) => swap(at, at + 128)).join('; ')}
    ip6 hoplimit set 64
    icmpv6 type set echo-reply
    goto back
  }
  chain ${chains.bridge} {
    ether saddr ${gatewayMac} drop
    ether daddr != ${gatewayMac} return
    oifname . ip daddr @${sets.v4} goto echo4
    oifname . ip6 daddr @${sets.v6} goto echo6
    ip ttl <= 1 drop
    ip6 hoplimit <= 1 drop
    ip daddr { 0.0.0.0/8, 127.0.0.0/8, 169.254.0.0/16, 224.0.0.0/4, 240.0.0.0/4 } drop
    ip6 daddr { ::/127, fe80::/10, ff00::/8 } drop
    fwd ip to ip daddr device oifname map @${names.map}
    fwd ip6 to ip6 daddr device oifname map @${names.map}
    drop
  }
  chain ${chains.kernel} {
    ether saddr ${gatewayMac} drop
    ether daddr != ${gatewayMac} drop
    oifname . ip daddr @${sets.v4} goto echo4
    oifname . ip6 daddr @${sets.v6} goto echo6
    ip daddr { 0.0.0.0/8, 127.0.0.0/8, 169.254.0.0/16, 224.0.0.0/4, 240.0.0.0/4 } drop
    ip6 daddr { ::/127, fe80::/10, ff00::/8 } drop
    ether type != { ip, ip6 } drop
  }
  chain ${chains.nodes} {
    ether daddr ${gatewayMac} drop
    ether saddr != ${gatewayMac} return
    icmpv6 type { nd-neighbor-solicit, nd-neighbor-advert } drop
    ether type { ip, ip6 } return
    drop
  }
}
`
/** With a chain that shows whether the kernel has such hooks at all. */
const ruleset = `${rules}
table ${whole} { chain probe { type filter hook egress device lo priority 0; }; }
delete chain ${whole} probe
`
const own: readonly string[] = ['back', 'echo4', 'echo6', ...Object.values(chains)]
/** What the chain of a device does that is hooked: one for each destination. */
const hookedTo = (to: RouterEnd): string => `hooked-${to}`
const withHooked = `${rules}\n${routerEnds.map((to) => `table ${whole}-check { chain ${hookedTo(to)} { goto ${chains[to]}; }; }`).join('\n')}\n`
const refusalsThatARivalMakes = new Set<number>([errnos.ENOENT, errnos.EBUSY, errnos.EEXIST])

export class Routes {
  readonly #home: NodeKernel

  constructor(home: NodeKernel) {
    this.#home = home
  }

  /** @returns why not, where the kernel or its tools cannot */
  async makeTable(): Promise<string | undefined> {
    const isThere = async (): Promise<boolean> => (await this.#gateways(sets.v6)) !== undefined
    const reason = (await isThere()) ? await this.#mend() : await this.#home.makeTable(whole, ruleset, isThere)
    return reason === undefined ? undefined : `nftables refuses to route (${reason.split('\n')[0] ?? ''})`
  }

  /** Rules alone: devices that are hooked stay so. */
  async #mend(): Promise<string | undefined> {
    return (await this.#written()).isOurs ? undefined : this.#home.putRules(whole, rules, (chain) => own.includes(chain))
  }

  /** Whether the rules of its own chains are as they were put, and which devices are handed to them. */
  async #written(): Promise<{ readonly isOurs: boolean; readonly handed: (ifname: string) => RouterEnd | undefined }> {
    const [wanted, there] = await Promise.all([this.#home.compiled(whole, withHooked), this.#home.rulesOf(whole)])
    const textIn = (all: readonly ChainRule[], chains: readonly string[]): string =>
      chains.map((chain) => all.flatMap(({ chain: of, does }) => (of === chain ? [does] : [])).join(' ')).join('; ')
    if (wanted.length === 0) return { isOurs: true, handed: () => 'bridge' }
    return {
      isOurs: textIn(there, own) === textIn(wanted, own),
      handed: (ifname) => routerEnds.find((to) => textIn(there, [ifname]) === textIn(wanted, [hookedTo(to)])),
    }
  }

  async dropTable(): Promise<void> {
    await this.#home.dropTable(whole)
  }

  /** undefined: there is no table, or its rules are not ours. */
  async list(links: readonly Link[]): Promise<readonly (Router | AnsweringItem)[] | undefined> {
    const [map, hooked, v4, v6] = await Promise.all([this.#ways(), this.#hooked(), this.#gateways(sets.v4), this.#gateways(sets.v6)])
    const { isOurs, handed } = await this.#written()
    if (map === undefined || v4 === undefined || v6 === undefined || !isOurs) return undefined
    const indices = new Map(links.map(({ ifname, index }) => [ifname, index]))
    const ways = new Map(map.map(({ ifname, index }) => [ifname, index]))
    const hooks = new Set(hooked)
    const routers = [...new Set([...ways.keys(), ...hooks])].flatMap((ifname): readonly Router[] => {
      const vni = vniOfName(ifname)
      if (ifname !== tunnelName(vni) && ifname !== doorName(vni)) return []
      const to = handed(ifname)
      const right =
        hooks.has(ifname) &&
        to !== undefined &&
        indices.has(ifname) &&
        ways.get(ifname) !== undefined &&
        ways.get(ifname) === indices.get(bridgeName(vni))
      return [{ kind: 'router', vni, ifname, right, to: to ?? 'bridge' }]
    })
    return [...routers, ...[...v4, ...v6].map((each): AnsweringItem => ({ kind: 'gateway', ...each }))]
  }

  /** What is gone already is no fault. */
  async drop({ ifname }: Router): Promise<void> {
    for (const bytes of encodeUnhook(hookTable('bridge'), ifname)) await this.#drop(bytes)
  }

  /** What is gone already is no fault. */
  async dropAnswering(gateways: readonly AnsweringItem[]): Promise<void> {
    for (const each of gateways) await this.#drop(encodeGateways(sets, [each], 'drop'))
  }

  async #drop(bytes: Uint8Array): Promise<void> {
    const errno = await this.#home.change({ of: 'netfilter', bytes })
    if (errno !== 0 && errno !== errnos.ENOENT) throw refusedBy(what, errno)
  }

  /** @param bridge index of the VNI's bridge */
  async put(router: Router, bridge: number): Promise<void> {
    for (let times = 0; ; times++) {
      const errno = await this.#home.change({
        of: 'netfilter',
        bytes: encodeHook(hookTable(router.to), { ifname: router.ifname, index: bridge }),
      })
      if (errno === 0) return
      if (times >= triesMax || !refusalsThatARivalMakes.has(errno)) throw refusedBy(what, errno)
      // ENOENT: of the table or of the device; without the device, it stays that.
      if (errno === errnos.ENOENT) await this.makeTable()
      else await this.drop(router)
    }
  }

  async putAnswering(gateways: readonly AnsweringItem[]): Promise<void> {
    for (let times = 0; gateways.length > 0; times++) {
      const errno = await this.#home.change({ of: 'netfilter', bytes: encodeGateways(sets, gateways, 'put') })
      if (errno === 0) return
      if (times >= triesMax || !refusalsThatARivalMakes.has(errno)) throw refusedBy(what, errno)
      if (errno === errnos.ENOENT) await this.makeTable()
    }
  }

  #gateways(set: string): Promise<readonly Gateway[] | undefined> {
    return this.#home.list(what, { of: 'netfilter', bytes: encodeGatewaysDump(sets, set), read: readGateways, none: [errnos.ENOENT] })
  }

  #ways(): Promise<readonly Hook[] | undefined> {
    return this.#home.list(what, { of: 'netfilter', bytes: encodeMapDump(hookTable('bridge')), read: readMap, none: [errnos.ENOENT] })
  }

  #hooked(): Promise<readonly string[] | undefined> {
    return this.#home.list(what, {
      of: 'netfilter',
      bytes: encodeChainsDump(),
      read: (bytes) => readHooked(bytes, hookTable('bridge')),
      none: [errnos.ENOENT],
    })
  }
}
