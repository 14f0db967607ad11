// The Ports of a VNI as service chains look at them.
import { inNamespaceOf, keyOfItem, type Resource } from '../../core/kinds/index.ts'
import { instancesOf } from '../../core/kinds/policy/chain.ts'
import type { ChainPort } from '../../core/policy/rules/chains.ts'
import { numberedName } from '../../core/policy/numbers.ts'
import { isPodFinished } from '../../core/plan/pod/pod.ts'
import { onNode } from '../../core/plan/vpc/on-node.ts'
import type { Env } from '../controller-env.ts'
import { isAtCloud } from '../watch/predicates.ts'
import { memberIn } from './member-in.ts'
import { isServing, isUnready } from './serving.ts'

/** On nodes with these nothing is handed to functions (functionPiece). */
export const planesWithoutFunctions: readonly string[] = ['bess', 'linux']

/** @param number of the rule set that is asked for: what another one of a lower number has is not free */
export function chainPortsIn(vni: number, number: number, env: Env): readonly ChainPort[] {
  const of = { set: numberedName(vni, number), taken: takenIn(vni, number, env) }
  return [...env.caches.Port.by('vni', String(vni))].flatMap((port) => {
    const { mac, addresses = [] } = port.status ?? {}
    const isThere = mac !== undefined && addresses.length > 0 && port.metadata.deletionTimestamp === undefined
    return isThere ? [{ port: port.metadata.uid, name: keyOfItem(port), mac, addresses, ...partsOf(port, of, env) }] : []
  })
}

interface Of {
  /** The rule set's name. */
  readonly set: string
  readonly taken: ReadonlyMap<string, string>
}

function partsOf(port: Resource<'Port'>, { set, taken }: Of, env: Env): Omit<ChainPort, 'port' | 'name' | 'mac' | 'addresses'> {
  const { policy } = port.status ?? {}
  const { namespace, labels } = memberIn(port, env)
  const unfit = unfitness(port, taken)
  return {
    namespace,
    labels,
    isJudged: policy?.ruleSets.includes(set) === true,
    ...(policy !== undefined && { identity: policy.identity }),
    ...(port.spec.claim !== undefined && { nic: port.spec.claim.nic }),
    // Before it has an identity nobody knows whether it is one of those that go by the chain.
    isReady: isServing(port, env) && policy !== undefined && onNode(port) && isPodReady(port, env),
    ...(unfit !== undefined && { unfit }),
  }
}

/** UIDs of Ports that are in a chain of another policy already, with its name. What is only tried out hands nobody anything. */
const takenIn = (vni: number, number: number, { caches }: Env): ReadonlyMap<string, string> =>
  new Map(
    [...caches.PolicyRuleSet.by('vni', String(vni))]
      .filter(({ spec }) => spec.number < number && spec.audit !== true)
      .flatMap(({ spec: { chains, policy } }) => instancesOf(chains).map(({ port }) => [port, policy.name] as const)),
  )

/** What a Port sends for others is told from what it makes up: it is guarded. */
function unfitness(port: Resource<'Port'>, taken: ReadonlyMap<string, string>): string | undefined {
  const { metadata, spec, status } = port
  const by = taken.get(metadata.uid)
  if (spec.portSecurity === false) return 'has no portSecurity'
  if (isAtCloud(port) || status?.vif !== undefined) return 'is carried by a cloud'
  return unfitnessThere(status?.node ?? {}) ?? (by === undefined ? undefined : `is in a chain of policy ${by}`)
}

function unfitnessThere({ dataplane, silent }: NonNullable<NonNullable<Resource<'Port'>['status']>['node']>): string | undefined {
  if (silent === true) return 'forwards nothing, as its node finds'
  const does = dataplane === undefined || !planesWithoutFunctions.includes(dataplane)
  return does ? undefined : `is on a node with ${dataplane}, where nothing is handed to functions`
}

function isPodReady(port: Resource<'Port'>, { caches }: Env): boolean {
  const { claim } = port.spec
  const pod = claim && caches.Pod.get(inNamespaceOf(port, claim.pod))
  if (pod === undefined || pod.metadata.uid !== claim?.podUID) return claim === undefined
  return pod.metadata.deletionTimestamp === undefined && !isPodFinished(pod) && !isUnready(pod)
}
