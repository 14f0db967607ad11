// VRFs of gateways: on which port of which router each is, whom it is offered to, and whose VLANs are in it.
import type { Item } from '../../contract/kinds.ts'
import { objects } from '../../live/objects.ts'
import { PhaseOf } from '../../parts/phase.tsx'
import { Table } from '../../parts/table.tsx'
import { domainsIn } from './routed.ts'

export function Vrfs({ fabric }: { readonly fabric: Item<'Fabric'> }) {
  const rows = (fabric.spec.gateways ?? []).flatMap((gateway) =>
    (gateway.router?.vrfs ?? []).map((vrf) => ({ gateway, router: gateway.router!, vrf })),
  )
  if (rows.length === 0) return null
  return (
    <Table label={`VRFs of ${fabric.metadata.name}`} heads={['VRF', 'Router port', 'Physical network', 'Offered to', 'VLANs']}>
      {rows.map(({ gateway, router, vrf }) => (
        <tr key={`${router.switch} ${router.port} ${gateway.physicalNetwork} ${vrf.name}`} data-vrf={vrf.name}>
          <th scope="row">
            <bdi>{vrf.name}</bdi>
          </th>
          <td>
            {router.switch} {router.port}
          </td>
          <td>{gateway.physicalNetwork}</td>
          <td>{vrf.namespaces.join(', ')}</td>
          <td>
            {domainsIn(vrf, gateway, objects.of('L2BridgeDomain').values()).map((domain) => (
              <span key={domain.metadata.name} title={`${domain.spec.holder.namespace ?? ''}/${domain.spec.holder.name}`}>
                {domain.spec.vlan} <PhaseOf item={domain} />{' '}
              </span>
            ))}
          </td>
        </tr>
      ))}
    </Table>
  )
}
