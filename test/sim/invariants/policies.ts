// Who judges whom is what the compiler says of the store: of a Port its identity and its rule sets, of its locks the identity, of a policy
// its rules. No identity goes while somebody has it, and nothing of a policy is left that is gone.
import { openVlan } from '../../../core/policy/network.ts'
import { isVlanSegment } from '../../../core/net/segment.ts'
import { segmentOf } from '../../../core/kinds/vpc/segment.ts'
import { keyOfItem, resolveReference, type Resource } from '../../../core/kinds/index.ts'
import { UnifiedChoice } from '../../../core/policy/choose-unified.ts'
import { Ties } from '../../../core/policy/rules/ties.ts'
import { compile, subjectsOf } from '../../../core/policy/compile.ts'
import { attachmentSegment } from '../../../core/plan/node/external-policy.ts'
import { networksOf } from '../../../core/plan/pod/networks.ts'
import { isPodFinished } from '../../../core/plan/pod/pod.ts'
import { Directory } from '../../../core/policy/directory.ts'
import { groupsAsked, namedGroupsOf, namespaceLabelsOf } from '../../../core/policy/member.ts'
import { factsText } from '../../../core/policy/numbers.ts'
import type { CommonPolicy } from '../../../core/policy/one-form.ts'
import { Relevance } from '../../../core/policy/relevance.ts'
import { sameJson } from '../../../core/same-json.ts'
import { readPolicy } from '../../../core/policy/read.ts'
import { scheduleStateAt } from '../../../core/policy/read/schedule.ts'
import { policyKinds, reachOf } from '../../../workers/policy/policy-kinds.ts'
import { perKind, type InvariantOfStore } from '../invariant.ts'
import type { Truth } from '../truth.ts'
import { chainPortsIn, withoutRound } from './chain-ports.ts'
import { memberIn } from './member.ts'

type Port = Resource<'Port'>
type Identity = Resource<'PolicyIdentity'>
type RuleSet = Resource<'PolicyRuleSet'>
type Fail = (what: string) => void

export const policies: InvariantOfStore = {
  name: 'policies',
  begin({ site }, fail) {
    const { truth } = site
    return {
      landed: perKind({
        PolicyIdentity(before, after) {
          if (before !== undefined && after === undefined) hasNobody(before, truth, fail)
        },
      }),
      atRest() {
        const vnis = new Set([...truth.values('Port'), ...truth.values('PolicyRuleSet')].flatMap((item) => vniOf(item) ?? []))
        for (const vni of vnis) (isOfAttachments(vni, truth) ? isCompiledInVlan : isAsCompiled)(vni, truth, fail)
        for (const identity of truth.values('PolicyIdentity')) isUsed(identity, truth, fail)
        for (const policy of truth.values('UnifiedNetworkPolicy')) isByItsSchedule(policy, Date.parse(site.time()), fail)
      },
    }
  },
}

const vniOf = (item: Port | RuleSet): number | undefined => (item.kind === 'PolicyRuleSet' ? item.spec.vni : segmentOf(item))

/** With its namespace all of a network goes, in no order. */
const isEnding = ({ metadata: { namespace = '' } }: Resource, truth: Truth): boolean =>
  truth.at('Namespace', namespace)?.metadata.deletionTimestamp !== undefined

/** By the time that it is. */
function isByItsSchedule({ spec, status, metadata }: Resource<'UnifiedNetworkPolicy'>, now: number, fail: Fail): void {
  const wanted = spec.schedule && scheduleStateAt(spec.schedule, now).inForce
  if (metadata.deletionTimestamp === undefined && status?.schedule?.inForce !== wanted)
    fail(
      `UnifiedNetworkPolicy ${metadata.namespace}/${metadata.name} says ${JSON.stringify(status?.schedule)}, and it is ${new Date(now).toISOString()}`,
    )
}

function hasNobody(identity: Identity, truth: Truth, fail: Fail): void {
  const isThere = truth.at('Namespace', identity.metadata.namespace ?? '') !== undefined
  if (isThere && !isEnding(identity, truth))
    for (const who of holdersOf(identity, truth)) fail(`identity ${identity.metadata.name} was freed, and ${who} has it`)
}

function* holdersOf({ spec: { vni, number } }: Identity, truth: Truth): Iterable<string> {
  for (const port of truth.values('Port'))
    if (segmentOf(port) === vni && port.status?.policy?.identity === number) yield `Port ${keyOfItem(port)}`
  for (const lock of truth.values('IPLock'))
    if (lock.spec.vni === vni && lock.spec.identity === number) yield `IPLock ${lock.metadata.name}`
  const attachments = [...truth.values('L2ServiceAttachment')].filter((each) => tellsOf(each, vni, number))
  yield* attachments.map((each) => `L2ServiceAttachment ${keyOfItem(each)}`)
}

function tellsOf({ status }: Resource<'L2ServiceAttachment'>, vni: number, number: number): boolean {
  const { segment, judged = [] } = status?.policy ?? {}
  return segment === vni && judged.some(({ identity }) => identity === number)
}

function isUsed(identity: Identity, truth: Truth, fail: Fail): void {
  const [holder] = holdersOf(identity, truth)
  if (holder === undefined) fail(`PolicyIdentity ${keyOfItem(identity)} is there, and nobody has it`)
}

function isAsCompiled(vni: number, truth: Truth, fail: Fail): void {
  const ports = [...truth.values('Port')].filter((port) => segmentOf(port) === vni)
  const inForce = policiesOn(ports, truth)
  const identities = [...truth.values('PolicyIdentity')].filter(({ spec }) => spec.vni === vni)
  const double = identities.find((one) =>
    identities.some((other) => other !== one && factsText(other.spec.facts) === factsText(one.spec.facts)),
  )
  if (double !== undefined) fail(`two identities of VNI ${vni} have the facts ${factsText(double.spec.facts)}`)
  const labelsOf = (name: string): Readonly<Record<string, string>> => namespaceLabelsOf(name, truth.at('Namespace', name))
  const directory = new Directory(
    identities.map(({ spec }) => spec),
    labelsOf,
  )
  const sets = [...truth.values('PolicyRuleSet')].filter(({ spec }) => spec.vni === vni)
  setsAreCompiled({ vni, inForce, directory, sets, truth }, fail)
  const relevance = new Relevance(inForce)
  for (const port of ports) if (isSettled(port, truth)) isJudged(port, { vni, inForce, directory, sets, truth, relevance }, fail)
}

const isOfAttachments = (vni: number, truth: Truth): boolean =>
  [...truth.values('L2ServiceAttachment')].some((each) => attachmentSegment(each) === vni)

/** Of attachments' namespaces in a VLAN from the first on, and of its pods'. */
function isCompiledInVlan(vni: number, truth: Truth, fail: Fail): void {
  const attachments = [...truth.values('L2ServiceAttachment')].filter((each) => attachmentSegment(each) === vni)
  const keys = new Set(attachments.map((each) => keyOfItem(each)))
  const pods = [...truth.values('Pod')].filter((pod) => !isPodFinished(pod) && networksOf(pod).some((key) => keys.has(key)))
  const namespaces = new Set([...attachments, ...pods].map(({ metadata }) => metadata.namespace))
  const identities = [...truth.values('PolicyIdentity')].filter(({ spec }) => spec.vni === vni)
  const directory = new Directory(
    identities.map(({ spec }) => spec),
    (name) => namespaceLabelsOf(name, truth.at('Namespace', name)),
  )
  const sets = [...truth.values('PolicyRuleSet')].filter(({ spec }) => spec.vni === vni)
  setsAreCompiled({ vni, inForce: policiesIn({ groups: new Set(), namespaces }, truth), directory, sets, truth }, fail)
}

interface Reaching {
  /** `namespace/name` of SecurityGroups. */
  readonly groups: ReadonlySet<string>
  readonly namespaces: ReadonlySet<string | undefined>
}

const policiesOn = (ports: readonly Port[], truth: Truth): readonly CommonPolicy[] =>
  policiesIn(
    { groups: new Set(ports.flatMap((port) => namedGroupsOf(port))), namespaces: new Set(ports.map(({ metadata }) => metadata.namespace)) },
    truth,
  )

function policiesIn({ groups, namespaces }: Reaching, truth: Truth): readonly CommonPolicy[] {
  return policyKinds.flatMap((kind) =>
    [...truth.values(kind)].flatMap((item) => {
      const isReached = {
        'whoever names it': () => groups.has(keyOfItem(item)),
        'its namespace': () => namespaces.has(item.metadata.namespace),
        everybody: () => true,
      }[reachOf[kind]]()
      const { policy } = readPolicy(item)
      return isReached && policy !== undefined ? [policy] : []
    }),
  )
}

/** SecurityGroups that it names, and that are not there. */
const absentOf = (port: Port, truth: Truth): readonly string[] =>
  groupsAsked(port).filter((key) => truth.at('SecurityGroup', key) === undefined)

const isSettled = (port: Port, truth: Truth): boolean => {
  const network = resolveReference(port.spec.subnet, port.metadata.namespace ?? '').namespace
  const isGoing = truth.at('Namespace', network)?.metadata.deletionTimestamp !== undefined
  return port.status?.phase === 'ready' && port.metadata.deletionTimestamp === undefined && !isGoing
}

interface Around {
  readonly vni: number
  readonly inForce: readonly CommonPolicy[]
  readonly directory: Directory
  readonly sets: readonly RuleSet[]
  readonly truth: Truth
}

const blocksOf = ({ spec }: Resource<'Subnet'>): readonly string[] => [spec.ipv4?.cidr ?? [], spec.ipv6?.cidr ?? []].flat()

function optionsIn({ vni, inForce, directory, truth }: Around): Parameters<typeof compile>[2] {
  const subnets = [...truth.values('Subnet')].filter((subnet) => segmentOf(subnet) === vni)
  const blocks = subnets.flatMap(blocksOf)
  const families = ([4, 6] as const).filter((family) => blocks.some((block) => block.includes(':') === (family === 6)))
  return {
    vni,
    families,
    directory,
    subnets: new Map(subnets.map((subnet) => [keyOfItem(subnet), blocksOf(subnet)])),
    ...(isVlanSegment(vni) && openVlan),
    unified: new UnifiedChoice(inForce),
    ties: new Ties(inForce),
    audit: false,
  }
}

function setsAreCompiled(around: Around, fail: Fail): void {
  const { vni, inForce, sets, truth } = around
  for (const set of sets) {
    if (isEnding(set, truth)) continue
    const policy = inForce.find(({ of }) => of.uid === set.spec.policy.uid)
    const name = `the rule set ${set.metadata.namespace}/${set.metadata.name} of ${set.spec.policy.kind} ${set.spec.policy.name}`
    if (policy === undefined) fail(`${name} is there, and nobody is judged by it`)
    else if (sets.some((other) => other !== set && other.spec.policy.uid === set.spec.policy.uid))
      fail(`${name} is not the only one in VNI ${vni}`)
    else if (
      !sameJson(compile(policy, set.spec.number, { ...optionsIn(around), ...chainPortsFor(set, around) }).spec, withoutRound(set.spec))
    )
      fail(`${name} is not what it is compiled to`)
    else if ((set.spec.chains?.beside ?? []).length > 0) fail(`${name} has still a round beside the one in force`)
  }
}

const chainPortsFor = (set: RuleSet, { truth }: Around): Pick<Parameters<typeof compile>[2], 'chainPorts'> => ({
  chainPorts: () => chainPortsIn(set, truth),
})

function isJudged(port: Port, around: Around & { readonly relevance: Relevance }, fail: Fail): void {
  const { policy } = port.status ?? {}
  locksAgree(port, around, fail)
  if (around.inForce.length + absentOf(port, around.truth).length > 0) return isKnownAsItIs(port, around, fail)
  if (policy !== undefined) fail(`Port ${keyOfItem(port)} has an identity, and no policy of VNI ${around.vni} is in force`)
}

function locksAgree(port: Port, { vni, truth }: Around, fail: Fail): void {
  const { policy, addresses = [] } = port.status ?? {}
  const isAlone = ({ spec: { shared = [] } }: Resource<'IPLock'>): boolean => shared.length === 0
  const locks = [...truth.values('IPLock')].filter(({ spec }) => spec.vni === vni && addresses.includes(spec.address ?? ''))
  const other = locks.find((lock) => isAlone(lock) && lock.spec.identity !== policy?.identity)
  if (other !== undefined)
    fail(`Port ${keyOfItem(port)} has the identity ${policy?.identity}, and its lock ${other.metadata.name} ${other.spec.identity}`)
}

function isKnownAsItIs(port: Port, around: Around & { readonly relevance: Relevance }, fail: Fail): void {
  const { inForce, directory, sets, truth, relevance } = around
  const { policy } = port.status ?? {}
  const facts = factsText(relevance.factsOf(memberIn(port, truth)))
  const has = policy && directory.factsOf(policy.identity)
  if (policy === undefined || has === undefined || factsText(has) !== facts)
    return fail(`Port ${keyOfItem(port)} is known as ${has && factsText(has)}, and is ${facts}`)
  const options = optionsIn(around)
  const nameOf = ({ of }: CommonPolicy): string =>
    sets.find(({ spec }) => spec.policy.uid === of.uid)?.metadata.name ?? `none of ${of.name}`
  const judging = inForce.filter((each) => subjectsOf(each, options).includes(policy.identity)).map(nameOf)
  // Of a group that nobody has made it names the set that will be there.
  const named = policy.ruleSets.filter((name) => sets.some(({ metadata }) => metadata.name === name))
  const toBe = policy.ruleSets.length - named.length
  if (toBe !== absentOf(port, truth).length)
    fail(`Port ${keyOfItem(port)} names ${toBe} rule sets that are not there, and lacks ${absentOf(port, truth).join()}`)
  if (!sameJson(judging.sort(), named))
    fail(`Port ${keyOfItem(port)} names the rule sets ${policy.ruleSets.join()}, and ${judging.join()} judge it`)
}
