// Who can talk to whom: the Ports of a VNI, those that policies cannot tell apart together, against each other.
import type { Resource } from '../kinds/index.ts'
import type { RuleSetSpec } from '../kinds/policy/policy-rule-set.ts'
import { affordable, judgedEnds, union } from './trace/judging.ts'
import { apartBy, macsIn } from './trace/peer-mac.ts'
import { identityOf, missingOn, traceOf, type TraceEnd, type Traced } from './trace/trace.ts'
import type { Transport } from './verdict.ts'

/** Ports that policies cannot tell apart. */
export interface MatrixGroup {
  readonly namespace: string
  readonly ports: readonly string[]
  /** Of all of them, those named included. */
  readonly count: number
  readonly labels?: Readonly<Record<string, string>>
  readonly securityGroups?: readonly string[]
}

export interface PolicyMatrix {
  readonly groups: readonly MatrixGroup[]
  /** Row by row, who sends; in it column by column, who receives. */
  readonly cells: readonly (readonly Traced[])[]
  /** There are more groups than are shown. */
  readonly more: boolean
}

export interface MatrixQuestion {
  readonly ports: readonly Resource<'Port'>[]
  readonly identities: readonly Resource<'PolicyIdentity'>[]
  readonly sets: readonly RuleSetSpec[]
  readonly transport: Transport
  readonly family: 4 | 6
}

/** Groups, and names in each. */
export const groupsMax = 64
export const namesMax = 5

/** @param question all of one VNI; of the Ports those that the caller sees */
export function matrixOf({ ports, identities, sets, transport, family }: MatrixQuestion): PolicyMatrix {
  const apart = apartBy(macsIn(sets.flatMap(({ rules }) => rules)))
  const all = [...Map.groupBy(ports, (port) => `${keyOf(port)} ${apart(port)}`).values()].filter(
    ([first]) => addressOf(first!, family) !== undefined,
  )
  const judged = judgedEnds(
    all.slice(0, groupsMax).map(([port]) => endOf(port!, sets, family)),
    sets,
  )
  const ends = affordable(judged)
  const facts = new Map(identities.map(({ spec }) => [spec.number, spec.facts]))
  return {
    groups: ends.map(({ end }, i) => groupOf(all[i]!, facts.get(end.identity))),
    cells: ends.map((from) => ends.map((to) => traceOf(union(from.sets, to.sets), { from: from.end, to: to.end, transport }))),
    more: all.length > ends.length,
  }
}

function endOf(port: Resource<'Port'>, sets: readonly RuleSetSpec[], family: 4 | 6): TraceEnd {
  const missing = missingOn(port, sets)
  return { port, address: addressOf(port, family)!, identity: identityOf(port), ...(missing && { missing }) }
}

/** Without an identity nothing tells them apart but whose they are. */
const keyOf = (port: Resource<'Port'>): string =>
  `${port.metadata.namespace ?? ''} ${identityOf(port)} ${port.status?.policy?.ruleSets.join() ?? ''}`

const addressOf = ({ status }: Resource<'Port'>, family: 4 | 6): string | undefined =>
  status?.addresses?.find((address) => address.includes(':') === (family === 6))

function groupOf(ports: readonly Resource<'Port'>[], facts: Resource<'PolicyIdentity'>['spec']['facts'] | undefined): MatrixGroup {
  const { labels, securityGroups } = facts ?? {}
  return {
    namespace: ports[0]!.metadata.namespace ?? '',
    ports: ports.slice(0, namesMax).map(({ spec, metadata }) => spec.claim?.pod ?? metadata.name),
    count: ports.length,
    ...(labels && { labels }),
    ...(securityGroups && { securityGroups }),
  }
}
