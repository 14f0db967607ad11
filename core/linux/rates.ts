// Rates as nftables counts them.

/** With more a limit of nftables runs over: it has the nanoseconds of all that may come at once in 64 bits (net/netfilter/nft_limit.c). */
const mostBytesPerSecond = 18_000_000_000

export const bytesPerSecondOf = (bits: number): number => Math.min(Math.ceil(bits / 8), mostBytesPerSecond)
