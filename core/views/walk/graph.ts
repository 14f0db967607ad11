// What a packet meets in the graph of BESS: the modules that a node would have are gone through as bessd goes through them. The number of
// a port is its node's own, so a module of a port is told of as docs/bess.md draws it.
import { Graph } from '../../graph/model/graph.ts'
import { run } from '../../graph/model/run.ts'
import { graphRenderer } from '../../graph/renderer.ts'
import { hexOf, outerOf } from '../../pipeline/model/bytes.ts'
import { ipv4Value } from '../../pipeline/openflow/values.ts'
import { itemsOf } from '../../plan/node/items.ts'
import { hosts } from './carried.ts'
import { pairsJudged, type Arrival, type WalkedPart, type WalkedPlane } from './walked.ts'

const uplink = { ifcName: 'uplink', mac: '02:00:00:00:00:01', address: hosts.here, l4Port: 4789 } as const
const renderer = graphRenderer({ uplink, dpdkBy: 'vhost-user', socketFolder: '/run/megrez' })

export const graphWalk: WalkedPlane = {
  renderer,
  pairsMost: pairsJudged,
  isInVlans: false,
  walk(pieces, arrival) {
    const graph = new Graph()
    graph.putAll([...itemsOf(renderer, pieces)].map(({ value }) => value))
    const met: string[] = []
    const outs: string[] = []
    run(
      graph,
      arrival.by === 'tunnel' ? 'up.in' : `in.${arrival.by}`,
      { bytes: bytesOf(arrival), metadata: new Map() },
      { port: (role) => void outs.push(role), tunnel: () => void outs.push(...intoTunnel), met: (role) => void met.push(role) },
    )
    if (outs.includes('up.out')) met.push(...intoTunnel)
    return { steps: met.map((role) => ({ place: placeOf(role), part: partOf(role) })), tracked: [], comesOut: outs.length > 0 }
  },
}

/** Behind `nexthop`, whose rules are the data plane's own. */
const intoTunnel = ['hop.HOST', 'etherencap', 'up.out'] as const

function bytesOf({ frame, by, vni, host }: Arrival): string {
  if (by !== 'tunnel') return hexOf(frame)
  return outerOf({ vni, from: ipv4Value(host), to: ipv4Value(hosts.here), l4Port: uplink.l4Port }) + hexOf(frame)
}

/** A module, by its role. */
export const placeOf = (role: string): string =>
  role.replace(/^((?:in|meta|guard|nd|na|chk|out|tx)|(?:flood|loose)\.\d+\.from)\.\d+$/, '$1.N')

const ofSender = /^(in|meta|guard|nd|na|kind|may|sent|mark4|mark6|low6|sum4|marked|four|six|bum)(\.|$)/
const ofReceiver = /^((chk|give|out|tx)(\.|$)|(kind|may)\.in$)/

/** Whose address the other end has, and at which addresses an identity may be talked to, is between the two. */
function partOf(role: string): WalkedPart {
  if (ofReceiver.test(role)) return 'receiving'
  return ofSender.test(role) && role !== 'bum.in' ? 'sending' : 'between'
}
