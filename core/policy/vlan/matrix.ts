// What interfaces in a VLAN may send to whom, and get from whom: pods that policies cannot tell apart, against the blocks of addresses that
// rules tell apart. Who is behind an address nobody knows there.
import type { Resource } from '../../kinds/index.ts'
import type { RuleSetSpec } from '../../kinds/policy/policy-rule-set.ts'
import { groupsMax, namesMax, type MatrixGroup } from '../matrix.ts'
import { affordable, judgedEnds, type JudgedEnd } from '../trace/judging.ts'
import { traceOf, type TraceEnd, type Traced } from '../trace/trace.ts'
import type { Transport } from '../verdict.ts'
import { blocksApart, othersMost, type Other } from './others.ts'

export interface VlanMatrix {
  /** Pods by their names. */
  readonly groups: readonly MatrixGroup[]
  /** Each without what is in another that is narrower. */
  readonly blocks: readonly string[]
  /** Row by row, which pods send; in it column by column, to which block. */
  readonly cells: readonly (readonly Traced[])[]
  /** In the same places: of what comes from the block to them. */
  readonly gets: readonly (readonly Traced[])[]
  /** There are more groups or blocks than are shown. */
  readonly more: boolean
}

export interface VlanMatrixQuestion {
  /** All of one attachment, in one VLAN; closed ones say what is missing. */
  readonly interfaces: readonly TraceEnd[]
  readonly identities: readonly Resource<'PolicyIdentity'>[]
  readonly sets: readonly RuleSetSpec[]
  readonly transport: Transport
  readonly family: 4 | 6
}

export function vlanMatrixOf({ interfaces, identities, sets, transport, family }: VlanMatrixQuestion): VlanMatrix {
  const all = [...Map.groupBy(interfaces, keyOf).values()]
  const others = blocksApart(setsOn(interfaces, sets), family)
  const blocks = others.slice(0, othersMost)
  const judged = judgedEnds(
    all.slice(0, groupsMax).map(([end]) => end!),
    sets,
  )
  const shown = affordable(judged, blocks.length)
  const facts = new Map(identities.map(({ spec }) => [spec.number, spec.facts]))
  const sent = ({ end, sets: mine }: JudgedEnd, { end: other }: Other): Traced => traceOf(mine, { from: end, to: other, transport })
  const got = ({ end, sets: mine }: JudgedEnd, { end: other }: Other): Traced => traceOf(mine, { from: other, to: end, transport })
  return {
    groups: shown.map(({ end }, i) => groupOf(all[i]!, facts.get(end.identity))),
    blocks: blocks.map(({ name }) => name),
    cells: shown.map((of) => blocks.map((other) => sent(of, other))),
    gets: shown.map((of) => blocks.map((other) => got(of, other))),
    more: all.length > shown.length || others.length > blocks.length,
  }
}

/** Of others' rules in the VLAN nothing is told. */
function setsOn(interfaces: readonly TraceEnd[], sets: readonly RuleSetSpec[]): readonly RuleSetSpec[] {
  const mine = new Set(interfaces.map(({ identity }) => identity))
  return sets.filter(({ subjects }) => subjects.some((subject) => mine.has(subject)))
}

const namespaceOf = ({ interface: at }: TraceEnd): string => at?.pod.metadata.namespace ?? ''
const keyOf = (end: TraceEnd): string => `${namespaceOf(end)} ${end.identity} ${end.missing?.name ?? ''}`

function groupOf(ends: readonly TraceEnd[], facts: Resource<'PolicyIdentity'>['spec']['facts'] | undefined): MatrixGroup {
  return {
    namespace: namespaceOf(ends[0]!),
    ports: ends.slice(0, namesMax).flatMap(({ interface: at }) => at?.pod.metadata.name ?? []),
    count: ends.length,
    ...(facts?.labels && { labels: facts.labels }),
  }
}
