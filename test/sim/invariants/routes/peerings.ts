// What nodes were told of Vpcs that are peered: now, and by words that may still be in force on a node.
import { isInBlock } from '../../../../core/net/cidr.ts'
import { parseIp } from '../../../../core/net/ip.ts'
import type { Resource } from '../../../../core/kinds/index.ts'

type Peering = Resource<'VpcPeering'>

interface ToldPeer {
  readonly from: number
  readonly into: number
  /** Of the sender's VNI, and of the other. */
  readonly own: readonly string[]
  readonly blocks: readonly string[]
  /** When something else was told. */
  until: number
}
export interface PeerPacket {
  readonly from: number
  readonly into: number
  /** Absent: from whatever address it may be. */
  readonly source?: string
  readonly destination: string
}

export class Peerings {
  /** By UID of the VpcPeering. */
  readonly #told = new Map<string, ToldPeer[]>()
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  /** @returns whether nodes are told of something else */
  take(before: Peering | undefined, after: Peering | undefined): boolean {
    const [was, is] = [before, after].map((each) => each && toldBy(each))
    if (JSON.stringify(was) === JSON.stringify(is)) return false
    const { uid } = (after ?? before)!.metadata
    const all = this.#told.get(uid) ?? []
    const last = all.at(-1)
    if (last?.until === Number.POSITIVE_INFINITY) last.until = this.#now()
    this.#told.set(uid, is === undefined ? all : [...all, { ...is, until: Number.POSITIVE_INFINITY }])
    return true
  }

  /** @param since what was over by then counts no more */
  allow({ from, into, source, destination }: PeerPacket, since: number): boolean {
    return [...this.#told.values()]
      .flat()
      .some(
        (told) =>
          told.until >= since &&
          told.from === from &&
          told.into === into &&
          isIn(destination, told.blocks) &&
          (source === undefined || isIn(source, told.own)),
      )
  }
}

function toldBy({ status: { vni, peer, blocks = [] } = {} }: Peering): Omit<ToldPeer, 'until'> | undefined {
  return vni === undefined || peer === undefined ? undefined : { from: vni, into: peer.vni, own: blocks, blocks: peer.blocks }
}

function isIn(address: string, blocks: readonly string[]): boolean {
  const ip = parseIp(address)
  return ip !== undefined && blocks.some((block) => isInBlock(block, ip))
}
