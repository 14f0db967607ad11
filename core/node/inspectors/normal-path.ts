// Paths of rules in the spellings that an inspector compares: the same that it brings a request's path to (haproxy.ts says by what).

const escape = /%([0-9a-f]{2})/gi
/** RFC 3986, section 2.3: an escape of one of these is another spelling of it. */
const unreserved = /^[-A-Za-z0-9._~]$/

/** As `percent-decode-unreserved` and `percent-to-uppercase` do. */
const withPlainEscapes = (text: string): string =>
  text.replace(escape, (whole, hex: string) => {
    const char = String.fromCharCode(parseInt(hex, 16))
    return unreserved.test(char) ? char : whole.toUpperCase()
  })

/**
 * One slash for several, and neither `.` nor `..` among its segments. Of what is only the beginning of paths the last segment stays, as
 * nobody knows how it ends.
 *
 * @param isBeginning of others, without the asterisk
 */
export function normalPath(path: string, isBeginning: boolean): string {
  const segments = withPlainEscapes(path).replace(/\/+/g, '/').split('/').slice(1)
  const last = segments.pop() ?? ''
  const kept: string[] = []
  for (const segment of segments) step(kept, segment)
  if (isBeginning || (last !== '.' && last !== '..')) return `/${[...kept, last].join('/')}`
  step(kept, last)
  return kept.length === 0 ? '/' : `/${kept.join('/')}/`
}

function step(kept: string[], segment: string): void {
  if (segment === '..') kept.pop()
  else if (segment !== '.') kept.push(segment)
}

const hexOf = (byte: number): string => byte.toString(16).toUpperCase().padStart(2, '0')

/** Bytes of a path with every escape resolved and without what stands behind a semicolon, in hexadecimal: whatever they are, one word. */
export const plainHex = (path: string): string =>
  path
    .replace(/%[0-9a-f]?$/i, '')
    .replace(escape, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
    .replace(/;[^/]*/g, '')
    .split('')
    .map((char) => hexOf(char.charCodeAt(0)))
    .join('')

/** Whether it means something with a semicolon in it that it does not without. */
export const hasParameters = (path: string): boolean => /;|%3b/i.test(path)
