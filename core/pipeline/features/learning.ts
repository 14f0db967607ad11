// MACs that nobody told of, in a VNI that floods: who sends says where it is. What was told stands in the table `forward`, which is asked
// first.
import { kosMacsOf } from '../../net/mac.ts'
import { gatewayMac } from '../../net/gateway-mac.ts'
import type { Because } from '../../node/because.ts'
import { learntMax, learntSeconds } from '../../node/broadcast.ts'
import type { Segment } from '../../node/wanted.ts'
import { cookieOf } from '../cookie.ts'
import { ethDst, ethSrc, tunDst, tunIpv6Dst, tunIpv6Src, tunSrc } from '../openflow/fields.ts'
import { bits, type Copied, type Learn } from '../openflow/actions.ts'
import { is, isMasked } from '../openflow/flow.ts'
import { flowsOf, type SwitchItem } from '../items.ts'
import { groupBit, inVni, ofAny, ofPort, to } from '../match.ts'
import { owners } from '../registers.ts'
import { numbers } from '../settings.ts'
import { tables } from '../tables.ts'
import { macValue } from '../openflow/values.ts'

const { vni: inside, source, learnt, out } = owners
/** Nobody is at the address of a group. */
const isOne = isMasked(ethSrc, 0, groupBit)
const gateway = macValue(gatewayMac)

/** What nodes have routed comes from all of them with one MAC. */
export const learningBase = (flow: ReturnType<typeof flowsOf>): readonly SwitchItem[] => [
  flow('learn', 110, [ofAny('tunnel'), is(ethSrc, gateway)], [to('forward')]),
  flow('learn', 10, [ofAny('tunnel')], [to('forward')]),
]

/**
 * A Port has its share of what a node learns in a VNI, whatever other Ports of that do, and what is learnt of it goes with it. One that is
 * guarded teaches the MACs of its allowed pairs alone. What comes by tunnels has as many places together: so a MAC that moves to another
 * node, or from there, is followed, and is sent to alone. MACs of KOS's function are those of Ports, which are told: tunnels teach none.
 */
export function learningFlows(bridge: string, { vni, hosts, loose = [] }: Segment, because: Because): readonly SwitchItem[] {
  const flow = flowsOf(bridge, { feature: 'flood', owner: vni, because })
  const share = Math.max(1, Math.floor(learntMax / loose.length))
  const learn = (number: number, most: number, where: readonly Copied[]): Learn => ({
    do: 'learn',
    table: tables.learnt.number,
    priority: 100,
    cookie: cookieOf('learnt', number * 2 ** 24 + vni),
    ageSeconds: learntSeconds,
    most,
    match: [
      { to: inside, of: inside },
      { to: bits(ethDst), of: bits(ethSrc) },
    ],
    loads: [{ to: learnt, of: 1 }, ...where],
  })
  const here = (number: number): Learn => learn(number, share, [{ to: out, of: source }])
  const there = (host: string): Learn => learn(0, learntMax, [{ to: out, of: numbers.tunnel }, tunnelBack(host)])
  const ofPorts = kosMacsOf(vni)
  const [host] = hosts
  return [
    ...loose.map((number) => flow('learn', 100, [inVni(vni), ofPort(number), isOne], [here(number), to('ask')])),
    ...(host === undefined ? [] : [flow('learn', 100, [inVni(vni), ofAny('tunnel'), isOne], [there(host), to('forward')])]),
    ...(host === undefined || ofPorts === undefined
      ? []
      : [flow('learn', 110, [inVni(vni), ofAny('tunnel'), isMasked(ethSrc, ofPorts.value, ofPorts.mask)], [to('forward')])]),
  ]
}

/** Tunnels of one node are of one family. */
const tunnelBack = (host: string): Copied =>
  host.includes(':') ? { to: bits(tunIpv6Dst), of: bits(tunIpv6Src) } : { to: bits(tunDst), of: bits(tunSrc) }
