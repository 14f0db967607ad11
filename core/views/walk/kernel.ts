// What a packet meets in the kernel: chains of nftables and devices, as a node would have them.
import { tableNames } from '../../linux/linux-items.ts'
import { Bridges, tunnel } from '../../linux/model/bridge.ts'
import { inOrder, Things } from '../../linux/model/things.ts'
import { linuxRenderer } from '../../linux/render.ts'
import type { LocalPort } from '../../node/wanted.ts'
import type { NodePieces } from '../../pieces/piece-set.ts'
import { portPiece } from '../../pieces/port.ts'
import { tunId, tunSrc } from '../../pipeline/openflow/fields.ts'
import { ipv4Value } from '../../pipeline/openflow/values.ts'
import { itemsOf } from '../../plan/node/items.ts'
import { hosts } from './carried.ts'
import { pairsJudged, type Walked, type WalkedPart, type WalkedPlane } from './walked.ts'

const renderer = linuxRenderer({ tunnelAddress: hosts.here, l4Port: 4789 })

export const kernelWalk: WalkedPlane = {
  renderer,
  pairsMost: pairsJudged,
  isInVlans: false,
  walk(pieces, arrival) {
    const things = new Things(() => true)
    for (const thing of inOrder([...itemsOf(renderer, pieces)].map(({ value }) => value))) things.put(thing)
    const met: string[] = []
    const bridges = new Bridges(things, (place) => void met.push(place))
    const { frame, by, vni, host } = arrival
    const outs =
      by === 'tunnel'
        ? bridges.take(new Map([...frame, [tunId, vni] as const, [tunSrc, ipv4Value(host)] as const]), tunnel)
        : bridges.take(frame, ifcNameOf(by, pieces))
    const comesOut = outs.length > 0
    return { steps: stepsOf(met, comesOut), tracked: [], comesOut }
  },
}

const ifcNameOf = (number: number, pieces: NodePieces): string =>
  [...(pieces.values(portPiece) as Iterable<LocalPort>)].find((port) => port.number === number)?.ifcName ?? ''

const ofSender: readonly string[] = [
  `${tableNames.guard} source`,
  `${tableNames.guard} check`,
  ...['sent', 'out', 'out4', 'out6', 'decided-out'].map((chain) => `${tableNames.policies} ${chain}`),
  `${tableNames.traffic} sending`,
]
const ofReceiver: readonly string[] = [
  ...['received', 'in', 'in4', 'in6', 'decided-in'].map((chain) => `${tableNames.policies} ${chain}`),
  `${tableNames.traffic} getting`,
]

const partOf = (place: string): WalkedPart => (ofSender.includes(place) ? 'sending' : ofReceiver.includes(place) ? 'receiving' : 'between')

/** In a chain it ends by a rule that drops, the last that it meets there. */
const stepsOf = (met: readonly string[], comesOut: boolean): Walked['steps'] =>
  met.map((place, i) => ({
    place: !comesOut && i === met.length - 1 && place.includes(' ') ? `${place} drop` : place,
    part: partOf(place),
  }))
