// What policies would change: the same Ports judged by those that are in force and by those that would be. Nothing is stored.
import { inNamespaceOf, type Resource } from '../kinds/index.ts'
import type { PolicyFacts } from '../kinds/policy/policy-identity.ts'
import type { RuleSetSpec } from '../kinds/policy/policy-rule-set.ts'
import { compile, type CompileOptions } from './compile.ts'
import { Directory, type KnownIdentity } from './directory.ts'
import { UnifiedChoice } from './choose-unified.ts'
import type { Member } from './member.ts'
import { factsText } from './numbers.ts'
import type { CommonPolicy } from './one-form.ts'
import { Relevance } from './relevance.ts'
import { Ties } from './rules/ties.ts'
import { apartBy } from './trace/peer-mac.ts'
import { changedPairs } from './trace/changed.ts'
import type { TraceEnd, Traced } from './trace/trace.ts'
import { isFrameType, type Carried, type FrameType } from './verdict.ts'

/** A Port with an address, as policies look at it. */
export interface ForecastPort extends ForecastMember {
  readonly port: Resource<'Port'>
}

/** Whom policies may judge, as they look at it. */
export interface ForecastMember {
  readonly member: Member
  /** Whoever looks may see it. */
  readonly isShown: boolean
}

/** All of one VNI, or of a VLAN. */
export interface ForecastNetwork extends Pick<CompileOptions, 'vni' | 'families' | 'subnets' | 'isOpen' | 'pairsOf'> {
  readonly ports: readonly ForecastPort[]
}

export interface PolicyName {
  readonly kind: string
  readonly namespace?: string
  readonly name: string
}
export interface BindingChange {
  readonly policy: PolicyName
  /** `namespace/name` of Ports that it would judge, and of those that it would judge no more. */
  readonly gains: readonly string[]
  readonly loses: readonly string[]
  readonly rulesBefore: number
  readonly rulesAfter: number
}
export interface VerdictChange {
  /** `namespace/name` of Ports that policies cannot tell apart: the first of them stands for all. */
  readonly from: ShownName
  readonly to: ShownName
  readonly transport: Carried
  readonly before: Traced
  readonly after: Traced
}
export interface ShownName {
  readonly port: string
  readonly count: number
}
export interface Forecast {
  readonly bindings: readonly BindingChange[]
  readonly verdicts: readonly VerdictChange[]
  /** There may be more verdicts that change than are named. */
  readonly more: boolean
}

export const changesMax = 200
const transportsMax = 8

/**
 * @param stored all that is in force in the VNI
 * @param planned all that would be
 * @param network `isAudit`: those that are in force are all in audit, and that is to end; else both are compared as if all were enforced
 */
export function forecast(
  stored: readonly CommonPolicy[],
  planned: readonly CommonPolicy[],
  network: ForecastNetwork & { readonly isAudit?: boolean },
): Forecast {
  const before = [...stored, ...absentGroups(stored, network)]
  const after = [...planned, ...absentGroups(planned, network)]
  const groups = groupsOf(network.ports, [...before, ...after], toldApart([...before, ...after]))
  const directory = directoryOf(groups)
  const [was, is] = [compiled(before, directory, { ...network, audit: network.isAudit === true }), compiled(after, directory, network)]
  const bindings = bindingsOf({ was, is }, groups, ({ port }) => nameOf(port))
  return { bindings, ...verdictsOf(was, is, groups) }
}

export type Policies = readonly CommonPolicy[]

/** SecurityGroups that a Port names and that are not there allow nothing. */
function absentGroups(policies: Policies, { ports }: ForecastNetwork): Policies {
  const there = new Set(policies.filter(({ tier }) => tier === 'securityGroup').map(({ of }) => `${of.namespace}/${of.name}`))
  const named = new Set(ports.flatMap(({ port }) => (port.spec.securityGroups ?? []).map((name) => inNamespaceOf(port, name))))
  return [...named].filter((key) => !there.has(key)).map(closedGroup)
}

function closedGroup(key: string): CommonPolicy {
  const [namespace = '', name = ''] = key.split('/')
  return {
    of: { kind: 'SecurityGroup', namespace, name, uid: '' },
    tier: 'securityGroup',
    priority: 0,
    subjects: { group: key },
    isolates: ['ingress', 'egress'],
    rules: [],
  }
}

/** Those whom policies cannot tell apart. */
export interface Group<M extends ForecastMember> extends KnownIdentity {
  readonly members: readonly M[]
}
/** By kind, namespace and name of the policy. */
export type Sets = ReadonlyMap<string, RuleSetSpec>

/** @param apart what of one counts beside its facts */
export function groupsOf<M extends ForecastMember>(all: readonly M[], policies: Policies, apart: (of: M) => string): readonly Group<M>[] {
  const relevance = new Relevance(policies)
  const facts = new Map<string, PolicyFacts>()
  const grouped = Map.groupBy(all, (each) => {
    const of = relevance.factsOf(each.member)
    const text = `${factsText(of)} ${apart(each)}`
    facts.set(text, facts.get(text) ?? of)
    return text
  })
  return [...grouped].map(([text, members], i) => ({ number: i + 1, facts: facts.get(text)!, members }))
}

/** By its MAC and Subnet where rules name MACs, and by what it may send where they are about frames that are no IP. */
function toldApart(policies: Policies): (of: ForecastPort) => string {
  const rules = policies.flatMap((policy) => policy.rules)
  const macs = apartBy(new Set(rules.flatMap(({ peerMac }) => peerMac ?? [])))
  const isFramed = rules.some(({ etherType }) => etherType !== undefined)
  return ({ port }) => `${macs(port)} ${isFramed && sendsFrames(port)}`
}

/** Who is guarded sends nothing that is no IP. */
const sendsFrames = ({ spec }: Resource<'Port'>): boolean => spec.portSecurity === false

export function directoryOf(groups: readonly Group<ForecastMember>[]): Directory {
  const labels = new Map(groups.flatMap(({ members }) => members.map(({ member }) => [member.namespace, member.namespaceLabels] as const)))
  return new Directory(groups, (namespace) => labels.get(namespace) ?? {})
}

export type CompiledIn = Omit<CompileOptions, 'directory' | 'unified' | 'ties' | 'audit'> & Partial<Pick<CompileOptions, 'audit'>>

export function compiled(policies: Policies, directory: Directory, { audit = false, ...network }: CompiledIn): Sets {
  const options = { ...network, directory, unified: new UnifiedChoice(policies), ties: new Ties(policies), audit }
  return new Map(policies.map((policy, i) => [textOf(policy.of), compile(policy, i + 1, options).spec]))
}

const textOf = ({ kind, namespace = '', name }: PolicyName): string => `${kind} ${namespace}/${name}`
const nameOf = ({ metadata: { namespace = '', name } }: Resource<'Port'>): string => `${namespace}/${name}`

interface BothSets {
  readonly was: Sets
  readonly is: Sets
}

export function bindingsOf<M extends ForecastMember>(
  { was, is }: BothSets,
  groups: readonly Group<M>[],
  named: (of: M) => string,
): readonly BindingChange[] {
  const namesIn = (numbers: readonly number[], without: readonly number[]): readonly string[] =>
    groups
      .filter(({ number }) => numbers.includes(number) && !without.includes(number))
      .flatMap(({ members }) => members.filter(({ isShown }) => isShown).map(named))
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((key) => {
    const [old, next] = [was.get(key), is.get(key)]
    const { kind, namespace, name } = (next ?? old)!.policy
    const [had, has] = [old?.subjects ?? [], next?.subjects ?? []]
    const change = { gains: namesIn(has, had), loses: namesIn(had, has), rulesBefore: countOf(old), rulesAfter: countOf(next) }
    if (change.gains.length + change.loses.length === 0 && change.rulesBefore === change.rulesAfter) return []
    return [{ policy: { kind, ...(namespace !== undefined && { namespace }), name }, ...change }]
  })
}

/** Of a policy that judges nobody here there are none. */
const countOf = (set: RuleSetSpec | undefined): number => (set === undefined || set.subjects.length === 0 ? 0 : set.rules.length)

function verdictsOf(was: Sets, is: Sets, groups: readonly Group<ForecastPort>[]): Pick<Forecast, 'verdicts' | 'more'> {
  const [before, after] = [[...was.values()], [...is.values()]]
  const ends = groups.flatMap((group) => endOf(group) ?? [])
  const sends = ({ end }: ShownEnd, transport: Carried): boolean => !isFrameType(transport) || sendsFrames(end.port)
  const { changes, more } = changedPairs({ before, after, ends, transports: carriedIn([...before, ...after]), sends }, changesMax)
  return { verdicts: changes.map(({ from, to, ...change }) => ({ from: from.shown, to: to.shown, ...change })), more }
}

interface ShownEnd {
  readonly end: TraceEnd & Required<Pick<TraceEnd, 'port'>>
  readonly shown: ShownName
}

/** Undefined: whoever looks sees none of them, or none has an address. */
function endOf({ number, members }: Group<ForecastPort>): ShownEnd | undefined {
  const seen = members.filter(({ isShown }) => isShown)
  const [first] = seen
  const address = first?.port.status?.addresses?.[0]
  if (first === undefined || address === undefined) return undefined
  return { end: { port: first.port, address, identity: number }, shown: { port: nameOf(first.port), count: seen.length } }
}

/** What rules name, and a TCP port that none names; where they name frames that are no IP, one of those that none names too. */
export function carriedIn(sets: readonly RuleSetSpec[]): readonly Carried[] {
  const named = sets.flatMap(({ rules }) => rules.flatMap(({ transport = [] }) => transport))
  const all = named.map(({ protocol, first, icmpType, icmpCode }) => ({
    protocol,
    ...(first !== undefined && { l4Port: first }),
    ...(icmpType !== undefined && { icmpType }),
    ...(icmpCode !== undefined && { icmpCode }),
  }))
  const other = { protocol: 6, l4Port: 65_535 }
  const distinct = new Map([...all.slice(0, transportsMax), other].map((each) => [JSON.stringify(each), each]))
  return [...distinct.values(), ...framesIn(sets)]
}

/** For experiments of whoever has a network (IEEE 802, local experimental EtherTypes). */
const experimental = [0x88b5, 0x88b6]

function framesIn(sets: readonly RuleSetSpec[]): readonly FrameType[] {
  const named = [...new Set(sets.flatMap(({ rules }) => rules.flatMap(({ frame }) => frame?.etherType ?? [])))]
  if (named.length === 0) return []
  const other = experimental.find((each) => !named.includes(each))
  return [...named.slice(0, transportsMax), ...(other === undefined ? [] : [other])].map((etherType) => ({ etherType }))
}
