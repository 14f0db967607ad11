// Who may be at the other end of an interface in a VLAN, as far as rules tell them apart: nobody is known there, so they are blocks of
// addresses, each without what is in a narrower one, and MACs where frames that are no IP are meant.
import type { RuleSetSpec } from '../../kinds/policy/policy-rule-set.ts'
import { unknown } from '../../kinds/policy/tiers.ts'
import { contains, encloses, parseCidr, type Cidr } from '../../net/cidr.ts'
import { printIp, type Ip } from '../../net/ip.ts'
import type { TraceEnd } from '../trace/trace.ts'

export interface Other {
  /** A block, or a MAC. */
  readonly name: string
  /** Somebody who stands for all of it. */
  readonly end: TraceEnd
}

/** Of either kind at most: a tenant's policies may name thousands. */
export const othersMost = 64

/** Of these each is held against each: a policy may name 16,384. */
const blocksMost = 1_024

/** Blocks that rules name, in order, and everybody else: one more than `othersMost` where there are more. */
export function blocksApart(sets: readonly RuleSetSpec[], family: 4 | 6): readonly Other[] {
  const named = new Set(sets.flatMap(({ rules }) => rules.flatMap(({ peers }) => peers?.blocks ?? [])))
  const everybody = family === 4 ? '0.0.0.0/0' : '::/0'
  const blocks = [...[...named].filter((name) => name !== everybody), everybody]
    .flatMap((name) => {
      const cidr = parseCidr(name)
      return cidr?.family === family ? [{ name, cidr }] : []
    })
    .slice(-blocksMost)
    .sort(widestFirst)
  const cidrs = blocks.map(({ cidr }) => cidr)
  return blocks
    .values()
    .flatMap(({ name, cidr }) => {
      const ip = aloneIn(cidr, cidrs)
      return ip === undefined ? [] : [{ name, end: { address: printIp(ip), identity: unknown } }]
    })
    .take(othersMost + 1)
    .toArray()
}

const widestFirst = (a: { readonly cidr: Cidr }, b: { readonly cidr: Cidr }): number =>
  a.cidr.length - b.cidr.length || (a.cidr.first < b.cidr.first ? -1 : 1)

/** An address of a block that is in no narrower one: where there is any, it is the block's first, or the next behind a narrower one. */
function aloneIn(block: Cidr, all: readonly Cidr[]): Ip | undefined {
  const narrower = all.filter((each) => each.length > block.length && encloses(block, each))
  return [block.first, ...narrower.map(({ last }) => last + 1n)]
    .map((value) => ({ family: block.family, value }))
    .find((ip) => contains(block, ip) && !narrower.some((each) => contains(each, ip)))
}

/** Of the range of documents (RFC 7042 section 2.1.1), where rules name none of it. */
const anyOtherMac = '00:00:5e:00:53:ff'

/** MACs that rules name, and any other: all that there are. */
export function macsApart(macs: ReadonlySet<string>): readonly Other[] {
  const others = [...macs].filter((mac) => mac !== anyOtherMac).sort()
  return [...others.map((mac) => ({ name: mac, mac })), { name: 'any other MAC', mac: anyOtherMac }].map(({ name, mac }) => ({
    name,
    end: { address: '', mac, identity: unknown },
  }))
}
