// What policies would change for pods' interfaces in a VLAN: whom they would judge there, and what these may send and get, against the
// blocks of addresses that rules tell apart, and the MACs where frames that are no IP are meant. Nothing is stored.
import { keyOfItem } from '../../kinds/index.ts'
import type { RuleSetSpec } from '../../kinds/policy/policy-rule-set.ts'
import { compile } from '../compile.ts'
import { UnifiedChoice } from '../choose-unified.ts'
import type { CommonPolicy } from '../one-form.ts'
import type { PolicyProblem } from '../problem.ts'
import { Ties } from '../rules/ties.ts'
import {
  bindingsOf,
  carriedIn,
  changesMax,
  compiled,
  directoryOf,
  groupsOf,
  type Forecast,
  type ForecastMember,
  type Group,
  type Policies,
  type VerdictChange,
} from '../forecast.ts'
import { openVlan } from '../network.ts'
import { macsIn } from '../trace/peer-mac.ts'
import { traceOf, type TraceEnd, type VlanInterface } from '../trace/trace.ts'
import { isFrameType, type Carried } from '../verdict.ts'
import { blocksApart, macsApart, othersMost, type Other } from './others.ts'

export interface ForecastInterface extends ForecastMember {
  readonly pod: VlanInterface['pod']
  readonly attachment: VlanInterface['attachment']
}

export interface ForecastVlan {
  readonly segment: number
  /** All in the VLAN; shown are those of the attachment that is asked about. */
  readonly interfaces: readonly ForecastInterface[]
  /** Of that attachment. */
  readonly vlans: readonly number[]
  /** Those that are in force are all in audit, and that is to end. */
  readonly isAudit: boolean
  /** Of these it is said what cannot be done there. */
  readonly isEdited: (policy: CommonPolicy) => boolean
}

/** A verdict of one VLAN. */
export interface VlanVerdictChange extends VerdictChange {
  readonly vlan: number
}

export interface VlanForecast extends Forecast {
  readonly verdicts: readonly VlanVerdictChange[]
  readonly problems: readonly { readonly policy: CommonPolicy['of']; readonly problem: PolicyProblem }[]
}

/** What a plan may cost: so many rules are asked at most, in all. */
const askedMost = 4_000_000

export function forecastInVlan(
  before: Policies,
  after: Policies,
  { segment, interfaces, vlans, isAudit, isEdited }: ForecastVlan,
): VlanForecast {
  const groups = groupsOf(interfaces, [...before, ...after], ({ isShown }) => String(isShown))
  const directory = directoryOf(groups)
  const around = { vni: segment, ...openVlan }
  const [was, is] = [compiled(before, directory, { ...around, audit: isAudit }), compiled(after, directory, around)]
  const bindings = bindingsOf({ was, is }, groups, ({ pod }) => keyOfItem(pod))
  const both = { was: [...was.values()], is: [...is.values()] }
  const all = [...both.was, ...both.is]
  const { questions: tried, isCut: isNarrowed } = questionsOn(all, vlansApart(all, vlans))
  const seen = groups.filter(({ members }) => members[0]!.isShown)
  const shares = Math.max(seen.length * 2 * all.reduce((sum, { rules }) => sum + rules.length + 1, 0), 1)
  const questions = tried.slice(0, Math.ceil(askedMost / shares))
  const verdicts = seen.flatMap((group) => questions.flatMap((question) => changesOf(group, question, both)))
  const isCut = isNarrowed || questions.length < tried.length
  const options = { ...around, directory, unified: new UnifiedChoice(after), ties: new Ties(after), audit: false }
  const problems = after
    .filter(isEdited)
    .flatMap((policy, i) => compile(policy, i + 1, options).problems.map((problem) => ({ policy: policy.of, problem })))
  return { bindings, verdicts: verdicts.slice(0, changesMax), more: isCut || verdicts.length > changesMax, problems }
}

/** Of several VLANs those that rules name, and one that none names. */
function vlansApart(sets: readonly RuleSetSpec[], vlans: readonly number[]): readonly number[] {
  const named = new Set(sets.flatMap(({ rules }) => rules.flatMap(({ frame }) => frame?.vlan ?? [])))
  const other = vlans.find((vlan) => !named.has(vlan))
  return [...(other === undefined ? [] : [other]), ...vlans.filter((vlan) => named.has(vlan))]
}

interface Question {
  readonly vlan: number
  readonly other: Other
  readonly transport: Carried
}

interface Questions {
  readonly questions: readonly Question[]
  /** There are more VLANs, blocks or MACs than are asked about. */
  readonly isCut: boolean
}

function questionsOn(sets: readonly RuleSetSpec[], vlans: readonly number[]): Questions {
  const [v4, v6] = [blocksApart(sets, 4), blocksApart(sets, 6)]
  const macs = macsApart(macsIn(sets.flatMap(({ rules }) => rules)))
  const blocks = [...v4.slice(0, othersMost), ...v6.slice(0, othersMost)]
  const othersOf = (transport: Carried): readonly Other[] => (isFrameType(transport) ? macs.slice(0, othersMost) : blocks)
  const questions = vlans
    .slice(0, othersMost)
    .flatMap((vlan) => carriedIn(sets).flatMap((transport) => othersOf(transport).map((other) => ({ vlan, other, transport }))))
  return { questions, isCut: [v4, v6, macs, vlans].some(({ length }) => length > othersMost) }
}

interface BothRules {
  readonly was: readonly RuleSetSpec[]
  readonly is: readonly RuleSetSpec[]
}

function changesOf(
  { number, members }: Group<ForecastInterface>,
  { vlan, other, transport }: Question,
  { was, is }: BothRules,
): readonly VlanVerdictChange[] {
  const { pod, attachment } = members[0]!
  const end: TraceEnd = { address: '', identity: number, interface: { pod, attachment, vlan } }
  const mine = { end, shown: { port: keyOfItem(pod), count: members.length } }
  const theirs = { end: other.end, shown: { port: other.name, count: 1 } }
  return [
    { from: mine, to: theirs },
    { from: theirs, to: mine },
  ].flatMap(({ from, to }) => {
    const question = { from: from.end, to: to.end, transport }
    const change = { before: traceOf(was, question), after: traceOf(is, question) }
    return change.before.isAllowed === change.after.isAllowed ? [] : [{ vlan, from: from.shown, to: to.shown, transport, ...change }]
  })
}
