// Sessions of a group as lines between its nodes and whoever else speaks with them. One between two nodes is told of by both.
import type { Item } from '../../contract/kinds.ts'

export type Speaker = Item<'BGPSpeaker'>
export type GroupOfSpeaker = Speaker['spec']['groups'][number]
type SessionState = NonNullable<NonNullable<Speaker['status']>['sessions']>[number]

/** A node, or a neighbour that is none of ours, by its address. */
export interface End {
  readonly id: string
  readonly name: string
  readonly isNode: boolean
  readonly as: number
  readonly announces: readonly string[]
}
export interface Line {
  readonly from: string
  readonly to: string
  /** established where all that tell of it say so. */
  readonly state: string
  readonly reports: readonly SessionState[]
}
export interface SessionGraph {
  readonly nodes: readonly End[]
  readonly neighbours: readonly End[]
  readonly lines: readonly Line[]
}

export const groupOf = (speaker: Speaker, group: string): GroupOfSpeaker | undefined =>
  speaker.spec.groups.find(({ name }) => name === group)

/** In the order of their names. */
export function sessionsOf(speakers: readonly Speaker[], group: string): SessionGraph {
  const nodes = speakers.flatMap((speaker): End[] => {
    const of = groupOf(speaker, group)
    const announces = (of?.advertise ?? []).map(({ cidr, hostRoutes }) => (hostRoutes ? `hosts of ${cidr}` : cidr))
    return of === undefined ? [] : [{ id: speaker.spec.node, name: speaker.spec.node, isNode: true, as: of.as, announces }]
  })
  const byAddress = new Map(
    speakers.flatMap((speaker) =>
      Object.values(groupOf(speaker, group)?.addresses ?? {}).map((each) => [each, speaker.spec.node] as const),
    ),
  )
  const neighbours = new Map<string, End>()
  const lines = new Map<string, Line>()
  for (const speaker of speakers)
    for (const { name, address, as } of groupOf(speaker, group)?.sessions ?? []) {
      const other = byAddress.get(address) ?? address
      if (!byAddress.has(address)) neighbours.set(address, { id: address, name, isNode: false, as, announces: [] })
      const [from, to] = byAddress.has(address) ? [speaker.spec.node, other].sort() : [speaker.spec.node, other]
      const state = speaker.status?.sessions?.find((each) => each.group === group && each.session === name)
      const known = lines.get(`${from} ${to}`)
      lines.set(`${from} ${to}`, { from: from!, to: to!, ...joined(known, state) })
    }
  return { nodes: nodes.sort(byName), neighbours: [...neighbours.values()].sort(byName), lines: [...lines.values()] }
}

const byName = (a: End, b: End): number => a.name.localeCompare(b.name, 'en', { numeric: true })

/** What is not told yet is as good as idle. */
function joined(known: Line | undefined, state: SessionState | undefined): Pick<Line, 'state' | 'reports'> {
  const reports = [...(known?.reports ?? []), ...(state === undefined ? [] : [state])]
  const is = state?.state ?? 'idle'
  return { reports, state: known === undefined || known.state === 'established' ? is : known.state }
}
