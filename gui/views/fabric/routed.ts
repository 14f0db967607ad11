// Which VLANs are in a VRF of a gateway's router: those of L2BridgeDomains that name it, of a namespace that it is offered to.
import type { Item } from '../../contract/kinds.ts'

type Gateway = NonNullable<Item<'Fabric'>['spec']['gateways']>[number]
type Vrf = NonNullable<Gateway['router']>['vrfs'][number]

export const domainsIn = (
  { name, namespaces }: Vrf,
  { physicalNetwork }: Pick<Gateway, 'physicalNetwork'>,
  domains: Iterable<Item<'L2BridgeDomain'>>,
): readonly Item<'L2BridgeDomain'>[] =>
  [...domains]
    .filter(
      ({ spec: { vrf, physicalNW = [], holder } }) =>
        vrf === name && physicalNW.includes(physicalNetwork) && namespaces.includes(holder.namespace ?? ''),
    )
    .sort((a, b) => a.spec.vlan - b.spec.vlan)
