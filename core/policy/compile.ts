// A policy and the identities of a VNI to the rules that nodes enforce. Pure, and the same however often it is done.
import type { CompiledRule, RuleSetSpec } from '../kinds/policy/policy-rule-set.ts'
import type { CommonPolicy, CommonRule } from './one-form.ts'
import type { UnifiedChoice } from './choose-unified.ts'
import { Problems, type PolicyProblem } from './problem.ts'
import { indexesOf, ruleMax } from './rules/indexes.ts'
import { closedInVlans, compileChains, type ChainPort } from './rules/chains.ts'
import { compileInspections, inspectedNowhere, judgedAtOnce } from './rules/inspections.ts'
import { closing, levelled } from './rules/levels.ts'
import { partsOf, type Around, type Part } from './rules/resolve.ts'
import type { Ties } from './rules/ties.ts'

export interface CompileOptions extends Around {
  readonly unified: UnifiedChoice
  /** Of the policies that are in force in the VNI. */
  readonly ties: Ties
  /** All policies are in audit (setting policy.enforcement). */
  readonly audit: boolean
  /** DSCP by class of traffic (setting policyClasses); absent: none. */
  readonly classes?: Readonly<Record<string, number>>
  /** Of the VNI, for policies with chains: absent: none are known. */
  readonly chainPorts?: () => readonly ChainPort[]
}

export interface Compiled {
  readonly spec: RuleSetSpec
  /** What of the policy is more than can be enforced. */
  readonly problems: readonly PolicyProblem[]
}

/** @param number of its PolicyRuleSet in the VNI (ruleSetNumber) */
export function compile(policy: CommonPolicy, number: number, options: CompileOptions): Compiled {
  const problems = new Problems()
  const subjects = subjectsOf(policy, options)
  const judging = options.isOpen === true ? inspectedNowhere(closedInVlans(policy, problems), 'in a VLAN', problems) : policy
  const drafts = withinMax(draftsOf(judgedAtOnce(judging), subjects, { options, problems }), problems)
  const indexes = indexesOf(drafts.map(({ text }) => text))
  const rules = drafts.map(({ rule, level, part, text }) => compiledRule(rule, part, { level, index: indexes.get(text)! }))
  const traffic = trafficOf(policy, options, problems)
  const chains = options.isOpen === true ? undefined : compileChains(policy, subjects, { options, problems })
  const inspections = compileInspections(judging, subjects, { options, problems })
  const spec: RuleSetSpec = {
    vni: options.vni,
    number,
    tier: policy.tier,
    policy: policy.of,
    priority: policy.priority,
    ...((options.audit || policy.audit === true) && { audit: true }),
    ...(policy.onUnsupported !== undefined && { onUnsupported: policy.onUnsupported }),
    ...(traffic !== undefined && { traffic }),
    ...(chains !== undefined && { chains }),
    ...(inspections.length > 0 && { inspections: [...inspections] }),
    subjects: [...subjects],
    isolates: [...policy.isolates],
    rules,
  }
  return { spec, problems: problems.all }
}

/** With the mark of its class, where it names none itself. */
function trafficOf({ traffic, trafficClass }: CommonPolicy, { classes = {} }: CompileOptions, problems: Problems): CommonPolicy['traffic'] {
  if (trafficClass === undefined) return traffic
  const dscp = Object.hasOwn(classes, trafficClass) ? classes[trafficClass] : undefined
  const names = Object.keys(classes)
  if (dscp === undefined)
    problems.unsupported('/spec/class', names.length === 0 ? 'is no class: none is set here' : `is no class: there are ${names.join(', ')}`)
  return dscp === undefined ? traffic : { dscp, ...traffic }
}

/** Whose connections it judges: numbers, in order. */
export const subjectsOf = (policy: CommonPolicy, { unified, directory }: CompileOptions): readonly number[] =>
  policy.tier === 'unified' ? unified.subjectsOf(policy, directory) : directory.select(policy.subjects)

interface Draft {
  readonly rule: CommonRule
  readonly level: number
  readonly part: Part
  /** What makes it another rule: not where it stands, nor whom its selectors select today. */
  readonly text: string
}

/** Of two that say the same the first counts. */
function draftsOf(
  policy: CommonPolicy,
  subjects: readonly number[],
  to: { options: CompileOptions; problems: Problems },
): readonly Draft[] {
  const drafts = new Map<string, Draft>()
  if (subjects.length === 0) return []
  for (const { rule, level } of levelled(policy, to.options.ties, to.problems)) {
    noteSelections(rule, to)
    if (!mayMatch(rule, to.options)) continue
    for (const part of partsOf(rule, subjects, to.options)) {
      const text = textOf(rule, part)
      if (!drafts.has(text)) drafts.set(text, { rule, level, part, text })
    }
  }
  return [...drafts.values()]
}

/** A family that no Subnet has, or in a VNI a VLAN, is nobody's. */
const mayMatch = ({ families, vlan }: CommonRule, { families: those, isOpen = false }: CompileOptions): boolean =>
  families?.some((family) => those.includes(family)) !== false && (vlan === undefined || isOpen)

function noteSelections({ source, peers }: CommonRule, { options, problems }: { options: CompileOptions; problems: Problems }): void {
  const { selections = [], subnets = [] } = peers ?? {}
  if (options.isOpen === true && selections.length + subnets.length > 0)
    problems.unsupported(source, 'names peers otherwise than by blocks, and of no address in a VLAN it is known whose it is')
}

function textOf(rule: CommonRule, part: Part): string {
  const { direction, action, final, audit, dscp, max, log, peers, transport, families, peerMac, etherType, vlan } = rule
  const numbered = part.transport === undefined ? '' : part.transport.map(({ protocol, first }) => `${protocol}/${first ?? ''}`).join()
  const who = peers?.names === undefined ? peers : { ...peers, names: peers.names.map(({ name }) => name) }
  return JSON.stringify([
    direction,
    action,
    final,
    audit,
    dscp,
    max,
    log,
    who,
    transport,
    families,
    numbered,
    ...(peerMac === undefined ? [] : [peerMac]),
    ...(etherType === undefined ? [] : [etherType]),
    ...(vlan === undefined ? [] : [`VLAN ${vlan}`]),
  ])
}

/** Identities and blocks in the rules of one set: it is an object, and a store takes one of a megabyte or two. */
export const peersMost = 32_768

function withinMax(drafts: readonly Draft[], problems: Problems): readonly Draft[] {
  const fitting = fittingIn(drafts)
  if (drafts.length <= ruleMax && fitting === drafts.length) return drafts
  const kept = drafts.slice(0, Math.min(fitting, ruleMax - 2))
  const dropped = drafts.slice(kept.length).map(({ rule }) => rule)
  const most = fitting < Math.min(drafts.length, ruleMax - 2) ? `${peersMost} identities and blocks` : `${ruleMax} rules`
  for (const source of new Set(dropped.map((rule) => rule.source))) problems.unsupported(source, `is more than ${most} in one policy`)
  const last = (['ingress', 'egress'] as const).flatMap((direction) => closing(dropped, direction))
  return [...kept, ...last.map((rule) => ({ rule, level: kept.at(-1)?.level ?? 0, part: {}, text: `closing ${rule.direction}` }))]
}

/** How many of them, from the first on. */
function fittingIn(drafts: readonly Draft[]): number {
  let left = peersMost
  const beyond = drafts.findIndex(({ part: { peers, subjects = [] } }) => {
    left -= subjects.length + (peers === undefined ? 0 : peers.identities.length + peers.blocks.length)
    return left < 0
  })
  return beyond < 0 ? drafts.length : beyond
}

function compiledRule(rule: CommonRule, part: Part, { index, level }: { index: number; level: number }): CompiledRule {
  const { source, direction, action, final, audit, dscp, max, log } = rule
  return {
    index,
    source,
    direction,
    level,
    action,
    ...(final === true && { final }),
    ...(audit === true && { audit }),
    ...(dscp !== undefined && { dscp }),
    ...(max !== undefined && { max }),
    ...(log === true && { log }),
    ...(part.subjects !== undefined && { subjects: [...part.subjects] }),
    ...(part.peers !== undefined && { peers: part.peers }),
    ...(part.transport !== undefined && { transport: [...part.transport] }),
    ...framesOf(rule),
  }
}

/**
 * An agent that does not know of frames reads a rule as if it asked for none. Of one that denies that is more than is meant, and closes.
 * One that allows is of no family for it, and allows nothing.
 */
function framesOf({ action, families, ...rule }: CommonRule): Pick<CompiledRule, 'families' | 'frame'> {
  const of = families === undefined ? {} : { families: [...families] }
  const frame = frameOf(rule)
  if (frame === undefined) return of
  return { ...(action === 'deny' ? of : { families: [] }), frame: { ...frame, ...of } }
}

/** Undefined: it is for all frames of its families. */
function frameOf({ peerMac, etherType, vlan }: Pick<CommonRule, 'peerMac' | 'etherType' | 'vlan'>): CompiledRule['frame'] {
  if (peerMac === undefined && etherType === undefined && vlan === undefined) return undefined
  return { ...(peerMac !== undefined && { peerMac }), ...(etherType !== undefined && { etherType }), ...(vlan !== undefined && { vlan }) }
}
