// Who speaks with whom: neighbours above, nodes below, a line for each session; what an address is reached by stands out.
import { linkTo } from '../../frame/place.ts'
import { TwoRows, type RowBox, type RowLine } from '../../parts/two-rows.tsx'
import type { End, Line, SessionGraph } from './sessions.ts'

export function Drawing({ graph, marked }: { readonly graph: SessionGraph; readonly marked: ReadonlySet<string> }) {
  const { nodes, neighbours, lines } = graph
  const box = (end: End): RowBox => boxOf(end, marked.has(end.id))
  return <TwoRows label={saidOf(graph)} upper={neighbours.map(box)} lower={nodes.map(box)} lines={lines.map(lineOf)} />
}

const saidOf = ({ nodes, neighbours, lines }: SessionGraph): string =>
  `${nodes.length} nodes, ${neighbours.length} neighbours; ${lines.filter(({ state }) => state === 'established').length} of ${lines.length} sessions are up`

const boxOf = ({ id, name, isNode, as, announces }: End, isMarked: boolean): RowBox => ({
  id,
  name,
  note: isNode ? saidBy(announces) : `AS ${as}`,
  title: [`${name}, AS ${as}`, ...announces].join('\n'),
  isMarked,
  ...(isNode && { href: linkTo('BGPSpeaker', undefined, id) }),
})

function lineOf({ from, to, state, reports }: Line): RowLine {
  const prefixes = reports.map(({ imported = 0, exported = 0 }) => `${imported} in, ${exported} out`).join('; ')
  const title = [`${from} – ${to}: ${state}`, prefixes].filter(Boolean).join('; ')
  return { from, to, state, isGood: state === 'established', title }
}

const saidBy = ([first, ...others]: readonly string[]): string =>
  first === undefined ? 'announces nothing' : others.length === 0 ? first : `${others.length + 1} prefixes`
