// Routing between the Subnets of a VNI, by nftables at the tunnel's way out: what the bridge sends there for the gateway's MAC goes back
// into the bridge, to the MAC that the bridge's neighbours have for its destination. The table is made once, by the program nft; tunnels
// are hooked to it over netlink.
import { LinkRefused } from '../../../core/errors.ts'
import { bridgeName, tunnelName, type Thing } from '../../../core/linux/things.ts'
import { gatewayMac } from '../../../core/pipeline/gateway-mac.ts'
import type { Link } from '../../../core/wire/netlink/link.ts'
import { transactionErrno } from '../../../core/wire/nft.ts'
import { encodeChainsDump, encodeHook, encodeMapDump, encodeUnhook, readHooked, readMap, type HookTable } from '../../../core/wire/nft-hooks.ts'
import { run, type Outcome } from '../../../platform/programs/run.ts'
import { netlinkProtocol, type Addon } from '../../native/addon.ts'

export type Router = Extract<Thing, { readonly is: 'router' }>
export const isRouter = (thing: Thing): thing is Router => thing.is === 'router'

const names: HookTable = { table: 'megrez', map: 'bridges', to: 'route' }
/**
 * `fwd` takes a hop off, asks the neighbours of the device and sends (net/netfilter/nft_fwd_netdev.c). Nobody is told of a packet whose
 * hops are used up, nor of one for whom there is no neighbour. What has no neighbour of its own but would be given one, groups and
 * broadcast, is no gateway's business. `probe` shows whether the kernel has such hooks at all.
 */
const ruleset = `
table netdev ${names.table}
delete table netdev ${names.table}
table netdev ${names.table} {
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
delete chain netdev ${names.table} probe
`
/** linux/errno.h */
const [enoent, eexist, ebusy] = [2, 17, 16]
const triesMax = 8

export class Routes {
  readonly #addon: Addon
  readonly #home: string | undefined

  constructor(addon: Addon, home: string | undefined) {
    this.#addon = addon
    this.#home = home
  }

  /** @returns why not, where the kernel or its tools cannot */
  async makeTable(): Promise<string | undefined> {
    if (await this.#isThere()) return undefined
    const { code, stderr } = await this.#nft(['-f', '-'], ruleset)
    // A rival may have been faster: its table is as good.
    if (code === 0 || (await this.#isThere())) return undefined
    return `nftables refuses to route (${stderr.trim().split('\n')[0] ?? ''})`
  }

  async dropTable(): Promise<void> {
    await this.#nft(['delete', 'table', 'netdev', names.table])
  }

  /** undefined: there is no table. */
  async list(links: readonly Link[]): Promise<readonly Router[] | undefined> {
    const [map, hooked] = await Promise.all([this.#dump(encodeMapDump(names), readMap), this.#dump(encodeChainsDump(), (bytes) => readHooked(bytes, names))])
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
      const errno = await this.#change(bytes)
      if (errno !== 0 && errno !== enoent) throw refused(errno)
    }
  }

  /** @param bridge index of the VNI's bridge */
  async put(router: Router, bridge: number): Promise<void> {
    for (let times = 0; ; times++) {
      const errno = await this.#change(encodeHook(names, { ifname: tunnelName(router.vni), index: bridge }))
      if (errno === 0) return
      if (times >= triesMax || ![enoent, eexist, ebusy].includes(errno)) throw refused(errno)
      // ENOENT: of the table or of the tunnel; without the tunnel, it stays that.
      if (errno === enoent) await this.makeTable()
      else await this.drop(router)
    }
  }

  async #isThere(): Promise<boolean> {
    return (await this.#dump(encodeMapDump(names), readMap)) !== undefined
  }

  async #dump<T>(ask: Uint8Array, read: (bytes: Uint8Array) => { readonly all: readonly T[]; readonly errno: number; readonly whole: boolean }): Promise<readonly T[] | undefined> {
    for (let times = 0; ; times++) {
      const { all, errno, whole } = read(await this.#ask(ask))
      if (errno === enoent) return undefined
      if (errno === 0 && whole) return all
      if (times >= triesMax) throw refused(errno)
    }
  }

  async #change(bytes: Uint8Array): Promise<number> {
    return transactionErrno(await this.#ask(bytes))
  }

  #ask(bytes: Uint8Array): Promise<Buffer> {
    return this.#addon.once(this.#home, netlinkProtocol.netfilter, bytes, undefined)
  }

  #nft(args: readonly string[], input = ''): Promise<Outcome> {
    return this.#home === undefined ? run('nft', args, { input }) : run('nsenter', [`--net=${this.#home}`, '--', 'nft', ...args], { input })
  }
}

const refused = (errno: number) => new LinkRefused({ what: 'a route between Subnets', reason: `errno ${errno}` })
