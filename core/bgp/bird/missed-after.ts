// `show bfd sessions` of BIRD 2: in the column Interval how often it sends, by what both ends want (RFC 5880 section 6.8.7). The neighbour
// waits for as many of these as our configuration has as multiplier (section 6.8.4).

/** By neighbour, of the sessions that are up. */
export function missedAfter(answer: string, inForce: string): ReadonlyMap<string, number> {
  const multipliers = new Map(
    [...inForce.matchAll(/^ +neighbor (\S+) .*(?:\n .*)*?\n +bfd \{.* multiplier (\d+);/gm)].map(([, address = '', times]) => [
      address,
      Number(times),
    ]),
  )
  const up = [...answer.matchAll(/^\s*(\S+)\s+\S+\s+Up\s+\S+\s+([\d.]+)\s+[\d.]+\s*$/gm)]
  return new Map(up.map(([, address = '', seconds]) => [address, Math.round(Number(seconds) * 1000) * (multipliers.get(address) ?? 0)]))
}
