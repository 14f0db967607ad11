// The same as the picture, in words: groups, what is in them, and what that is linked to. For the keyboard, and for whoever hears it.
import { useMemo } from 'preact/hooks'
import { choose } from '../../frame/place.ts'
import { Tree, type TreeRow } from '../../parts/tree.tsx'
import type { DrawnLink, DrawnNode, Graph } from './graph.ts'
import { markWords, type WayMark } from './trace/mark.ts'

export function NetworkTree({
  graph,
  chosen,
  onToggle,
}: {
  readonly graph: Graph
  readonly chosen: string | undefined
  readonly onToggle: (id: string) => void
}) {
  const rows = useMemo(() => rowsOf(graph), [graph])
  return (
    <aside class="beside" aria-label="The same as a list">
      <Tree label="Network" rows={rows} chosen={chosen} onChoose={(id) => choose({ chosen: id }, 'replace')} onToggle={onToggle} />
    </aside>
  )
}

function rowsOf({ nodes, links }: Graph): readonly TreeRow[] {
  const members = Map.groupBy(nodes, ({ parent }) => parent ?? '')
  const linksFrom = Map.groupBy(links, ({ from }) => from)
  const rows: TreeRow[] = []
  const put = (node: DrawnNode, level: number): void => {
    const inside = members.get(node.id) ?? []
    rows.push(rowOf(node, level))
    for (const link of linksFrom.get(node.id) ?? []) rows.push(linkRow(link, level + 1))
    for (const member of inside) put(member, level + 1)
  }
  // Groups first: what else stands there is what they are joined to.
  const top = members.get('') ?? []
  for (const isGroup of [true, false]) for (const node of top) if ((node.group !== undefined) === isGroup) put(node, 1)
  return rows
}

const noteOf = (mark: WayMark | undefined): Pick<TreeRow, 'note'> => (mark === undefined ? {} : { note: markWords(mark) })

const rowOf = ({ id, kind, label, phase, group, mark }: DrawnNode, level: number): TreeRow => ({
  id,
  level,
  kind,
  label: label.replaceAll('\n', ' '),
  phase,
  ...noteOf(mark),
  ...(group !== undefined && { open: group.open, ...(group.open && { more: `${group.count}` }) }),
})

/** What a line is, for who hears it. */
const kinds: Readonly<Record<string, (count: number) => string>> = {
  port: () => 'Port',
  ports: (count) => (count === 1 ? 'Port' : 'Ports'),
  tunnel: () => 'Tunnel',
  'wired-to': () => 'Link',
}
const joins: Readonly<Record<string, string>> = { port: 'in', ports: 'in', 'open-on': 'on', 'carried-by': '', of: '', gateway: 'on' }

const linkRow = ({ id, to, relation, label, phase, count, mark }: DrawnLink, level: number): TreeRow => ({
  id,
  level,
  kind: kinds[relation]?.(count) ?? '',
  label: `${label} ${joins[relation] ?? 'to'} ${to.slice(to.indexOf('/') + 1)}`,
  phase,
  ...noteOf(mark),
})
