// An address for each end, from the blocks of this endpoint: the same over refreshes, given back with the connection.
import { ChainRefused } from '../../../../core/errors.ts'
import { AddressPool, type Pair } from '../../../../core/nsm/connection/address-pool.ts'
import { noAddresses, onlyOf, withoutPair, withPair } from '../../../../core/nsm/connection/ip-context.ts'
import { contains, parseCidr, type Cidr } from '../../../../core/net/cidr.ts'
import { addressOf } from '../../../../core/nsm/connection/address-pool.ts'
import type { Connection } from '../../../../core/wire/nsm/connection.ts'
import type { IpContext } from '../../../../core/wire/nsm/context.ts'
import type { Element } from '../chain.ts'
import { slot, type ConnectionMemory, type Visit } from '../visit.ts'

export interface IpamOptions {
  readonly blocks: readonly Cidr[]
  /** Addresses that another endpoint has given are taken off; NSM's point-to-point IPAM keeps them. */
  readonly strict: boolean
}

interface Held {
  readonly pool: AddressPool
  readonly pair: Pair
}
const held = slot<Held>('ipam')
/** Blocks that a client may exclude. */
const mostExcluded = 1_024

export function ipam({ blocks, strict }: IpamOptions): Element {
  const pools = blocks.map((block) => new AddressPool(block))
  const free = (kept: ConnectionMemory): void => {
    const { pool, pair } = kept.take(held) ?? {}
    if (pair !== undefined) pool?.give(pair)
  }
  const request: Element['request'] = async (visit, next) => {
    const wanted = ipContextOf(visit.connection)
    const excluded = blocksOf(wanted.excludedPrefixes)
    const own = strict ? onlyOf(blocks, wanted) : wanted
    const before = visit.kept.get(held)
    const gone = before !== undefined && isExcluded(before.pair, excluded) ? before : undefined
    if (gone !== undefined) free(visit.kept)
    const context = gone === undefined ? own : withoutPair(own, gone.pair)
    const has = visit.kept.get(held)
    const pair = has ?? taken(pools, context, excluded)
    visit.kept.set(held, pair)
    try {
      return await next.request(withIpContext(visit, withPair(context, pair.pair)))
    } catch (err) {
      if (has === undefined) free(visit.kept)
      throw err
    }
  }
  return {
    name: 'ipam',
    request,
    async close(visit, next) {
      free(visit.kept)
      await next.close(visit)
    },
  }
}

/** What the connection had here before, where that is free; else the lowest two of the first block that has as many. */
function taken(pools: readonly AddressPool[], { srcIpAddrs, dstIpAddrs }: IpContext, excluded: readonly Cidr[]): Held {
  for (const pool of pools) {
    const pair = pool.takeAgain(srcIpAddrs, dstIpAddrs, excluded)
    if (pair !== undefined) return { pool, pair }
  }
  for (const pool of pools) {
    const pair = pool.takePair(excluded)
    if (pair !== undefined) return { pool, pair }
  }
  throw new ChainRefused({ reason: 'IPPool is empty' })
}

const ipContextOf = ({ context }: Connection): IpContext => context?.ipContext ?? noAddresses
const withIpContext = (visit: Visit, ipContext: IpContext): Visit => ({
  ...visit,
  connection: { ...visit.connection, context: { extraContext: new Map(), mtu: 0, ...visit.connection.context, ipContext } },
})

/** What is none is left out, as NSM does. @throws ChainRefused where there are too many */
function blocksOf(texts: readonly string[]): readonly Cidr[] {
  if (texts.length > mostExcluded) throw new ChainRefused({ reason: `${texts.length} excluded prefixes are more than ${mostExcluded}` })
  return texts.flatMap((text) => parseCidr(text) ?? [])
}

function isExcluded({ client, endpoint }: Pair, excluded: readonly Cidr[]): boolean {
  return [client, endpoint].some((text) => {
    const ip = addressOf(text)
    return ip !== undefined && excluded.some((block) => contains(block, ip))
  })
}
