// In the end a pod whose network is its policy's to say is in the one that this names, where its namespace may use that.
import { isNetworkByPolicy, isUsableBy } from '../../../core/admit/pod/network-by-policy.ts'
import { vpcAnnotation } from '../../../core/kinds/annotations.ts'
import { keyOfItem, resolveReference, type Resource } from '../../../core/kinds/index.ts'
import { isMadeFor, isPodFinished } from '../../../core/plan/pod/pod.ts'
import { networkFor } from '../../../core/policy/pod-network.ts'
import type { Invariant } from '../invariant.ts'
import type { Truth } from '../truth.ts'

export const followedNetworks: Invariant = {
  name: 'followed-networks',
  begin: ({ site: { truth } }, fail) => ({
    atRest() {
      for (const pod of truth.values('Pod')) {
        const vpc = isNetworkByPolicy(pod) && !isPodFinished(pod) ? vpcFor(pod, truth) : undefined
        const elsewhere = vpc && networksOf(pod, truth).find((network) => network !== keyOfItem(vpc))
        if (elsewhere !== undefined) fail(`pod ${keyOfItem(pod)} is in Vpc ${elsewhere}, and its policy names another`)
      }
    },
  }),
}

/** The Vpcs that its Ports are in, as far as their Subnets are there. */
function networksOf({ metadata: { uid } }: Resource<'Pod'>, truth: Truth): readonly string[] {
  const mine = [...truth.values('Port')].filter(
    (port) => port.spec.claim?.podUID === uid && isMadeFor(port) && port.metadata.deletionTimestamp === undefined,
  )
  return mine.flatMap(({ spec, metadata }) => {
    const { namespace, name } = resolveReference(spec.subnet, metadata.namespace ?? '')
    const vpc = truth.get({ kind: 'Subnet', namespace, name })?.spec.vpc
    return vpc === undefined ? [] : [`${namespace}/${vpc}`]
  })
}

/** Undefined: none that it could be moved to, for want of the Vpc, of a share of it, or of the one Subnet to go to. */
function vpcFor(pod: Resource<'Pod'>, truth: Truth): Resource<'Vpc'> | undefined {
  const { namespace: home = '', annotations } = pod.metadata
  const named = networkFor(pod, truth.values('UnifiedNetworkPolicy')) ?? annotations?.[vpcAnnotation]
  if (named === undefined) return undefined
  const { namespace, name } = resolveReference(named, home)
  const vpc = truth.get({ kind: 'Vpc', namespace, name })
  if (vpc === undefined || vpc.metadata.deletionTimestamp !== undefined || !isUsableBy(home, vpc)) return undefined
  const subnets = [...truth.values('Subnet')].filter(
    ({ metadata, spec, status }) =>
      metadata.namespace === namespace && spec.vpc === name && status?.validated === true && metadata.deletionTimestamp === undefined,
  )
  return subnets.length === 1 ? vpc : undefined
}
