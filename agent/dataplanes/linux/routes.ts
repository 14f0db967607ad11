// Routing between the Subnets of a VNI, by nftables at the tunnel's way out: what the bridge sends there for the gateway's MAC goes back
// into the bridge, to the MAC that the bridge's neighbours have for its destination. The table is made once, by the program nft; tunnels
// are hooked to it over netlink.
import { bridgeName, tunnelName, type Thing } from '../../../core/linux/things.ts'
import { gatewayMac } from '../../../core/pipeline/gateway-mac.ts'
import type { Link } from '../../../core/wire/netlink/link.ts'
import { encodeChainsDump, encodeHook, encodeMapDump, encodeUnhook, readHooked, readMap, type Hook, type HookTable } from '../../../core/wire/nft-hooks.ts'
import { errnos, refusedBy, triesMax, type Home } from './home.ts'

export type Router = Extract<Thing, { readonly is: 'router' }>
export const isRouter = (thing: Thing): thing is Router => thing.is === 'router'

const names: HookTable = { table: 'megrez', map: 'bridges', to: 'route' }
const what = 'a route between Subnets'
const whole = `netdev ${names.table}`
/**
 * `fwd` takes a hop off, asks the neighbours of the device and sends (net/netfilter/nft_fwd_netdev.c). Nobody is told of a packet whose
 * hops are used up, nor of one for whom there is no neighbour. What has no neighbour of its own but would be given one, groups and
 * broadcast, is no gateway's business. `probe` shows whether the kernel has such hooks at all.
 */
const ruleset = `
table ${whole} {
  map ${names.map} { type ifname : iface_index; }
  chain ${names.to} {
    ether daddr != ${gatewayMac} return
    ip ttl <= 1 drop
    ip6 hoplimit <= 1 drop
    ip daddr { 0.0.0.0/8, 127.0.0.0/8, 169.254.0.0/16, 224.0.0.0/4, 240.0.0.0/4 } drop
    ip6 daddr { ::/127, fe80::/10, ff00::/8 } drop
    fwd ip to ip daddr device oifname map @${names.map}
    fwd ip6 to ip6 daddr device oifname map @${names.map}
    drop
  }
  chain probe { type filter hook egress device lo priority 0; }
}
delete chain ${whole} probe
`
const refusalsThatARivalMakes = new Set<number>([errnos.ENOENT, errnos.EBUSY, errnos.EEXIST])

export class Routes {
  readonly #home: Home

  constructor(home: Home) {
    this.#home = home
  }

  /** @returns why not, where the kernel or its tools cannot */
  async makeTable(): Promise<string | undefined> {
    const reason = await this.#home.makeTable(whole, ruleset, async () => (await this.#ways()) !== undefined)
    return reason === undefined ? undefined : `nftables refuses to route (${reason.split('\n')[0] ?? ''})`
  }

  async dropTable(): Promise<void> {
    await this.#home.dropTable(whole)
  }

  /** undefined: there is no table. */
  async list(links: readonly Link[]): Promise<readonly Router[] | undefined> {
    const [map, hooked] = await Promise.all([this.#ways(), this.#hooked()])
    if (map === undefined) return undefined
    const indices = new Map(links.map(({ ifname, index }) => [ifname, index]))
    const ways = new Map(map.map(({ ifname, index }) => [ifname, index]))
    const hooks = new Set(hooked)
    return [...new Set([...ways.keys(), ...hooks])].flatMap((ifname) => {
      const vni = Number.parseInt(ifname.slice(4), 16)
      if (ifname !== tunnelName(vni)) return []
      const right = hooks.has(ifname) && indices.has(ifname) && ways.get(ifname) !== undefined && ways.get(ifname) === indices.get(bridgeName(vni))
      return [{ is: 'router', vni, right }]
    })
  }

  /** What is gone already is no fault. */
  async drop({ vni }: Router): Promise<void> {
    for (const bytes of encodeUnhook(names, tunnelName(vni))) {
      const errno = await this.#home.change({ of: 'netfilter', bytes })
      if (errno !== 0 && errno !== errnos.ENOENT) throw refusedBy(what, errno)
    }
  }

  /** @param bridge index of the VNI's bridge */
  async put(router: Router, bridge: number): Promise<void> {
    for (let times = 0; ; times++) {
      const errno = await this.#home.change({ of: 'netfilter', bytes: encodeHook(names, { ifname: tunnelName(router.vni), index: bridge }) })
      if (errno === 0) return
      if (times >= triesMax || !refusalsThatARivalMakes.has(errno)) throw refusedBy(what, errno)
      // ENOENT: of the table or of the tunnel; without the tunnel, it stays that.
      if (errno === errnos.ENOENT) await this.makeTable()
      else await this.drop(router)
    }
  }

  #ways(): Promise<readonly Hook[] | undefined> {
    return this.#home.list(what, { of: 'netfilter', bytes: encodeMapDump(names), read: readMap, none: [errnos.ENOENT] })
  }

  #hooked(): Promise<readonly string[] | undefined> {
    return this.#home.list(what, { of: 'netfilter', bytes: encodeChainsDump(), read: (bytes) => readHooked(bytes, names), none: [errnos.ENOENT] })
  }
}
