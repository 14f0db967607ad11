// What Vpcs say of one VNI, as what the kernel of a node lets out of it.
import type { Resource } from '../../kinds/index.ts'
import type { RoutedEgress } from '../../node/wanted.ts'

/** @param vpcs of one VNI: one at most is in force */
export function egressFrom(vpcs: Iterable<Resource<'Vpc'>>, node: string): RoutedEgress | undefined {
  for (const { status } of vpcs) {
    const sources = status?.egress?.nodes.find((each) => each.node === node)?.addresses
    if (status?.egress !== undefined && sources !== undefined) return { to: status.egress.to, except: status.egress.except, sources }
  }
  return undefined
}
