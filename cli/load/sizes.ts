/** How many attachments each network has at most: a power law, as in KOS' driver. */
export interface Sizes {
  readonly networks: number
  /** Of the largest network, without bias. */
  readonly top: number
  /** 0: all are as large as the first. */
  readonly exponent: number
  /** Flattens the beginning of the curve. */
  readonly bias: number
}

/** Sizes of networks 1, 2, …: `ceil((1 + bias) · top / (i + bias)^exponent)`; the largest first. */
export function sizesOf({ networks, top, exponent, bias }: Sizes): readonly number[] {
  return Array.from({ length: networks }, (_, i) => Math.ceil(((1 + bias) * top) / (i + 1 + bias) ** exponent))
}

/** Addresses that a block keeps for itself: network, gateway, broadcast. */
const kept = 3

/** Length of the smallest IPv4 prefix with so many addresses to hand out. */
export function prefixFor(addresses: number): number {
  return 32 - Math.ceil(Math.log2(addresses + kept))
}
