// The QoS policy that a Port, or a NIC, names: of a cloud that has such, and of no other network.
import { traitsOf } from '../../kinds/vpc/providers.ts'
import type { Resource } from '../../kinds/index.ts'

/** Why a Port in a Vpc may not name one, in words. A provider that is not known here may have them. */
export function whyNoQosPolicy(vpc: Resource<'Vpc'> | undefined): string | undefined {
  if (vpc === undefined || traitsOf(vpc)?.qosPolicies !== false) return undefined
  const { provider = 'builtin' } = vpc.spec
  const instead = provider === 'builtin' ? ': bandwidth.max of a UnifiedNetworkPolicy limits what its Ports send and get' : ''
  return `Vpc ${vpc.metadata.name} is of provider ${provider}, which has no QoS policies${instead}`
}
