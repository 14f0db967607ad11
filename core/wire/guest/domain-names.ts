// Names as DNS writes them (RFC 1035 section 3.1), without compression, which no client needs to understand.
const label = /^[A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?$/

/** What is no name of labels is left out. */
export function encodeNames(names: readonly string[]): Uint8Array {
  const encoder = new TextEncoder()
  const bytes = names.flatMap((name) => {
    const labels = name.replace(/\.$/, '').split('.')
    return labels.every((each) => label.test(each)) ? [...labels.flatMap((each) => [each.length, ...encoder.encode(each)]), 0] : []
  })
  return Uint8Array.from(bytes)
}
