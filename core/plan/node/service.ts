// From a ServiceAddress of the store to what one node is to carry of it.
import type { Resource } from '../../kinds/index.ts'
import type { NodeServiceAddress, NodeServiceEndpoint } from '../../node/wanted.ts'
import { sourceKeyOf } from '../services/sources.ts'

/** Undefined of one that is going: nobody is sent there any more. */
export function nodeServiceOf({ metadata, spec }: Resource<'ServiceAddress'>, node: string): NodeServiceAddress | undefined {
  if (metadata.deletionTimestamp !== undefined) return undefined
  const of = { here: spec.endpoints.filter((each) => each.node === node), others: spec.endpoints.filter((each) => each.node !== node) }
  return {
    namespace: metadata.namespace ?? '',
    name: metadata.name,
    vni: spec.vni,
    addresses: spec.addresses,
    ports: spec.ports.map(({ protocol, port }) => ({ protocol, l4Port: port })),
    byClient: spec.sessionAffinity !== undefined,
    endpoints: of.here.map(endpointOf),
    // A node without endpoints has nothing to spread: it leads to those that have some.
    ...(spec.externalTrafficPolicy === 'Cluster' &&
      of.here.length > 0 &&
      of.others.length > 0 && { elsewhere: of.others.map(endpointOf), source: sourceKeyOf(spec.subnet, node) }),
    ...(spec.node === node && { isSource: true }),
  }
}

const endpointOf = ({
  port,
  addresses,
  targetPorts,
  state,
}: Resource<'ServiceAddress'>['spec']['endpoints'][number]): NodeServiceEndpoint => ({ port, addresses, l4Ports: targetPorts, state })
