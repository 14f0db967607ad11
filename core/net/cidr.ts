// Blocks of addresses, and which of a block's addresses may be handed out.
import { bitsOf, parseIp, parsePlainIp, printIp, type Ip } from './ip.ts'

export interface Cidr {
  readonly family: 4 | 6
  readonly first: bigint
  readonly last: bigint
  readonly length: number
}

/** A block from text, or undefined. Host bits must be zero: `10.0.0.5/24` names an address, not a block. */
export function parseCidr(text: string): Cidr | undefined {
  const match = /^([^/]+)\/(0|[1-9]\d{0,2})$/.exec(text)
  const ip = match?.[1] === undefined ? undefined : parseIp(match[1])
  const length = Number(match?.[2])
  if (ip === undefined || length > bitsOf(ip.family)) return undefined
  const block = blockOf(ip, length)
  return block.first === ip.value ? block : undefined
}

/** A block of addresses that interfaces can have (parsePlainIp). */
export function parsePlainCidr(text: string): Cidr | undefined {
  const cidr = parseCidr(text)
  return parsePlainIp(text.split('/')[0] ?? '') === undefined ? undefined : cidr
}

export function blockOf(ip: Ip, length: number): Cidr {
  const host = (1n << BigInt(bitsOf(ip.family) - length)) - 1n
  const first = ip.value & ~host
  return { family: ip.family, first, last: first | host, length }
}

export function printCidr(cidr: Cidr): string {
  return `${printIp({ family: cidr.family, value: cidr.first })}/${cidr.length}`
}

export function contains(cidr: Cidr, ip: Ip): boolean {
  return cidr.family === ip.family && cidr.first <= ip.value && ip.value <= cidr.last
}

/** The block of each family that has every address of it. */
export const everywhere: readonly [string, string] = ['0.0.0.0/0', '::/0']

/** @param block as text; what is none contains nothing */
export function isInBlock(block: string, ip: Ip): boolean {
  const cidr = parseCidr(block)
  return cidr !== undefined && contains(cidr, ip)
}

/** All of the inner one is in the outer one. */
export const encloses = (outer: Cidr, inner: Cidr): boolean =>
  outer.family === inner.family && inner.first >= outer.first && inner.last <= outer.last

/** Those that lie in no other, each once. */
export function outermost(blocks: readonly string[]): readonly string[] {
  const all = [...new Map(blocks.flatMap((text) => parseCidr(text) ?? []).map((cidr) => [printCidr(cidr), cidr] as const))]
  return all.filter(([text, cidr]) => !all.some(([other, wider]) => other !== text && encloses(wider, cidr))).map(([text]) => text)
}

/** What is left of a block, in as few as there are. */
export function without(block: Cidr, holes: readonly Cidr[]): readonly Cidr[] {
  const inside = holes.filter((hole) => overlaps(hole, block))
  if (inside.length === 0) return [block]
  if (inside.some((hole) => encloses(hole, block))) return []
  const { family, first, last, length } = block
  const middle = first + (last - first + 1n) / 2n
  return [
    ...without({ family, first, last: middle - 1n, length: length + 1 }, inside),
    ...without({ family, first: middle, last, length: length + 1 }, inside),
  ]
}

export function overlaps(a: Cidr, b: Cidr): boolean {
  return a.family === b.family && a.first <= b.last && b.first <= a.last
}

/**
 * The addresses a block offers where its Subnet says nothing else (KOS): from the third to the last but one when
 * there are five or more, else all. IPv6 has no broadcast address, so its last one is offered.
 */
export function usable(cidr: Cidr): { readonly first: bigint; readonly last: bigint } {
  if (cidr.last - cidr.first < 4n) return { first: cidr.first, last: cidr.last }
  return { first: cidr.first + 2n, last: cidr.family === 4 ? cidr.last - 1n : cidr.last }
}

/** The gateway of a block that names none: its second address; none for blocks of fewer than five. */
export function defaultGateway(cidr: Cidr): Ip | undefined {
  return cidr.last - cidr.first < 4n ? undefined : { family: cidr.family, value: cidr.first + 1n }
}
