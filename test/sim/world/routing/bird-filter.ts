// Filters in BIRD's language, as far as our renderer writes it (core/bgp/bird/filters.ts): what becomes of a route.
import { parseCidr, encloses } from '../../../../core/net/cidr.ts'

/** What a filter looks at, and may change. */
export interface FilteredRoute {
  readonly net: string
  readonly source: 'bgp' | 'kernel' | 'static'
  /** rtm_protocol of a route that was learned from the kernel. */
  readonly kernelProtocol?: number
  readonly communities: Set<string>
  readonly largeCommunities: Set<string>
  localPref: number
}
export type Filter = (route: FilteredRoute) => 'accept' | 'reject'

type Statement = (route: FilteredRoute) => 'accept' | 'reject' | undefined
type Condition = (route: FilteredRoute) => boolean

const compiled = new Map<string, Filter>()

/** @throws SyntaxError for what is none of our renderer's */
export function filterOf(lines: readonly string[]): Filter {
  const text = lines.join(' ')
  const known = compiled.get(text)
  if (known !== undefined) return known
  const statement = block(text)
  const made: Filter = (route) => {
    const verdict = statement(route)
    if (verdict === undefined) throw new SyntaxError(`a filter ends without a verdict: ${text}`)
    return verdict
  }
  compiled.set(text, made)
  return made
}

function block(text: string): Statement {
  const all: Statement[] = []
  for (let rest = text.trim(); rest !== '';) {
    const [one, after] = statementAt(rest)
    all.push(one)
    rest = after.trim()
  }
  return (route) => {
    for (const each of all) {
      const verdict = each(route)
      if (verdict !== undefined) return verdict
    }
    return undefined
  }
}

function statementAt(text: string): readonly [statement: Statement, rest: string] {
  if (text.startsWith('{')) {
    const end = closing(text)
    return [block(text.slice(1, end)), text.slice(end + 1)]
  }
  if (!text.startsWith('if ')) {
    const end = text.indexOf(';')
    return [simple(text.slice(0, end)), text.slice(end + 1)]
  }
  const at = text.indexOf(' then ')
  const holds = either(text.slice(3, at))
  const [yes, rest] = statementAt(text.slice(at + 6).trim())
  if (!rest.trim().startsWith('else ')) return [(route) => (holds(route) ? yes(route) : undefined), rest]
  const [no, after] = statementAt(rest.trim().slice(5).trim())
  return [(route) => (holds(route) ? yes(route) : no(route)), after]
}

function closing(text: string): number {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '{') depth++
    if (text[at] === '}' && --depth === 0) return at
  }
  throw new SyntaxError(`no end: ${text}`)
}

function simple(text: string): Statement {
  if (text === 'accept' || text === 'reject') return () => text
  // The model tells of what a kernel has with the next hop that it is itself, as this has BIRD do.
  if (text === 'ifname = ifname') return () => undefined
  const added = /^(bgp_community|bgp_large_community)\.add\(\(([\d,]+)\)\)$/.exec(text)
  if (added !== null) return (route) => void communitiesOf(route, added[1]!).add(added[2]!)
  const preferred = /^bgp_local_pref = (\d+)$/.exec(text)
  if (preferred === null) throw new SyntaxError(`BIRD's model does not know: ${text}`)
  return (route) => void (route.localPref = Number(preferred[1]))
}

const communitiesOf = ({ communities, largeCommunities }: FilteredRoute, which: string): Set<string> =>
  which === 'bgp_community' ? communities : largeCommunities

const either = (text: string): Condition => {
  const all = text.split(' || ').map(both)
  return (route) => all.some((holds) => holds(route))
}
const both = (text: string): Condition => {
  const all = text.split(' && ').map(atom)
  return (route) => all.every((holds) => holds(route))
}

const atoms: readonly (readonly [RegExp, (found: RegExpExecArray) => Condition])[] = [
  [/^! \((.*)\)$/, ([, inner]) => not(atom(inner!))],
  [/^net ~ \[ (.*) \]$/, ([, set]) => inSet(set!)],
  [
    /^net = (\S+)$/,
    ([, prefix]) =>
      ({ net }) =>
        net === prefix,
  ],
  [
    /^\(([\d,]+)\) ~ (bgp_community|bgp_large_community)$/,
    ([, value, which]) =>
      (route) =>
        communitiesOf(route, which!).has(value!),
  ],
  [
    /^krt_source != (\d+)$/,
    ([, protocol]) =>
      ({ kernelProtocol }) =>
        kernelProtocol !== Number(protocol),
  ],
  [
    /^krt_source = (\d+)$/,
    ([, protocol]) =>
      ({ kernelProtocol }) =>
        kernelProtocol === Number(protocol),
  ],
  [
    /^source != RTS_BGP$/,
    () =>
      ({ source }) =>
        source !== 'bgp',
  ],
  // Every next hop of the simulation is on the link.
  [/^dest = RTD_UNREACHABLE$/, () => () => false],
]

function atom(text: string): Condition {
  for (const [form, make] of atoms) {
    const found = form.exec(text.trim())
    if (found !== null) return make(found)
  }
  throw new SyntaxError(`BIRD's model does not know the condition ${text}`)
}

const not =
  (holds: Condition): Condition =>
  (route) =>
    !holds(route)

/** `10.0.0.0/8{8,24}`: prefixes within it, of these lengths. */
function inSet(text: string): Condition {
  const all = text.split(', ').map((each) => {
    const [, prefix = '', from, to] = /^(\S+)\{(\d+),(\d+)\}$/.exec(each) ?? []
    const outer = parseCidr(prefix)
    if (outer === undefined) throw new SyntaxError(`${each} is no prefix`)
    return { outer, from: Number(from), to: Number(to) }
  })
  return ({ net }) => {
    const inner = parseCidr(net)
    return inner !== undefined && all.some(({ outer, from, to }) => inner.length >= from && inner.length <= to && encloses(outer, inner))
  }
}
