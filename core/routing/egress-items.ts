// What of a VNI leaves by the node itself: what its routers know nothing of, from the node's own address or from one of a pool.
import { encloses, everywhere, outermost, parseCidr } from '../net/cidr.ts'
import { canonicalIp } from '../net/ip.ts'
import { mainTable, ownTableOf } from '../net/route-table.ts'
import type { LocalPort, Segment, SegmentRouter } from '../node/wanted.ts'
import { senderMark, egressNumber, versionOf } from './egress-things.ts'
import { hostBlocksOf, hostRoute } from './host-routes.ts'
import type { KernelRoute } from './kernel-routes.ts'

interface Priorities {
  /** Behind all that a router knows. */
  readonly out: number
  /** Before what goes to a block that is announced: another VNI may have the same addresses. */
  readonly back: number
}

/**
 * What a router knows goes as it says or not at all: that a session of BGP is down sends nothing out by another address.
 *
 * @param routed as much of the Segment as its own router is rendered with
 */
export function egressRoutes(
  { vni, subnets, router, l3 = [], routedBlocks = [] }: Segment,
  { out, back }: Priorities,
): readonly KernelRoute[] {
  if (router?.egress === undefined) return []
  const { egress, blocks, elsewhere = [], ways, peers = [] } = router
  const known = [...l3, ...[...subnets, ...routedBlocks, ...blocks, ...elsewhere].map(({ cidr }) => cidr), ...ways.map(({ to }) => to)]
  const all = [...egress.except, ...known, ...peers.flatMap((peer) => peer.blocks)]
  const number = egressNumber(router.number)
  return egress.sources.flatMap((source): readonly KernelRoute[] => {
    const version = versionOf(source)
    const ofFamily = (cidrs: readonly string[]): readonly string[] => outermost(cidrs.filter((each) => versionOf(each) === version))
    const except = ofFamily(all)
    const to = ofFamily(egress.to).filter((each) => !except.some((other) => encloses(parseCidr(other)!, parseCidr(each)!)))
    const any = everywhere[version === 4 ? 0 : 1]
    if (to.length === 0) return []
    return [
      { kind: 'egress', vni, number: router.number, source: canonicalIp(source) ?? source, to, except },
      { kind: 'rule', priority: out, vni, to: any, mark: number, table: mainTable },
      { kind: 'rule', priority: back, to: any, mark: number, table: ownTableOf(vni) },
      // Of a pool: this node has it. What is no answer comes as far as the table of translations, and is told so.
      ...hostBlocksOf(router, source).map(({ table }): KernelRoute => ({ kind: 'route', table, to: hostRoute(source), vni })),
    ]
  })
}

/** What a Port's connections are known by: they end when it goes, and nobody else gets their answers. */
export const egressSenders = ({ addresses, number }: LocalPort, vni: number, router: SegmentRouter): readonly KernelRoute[] =>
  router.egress === undefined
    ? []
    : addresses.map((address) => ({
        kind: 'sender',
        vni,
        address: canonicalIp(address) ?? address,
        mark: senderMark(egressNumber(router.number), number),
      }))
