// Which running pods a change of policies would move: those whose network is their policy's to say, where it would say another one.
import { isNetworkByPolicy, vpcByPolicy } from '../../../../core/admit/pod/network-by-policy.ts'
import { isPodFinished } from '../../../../core/plan/pod/pod.ts'
import { segmentByName } from '../../../../core/kinds/vpc/segment.ts'
import type { Resource } from '../../../../core/kinds/index.ts'
import { candidatesIn, networkAmong, type Candidates } from '../../../../core/policy/pod-network.ts'
import type { PolicyKind } from '../../../../core/policy/read.ts'
import type { Caller } from '../../../plugins/auth.ts'
import { everyOf } from '../../across/gather.ts'
import { reachOf } from '../../across/reach.ts'
import type { RestDeps } from '../../deps.ts'
import { afterChange, type PolicyChange } from '../change.ts'

export interface PodMove {
  /** As `namespace/name`. */
  readonly pod: string
  /** A Vpc as `namespace/name`; absent: its policies name none that it may have. */
  readonly from?: string
  readonly to: string
}

/** Of so many pods of a namespace, at most: it is asked of each, while others wait. */
const podsMost = 1_000
const movesMost = 200

/** Of pods that the caller may list. One whose policies would name no network any more stays where it is. */
export async function movesBy(change: PolicyChange, deps: RestDeps, caller: Caller): Promise<readonly PodMove[]> {
  const moves: PodMove[] = []
  for (const namespace of namespacesOf(change))
    if ((await reachOf(deps, caller, { kind: 'Pod', namespace })).length > 0) moves.push(...(await movesWithin(namespace, change, deps)))
  return moves.slice(0, movesMost)
}

const namespacesOf = ({ put, remove }: PolicyChange): readonly string[] => [
  ...new Set(
    [...put.map(({ kind, metadata }) => ({ kind, namespace: metadata.namespace })), ...remove].flatMap(({ kind, namespace }) =>
      kind === 'UnifiedNetworkPolicy' && namespace !== undefined ? [namespace] : [],
    ),
  ),
]

async function movesWithin(namespace: string, change: PolicyChange, deps: RestDeps): Promise<readonly PodMove[]> {
  const pods = await everyOf(deps, undefined, 'Pod', { namespace })
  const following = pods.filter((pod) => isNetworkByPolicy(pod) && !isPodFinished(pod)).slice(0, podsMost)
  if (following.length === 0) return []
  const stored = await everyOf(deps, undefined, 'UnifiedNetworkPolicy', { namespace })
  const now = candidatesIn(namespace, stored)
  const planned = candidatesIn(namespace, afterChange(stored, change).filter(isUnified))
  const vpcAmong = (pod: Resource<'Pod'>, candidates: Candidates): string | undefined => {
    const vpc = vpcByPolicy(pod, { ...deps.admission.world, networkByPolicy: () => networkAmong(pod, candidates) })
    // What nobody gave it moves nobody.
    if (vpc === undefined || segmentByName(vpc) !== undefined) return undefined
    return vpc.includes('/') ? vpc : `${namespace}/${vpc}`
  }
  return following.flatMap((pod) => {
    const [from, to] = [vpcAmong(pod, now), vpcAmong(pod, planned)]
    return to === undefined || to === from ? [] : [{ pod: `${namespace}/${pod.metadata.name}`, ...(from !== undefined && { from }), to }]
  })
}

const isUnified = (policy: Resource<PolicyKind>): policy is Resource<'UnifiedNetworkPolicy'> => policy.kind === 'UnifiedNetworkPolicy'
