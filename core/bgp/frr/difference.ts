// From one configuration of FRR to another by commands, so that what has not changed is not touched. Its own program for that
// (frr-reload.py) wants Python, and reads passwords back from the daemon.

/** A line, and what stands under it. */
interface Node {
  readonly line: string
  readonly under: readonly Node[]
}

const ends = ['exit', 'exit-address-family']

function treeOf(text: string): readonly Node[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('!') && !ends.includes(line.trim()))
  const depthOf = (line: string): number => line.length - line.trimStart().length
  let next = 0
  const at = (depth: number): readonly Node[] => {
    const nodes: Node[] = []
    while (next < lines.length && depthOf(lines[next]!) >= depth) {
      const line = lines[next++]!.trim()
      nodes.push({ line, under: at(depth + 1) })
    }
    return nodes
  }
  return at(0)
}

const isRouter = ({ line }: Node): boolean => line.startsWith('router bgp ')
const same = (a: Node, b: Node | undefined): boolean => b !== undefined && JSON.stringify(a) === JSON.stringify(b)
const find = (nodes: readonly Node[], line: string): Node | undefined => nodes.find((each) => each.line === line)

const written = ({ line, under }: Node): readonly string[] => {
  if (under.length === 0 && !line.startsWith('route-map ')) return [line]
  return [line, ...under.flatMap(written), line.startsWith('address-family') ? 'exit-address-family' : 'exit']
}
/** Times of BFD are not named where it goes. */
const undone = (line: string): string =>
  line.startsWith('no ') ? line.slice('no '.length) : `no ${line.replace(/^(neighbor \S+ bfd) .*/, '$1')}`

/**
 * Lines for `vtysh -f`, none where nothing differs. What maps look into is there before they are used, and goes after.
 */
export function difference(before: string, after: string): readonly string[] {
  const [was, is] = [treeOf(before), treeOf(after)]
  const gone = was.filter((each) => !isRouter(each) && !same(each, find(is, each.line)))
  const come = is.filter((each) => !isRouter(each) && !same(each, find(was, each.line)))
  const places = new Set(come.map(placeOf))
  const undoes = (nodes: readonly Node[]): readonly string[] => nodes.map(({ line }) => undone(line))
  return [
    // What comes to the place of another would take over its conditions.
    ...undoes(gone.filter((each) => places.has(placeOf(each)))),
    ...come.flatMap(written),
    ...routers(was.find(isRouter), is.find(isRouter)),
    ...undoes(gone.filter((each) => !places.has(placeOf(each)))),
  ]
}

/** Of an entry of a map or a list: its number. */
const placeOf = ({ line }: Node): string =>
  /^route-map \S+/.exec(line) !== null
    ? line.replace(/ (permit|deny) /, ' ')
    : (/^(ip|ipv6|bgp) \S+list .*? seq \d+/.exec(line)?.[0] ?? line)

function routers(was: Node | undefined, is: Node | undefined): readonly string[] {
  if (was?.line !== is?.line) {
    const closed = was === undefined ? [] : [was.line, ...neighboursOf(was).map(closing), 'exit', undone(was.line)]
    return [...closed, ...(is === undefined ? [] : written(is))]
  }
  if (was === undefined || is === undefined || same(was, is)) return []
  const anew = neighboursAnew(was, is)
  return [is.line, ...anew.flatMap((address) => [closing(address), `no neighbor ${address}`]), ...inner(without(was, anew), is), 'exit']
}

/** Whose AS is another, or who is gone: with a neighbour goes all that is said of it. */
const first = /^neighbor (\S+) remote-as /
const neighboursOf = ({ under }: Node): readonly string[] => under.flatMap(({ line }) => first.exec(line)?.[1] ?? [])
const neighboursAnew = (was: Node, is: Node): readonly string[] =>
  neighboursOf({ line: was.line, under: was.under.filter(({ line }) => find(is.under, line) === undefined) })
/** One that is dropped without a word would count as one that restarts, and its routes would be kept for it. */
const closing = (address: string): string => `neighbor ${address} shutdown`

function without(node: Node, addresses: readonly string[]): Node {
  const stays = ({ line }: Node): boolean => !addresses.some((address) => line.startsWith(`neighbor ${address} `))
  return { line: node.line, under: node.under.filter(stays).map((each) => without(each, addresses)) }
}

function inner(was: Node, is: Node): readonly string[] {
  const gone = was.under.filter(({ line }) => find(is.under, line) === undefined)
  const come = is.under.filter((each) => !same(each, find(was.under, each.line)))
  return [
    ...gone.filter(({ line }) => !come.some((each) => settingOf(each.line) === settingOf(line))).map(({ line }) => undone(line)),
    ...come.flatMap((each) => {
      const before = find(was.under, each.line)
      return before === undefined || each.under.length === 0 ? written(each) : [each.line, ...inner(before, each), 'exit-address-family']
    }),
  ]
}

/** Two lines that set one thing differ behind this: the later one takes the place of the other. */
const settingOf = (line: string): string =>
  /^neighbor \S+ (timers connect|timers|password|port|update-source|bfd|maximum-prefix|ebgp-multihop)/.exec(line)?.[0] ??
  /^(network \S+|maximum-paths ibgp|maximum-paths|table-map|bgp router-id|bgp cluster-id|bgp graceful-restart restart-time)/.exec(
    line,
  )?.[0] ??
  line

/** Neighbours that may announce another number of prefixes by now: one that was closed for it stays closed until it is cleared. */
export function otherLimits(before: string, after: string): readonly string[] {
  const limits = (text: string): readonly string[] => text.match(/neighbor \S+ maximum-prefix \d+/g) ?? []
  const was = new Set(limits(before))
  return [
    ...new Set(
      limits(after)
        .filter((each) => !was.has(each))
        .map((each) => each.split(' ')[1]!),
    ),
  ]
}
