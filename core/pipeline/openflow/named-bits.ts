// Fields whose bits have names: a match says which of them are set and which are not, as ovs-fields(7) writes it.

/** `flags`: a name for each bit, the lowest first. `states`: a name for each value under a mask. */
export type Words =
  { readonly flags: readonly string[] } | { readonly states: Readonly<Record<string, readonly [value: number, mask: number]>> }

export interface Valued {
  readonly value: number
  readonly mask?: number
}

/** Of connection tracking (ovs-fields(7), ct_state). */
export const connectionStates: Words = { flags: ['new', 'est', 'rel', 'rpl', 'inv', 'trk', 'snat', 'dnat'] }
/** RFC 9293 section 3.1, RFC 3168, RFC 3540. */
export const tcpFlagNames: Words = { flags: ['fin', 'syn', 'rst', 'psh', 'ack', 'urg', 'ece', 'cwr', 'ns'] }
/** Bit 0: a fragment; bit 1: not the first. */
export const fragments: Words = { states: { no: [0, 3], yes: [1, 1], first: [1, 3], later: [3, 3], not_later: [0, 2] } }

/** A pipeline asks for few of them, in very many flows. */
const printed = new WeakMap<Words, Map<string, string>>()

export function printWords(words: Words, value: number, mask: number | undefined): string {
  const known = printed.get(words) ?? new Map<string, string>()
  printed.set(words, known)
  const key = mask === undefined ? String(value) : `${value}/${mask}`
  const text = known.get(key) ?? wordsText(words, value, mask)
  known.set(key, text)
  return text
}

function wordsText(words: Words, value: number, mask: number | undefined): string {
  if ('states' in words) {
    const found = Object.entries(words.states).find(([, [is, under]]) => is === value && under === (mask ?? 3))
    return found?.[0] ?? `${value}/${mask ?? 3}`
  }
  const named = words.flags.map((name, bit) => ({ name, flag: 2 ** bit }))
  const known = 2 ** words.flags.length - 1
  if (((value | (mask ?? 0)) & ~known) !== 0)
    return mask === undefined ? `0x${value.toString(16)}` : `0x${value.toString(16)}/0x${mask.toString(16)}`
  if (mask === undefined)
    return (
      named
        .filter(({ flag }) => (value & flag) !== 0)
        .map(({ name }) => name)
        .join('|') || '0'
    )
  return named
    .filter(({ flag }) => (mask & flag) !== 0)
    .map(({ name, flag }) => `${(value & flag) !== 0 ? '+' : '-'}${name}`)
    .join('')
}

/** What printWords wrote. @throws SyntaxError for a name that no bit has */
export function parseWords(words: Words, text: string): Valued {
  const numbers = /^(0x[\da-f]+|\d+)(?:\/(0x[\da-f]+|\d+))?$/.exec(text)
  if (numbers !== null) return { value: Number(numbers[1]), ...(numbers[2] !== undefined && { mask: Number(numbers[2]) }) }
  if ('states' in words) {
    const [value, mask] = words.states[text] ?? unknown(text)
    return mask === 3 ? { value } : { value, mask }
  }
  const flagOf = (name: string): number => {
    const bit = words.flags.indexOf(name)
    return bit < 0 ? unknown(text) : 2 ** bit
  }
  if (!/^[+-]/.test(text)) return { value: text.split('|').reduce((sum, name) => sum + flagOf(name), 0) }
  const changes = [...text.matchAll(/([+-])([^+-]*)/g)].map(([, sign, name = '']) => ({ flag: flagOf(name), on: sign === '+' }))
  return { value: changes.reduce((sum, { flag, on }) => sum + (on ? flag : 0), 0), mask: changes.reduce((sum, { flag }) => sum + flag, 0) }
}

function unknown(text: string): never {
  throw new SyntaxError(`no such flag: ${text}`)
}
