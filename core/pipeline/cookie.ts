// The 64 bits of a flow's cookie: whose flow it is, which part of the pipeline made it, and for which object.
//
//     63      56 55   52 51      48 47                              0
//     |  mark   | feature| layout  |             owner               |
//
//   mark    56..63  0x4d, "M": a flow of ours; flows with anything else there are left alone
//   feature 52..55  the part of the pipeline, by its number in `features`
//   layout  48..51  counted up, modulo 16, whenever tables or registers change their meaning: flows of another layout are replaced
//   owner    0..47  of ports and endpoints the MAC as a number, which for KOS's MACs is KOS's own cookie; of segments the VNI; of rules of
//                   policies what rule-owner.ts says; of what the switch has learnt the VNI, and above it the number of the port; else 0

export const mark = 0x4d
export const layout = 2

/** Parts of the pipeline, by their number in the cookie: only ever added to. */
export const features = [
  'base',
  'classify',
  'guard',
  'neighbour',
  'forward',
  'gateway',
  'flood',
  'policy',
  'qos',
  'chain',
  'uplink',
  'rule',
  'learnt',
  'inspection',
] as const
export type Feature = (typeof features)[number]

/** Two halves of 32 bits, unsigned: a bigint for each of 100,000 flows is time and memory. */
export interface Cookie {
  readonly high: number
  readonly low: number
}

type Heads = Readonly<Record<Feature, number>>
const headOf = (number: number): number => mark * 2 ** 24 + number * 2 ** 20 + layout * 2 ** 16
const heads = Object.fromEntries(features.map((feature, i) => [feature, headOf(i)])) as Heads

/** @param owner 48 bits */
export const cookieOf = (feature: Feature, owner = 0): Cookie => ({
  high: heads[feature] + Math.floor(owner / 2 ** 32),
  low: owner % 2 ** 32,
})

/** What all flows of ours have in common, and the bits to look at for it. */
export const ours: { readonly value: Cookie; readonly mask: Cookie } = {
  value: { high: mark * 2 ** 24, low: 0 },
  mask: { high: 0xff000000, low: 0 },
}

/** The same of one part of the pipeline. */
export const oursOf = (feature: Feature): typeof ours => ({ value: cookieOf(feature), mask: { high: 0xffff0000, low: 0 } })

const hex = (value: number): string => value.toString(16).padStart(8, '0')
export const printCookie = ({ high, low }: Cookie): string => `0x${hex(high)}${hex(low)}`

/** What a cookie of ours says; undefined: not ours. */
export function readCookie({
  high,
  low,
}: Cookie): { readonly feature: Feature | undefined; readonly layout: number; readonly owner: number } | undefined {
  if (Math.floor(high / 2 ** 24) !== mark) return undefined
  return { feature: features[(high >>> 20) & 15], layout: (high >>> 16) & 15, owner: (high & 0xffff) * 2 ** 32 + low }
}
