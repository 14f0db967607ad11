// Who may carry out functions of service chains, and whose packets go by them, by what is stored.
import { keyOfItem, type Resource } from '../../../core/kinds/index.ts'
import { instancesIn } from '../../../core/kinds/policy/chain.ts'
import type { RuleSetSpec } from '../../../core/kinds/policy/policy-rule-set.ts'
import { segmentOf } from '../../../core/kinds/vpc/segment.ts'
import { isPodFinished } from '../../../core/plan/pod/pod.ts'
import type { ChainPort } from '../../../core/policy/rules/chains.ts'
import type { Truth } from '../truth.ts'
import { memberIn } from './member.ts'

type Port = Resource<'Port'>
type RuleSet = Resource<'PolicyRuleSet'>

/** @param set for whose chains they are asked for */
export function chainPortsIn(set: RuleSet, truth: Truth): readonly ChainPort[] {
  const { vni, number } = set.spec
  const others = [...truth.values('PolicyRuleSet')].filter(({ spec }) => spec.vni === vni && spec.number < number && spec.audit !== true)
  const taken = new Set(others.flatMap(({ spec }) => instancesIn(spec.chains?.chains ?? []).map(({ port }) => port)))
  return [...truth.values('Port')]
    .filter((port) => segmentOf(port) === vni && isThere(port))
    .map((port) => asSeen(port, { set, taken, truth }))
}

const isThere = ({ metadata, status }: Port): boolean =>
  status?.mac !== undefined && (status.addresses ?? []).length > 0 && metadata.deletionTimestamp === undefined

interface Of {
  readonly set: RuleSet
  /** UIDs of Ports that are in chains of others. */
  readonly taken: ReadonlySet<string>
  readonly truth: Truth
}

function asSeen(port: Port, { set, taken, truth }: Of): ChainPort {
  const { metadata, status: { mac = '', addresses = [], policy } = {}, spec } = port
  const { namespace, labels } = memberIn(port, truth)
  return {
    ...{ port: metadata.uid, name: keyOfItem(port), mac, addresses, namespace, labels },
    isJudged: policy?.ruleSets.includes(set.metadata.name) === true,
    ...(policy !== undefined && { identity: policy.identity }),
    ...(spec.claim !== undefined && { nic: spec.claim.nic }),
    isReady: isServing(port) && isOfReadyPod(port, truth),
    ...((!isFit(port) || taken.has(metadata.uid)) && { unfit: 'is none' }),
  }
}

/** Wired where it is to be, for whom it is. */
const isServing = ({ spec, status }: Port): boolean =>
  status?.phase === 'ready' &&
  status.node?.wired === true &&
  status.policy !== undefined &&
  spec.node !== undefined &&
  spec.podUID === spec.claim?.podUID

function isOfReadyPod({ spec: { claim }, metadata }: Port, truth: Truth): boolean {
  if (claim === undefined) return true
  const pod = truth.at('Pod', `${metadata.namespace}/${claim.pod}`)
  if (pod === undefined || pod.metadata.uid !== claim.podUID || pod.metadata.deletionTimestamp !== undefined) return false
  return !isPodFinished(pod) && !isUnready(pod)
}
const isUnready = ({ status }: Resource<'Pod'>): boolean =>
  status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is !== 'True') === true

/** Guarded, and on Open vSwitch, whose node does not find that it forwards nothing. */
const isFit = ({ spec, status }: Port): boolean =>
  spec.portSecurity !== false && !isOfCloud(status) && (status?.node?.dataplane ?? 'ovs') === 'ovs' && status?.node?.silent !== true
const isOfCloud = (status: Port['status']): boolean => status?.vif !== undefined || status?.cloud !== undefined

/** As it is compiled: how often its chains have changed is no part of that. */
export function withoutRound({ chains, ...spec }: RuleSetSpec): RuleSetSpec {
  if (chains === undefined) return spec
  const { round: _, generation: __, beside: ___, ...rest } = chains
  return { ...spec, chains: rest }
}
