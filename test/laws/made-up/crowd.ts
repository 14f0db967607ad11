// A made-up kind of pieces that is made of pieces of two other kinds: all addresses of a VNI that are on one node, as one item.
import type { LocalPort } from '../../../core/node/wanted.ts'
import { endpointPiece } from '../../../core/pieces/endpoint.ts'
import { gives, madeOf, type PieceKind } from '../../../core/pieces/kind.ts'
import { memoryItem } from '../../../core/pieces/memory-item.ts'
import { portPiece } from '../../../core/pieces/port.ts'
import { set } from '../../../core/pipeline/openflow/actions.ts'
import { is } from '../../../core/pipeline/openflow/flow.ts'
import { flowsOf } from '../../../core/pipeline/items.ts'
import { inVni, to } from '../../../core/pipeline/match.ts'
import { owners } from '../../../core/pipeline/registers.ts'
import { places } from '../../../core/pipeline/tables.ts'

export interface Crowd {
  readonly vni: number
  readonly on: string
  readonly addresses: readonly string[]
}

const because = ({ vni, on }: Crowd) => ({ rule: 'a crowd', of: { kind: 'SegmentLock', name: `vni-${vni}-${on}` } }) as const
const ofPort = ({ attachment, addresses }: LocalPort): readonly (readonly [string, string])[] =>
  attachment.kind === 'vni' ? addresses.map((address) => [`${attachment.vni} here`, address] as const) : []
/** A number that is another one for other addresses. */
const numberOf = (addresses: readonly string[]): number =>
  [...addresses.join(' ')].reduce((sum, letter) => (Math.imul(sum, 31) + letter.charCodeAt(0)) >>> 0, 0)
/** The host as a number in a register, so that each has a flow of its own. */
const hostOf = (on: string): number => numberOf([on]) % 65_536

export const crowdPiece: PieceKind<Crowd> = {
  name: 'Crowd',
  key: ({ vni, on }) => `${vni} ${on}`,
  sources: [],
  made: madeOf(
    [gives(endpointPiece, ({ vni, hostIP, address }) => [[`${vni} ${hostIP}`, address]]), gives(portPiece, ofPort)],
    (key, addresses) => {
      const [vni = '', on = ''] = key.split(' ')
      return { vni: Number(vni), on, addresses }
    },
  ),
  planes: {
    memory: { items: (crowd) => [memoryItem(`crowd/${crowd.vni}/${crowd.on}`, crowd.addresses.join(' '), because(crowd))] },
    ovs: {
      items: (crowd, _, { bridge }) => [
        flowsOf(bridge, { feature: 'chain', because: because(crowd) })(
          'chain',
          100,
          [inVni(crowd.vni), is(owners.qos.field, hostOf(crowd.on))],
          [set(owners.subject.field, numberOf(crowd.addresses)), to(places.chain)],
        ),
      ],
    },
    bess: 'it is made up',
    linux: 'it is made up',
  },
}
