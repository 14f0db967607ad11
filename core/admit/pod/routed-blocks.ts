// The blocks that a Port, or a NIC, is to have behind it: its Subnet allows them to its namespace. Who is in the way only workers know.
import { resolveReference, type Resource, type SpecOf } from '../../kinds/index.ts'
import { whyNotAllowed } from '../../kinds/vpc/routed-blocks.ts'
import { inVlan, segmentText } from '../../kinds/vpc/segment.ts'
import { pointerTo, refuse, type Refusal } from '../refusal.ts'
import type { NetworkView } from '../network-view.ts'

interface Written<K extends 'Port' | 'Subnet'> {
  readonly metadata: { readonly namespace?: string }
  readonly spec: SpecOf<K>
}

/** Also of a Port that is there already. */
export function refusalByBlocks(
  { metadata: { namespace = '' }, spec: { routedBlocks = [], subnet: named } }: Written<'Port'>,
  view: Pick<NetworkView, 'subnet'>,
): Refusal | undefined {
  const where = resolveReference(named, namespace)
  const subnet = view.subnet(where.namespace, where.name)
  return subnet && blockRefused(routedBlocks, { namespace, subnet }, (place) => pointerTo('spec', 'routedBlocks', place))
}

/** @param at where the block of that place was written */
export function blockRefused(
  blocks: readonly string[],
  { namespace, subnet }: { readonly namespace: string; readonly subnet: Resource<'Subnet'> },
  at: (place: number) => string,
): Refusal | undefined {
  for (const [place, block] of blocks.entries()) {
    const why = whyNotAllowed({ block, namespace }, subnet)
    if (why !== undefined) return refuse(at(place), why)
  }
  return undefined
}

/** Also of a Subnet that is there already. */
export function refusalOfAllowed(
  { metadata: { namespace = '' }, spec: { allowedRoutedBlocks, vpc: named = '' } }: Written<'Subnet'>,
  view: Pick<NetworkView, 'vpc'>,
): Refusal | undefined {
  const vpc = allowedRoutedBlocks === undefined ? undefined : view.vpc(namespace, named)
  if ((vpc?.spec.vlan ?? vpc?.spec.cloud) === undefined) return undefined
  const is = vpc?.spec.vlan === undefined ? 'of a cloud' : segmentText(inVlan(vpc.spec.vlan))
  return refuse(
    pointerTo('spec', 'allowedRoutedBlocks'),
    `Vpc ${named} is ${is}: what is behind a Port there its own routers say, so leave it out`,
  )
}
