// L2ServiceAttachments for interfaces in single VLANs of physnet1, where no switch has to be opened: no Fabric leads to the nodes.
import assert from 'node:assert/strict'
import { pathOf } from '../../cli/demo/rest.ts'
import type { Kind } from '../../core/kinds/index.ts'
import { until } from '../setup/until.ts'
import type { Agents } from './agents.ts'

const namespace = 'a'

/** @returns VLAN → the configuration that workers have written for it, as Multus hands it to the plugin */
export async function accessVlans(
  { rest }: Agents,
  nodes: readonly string[],
  ...vlans: readonly number[]
): Promise<ReadonlyMap<number, object>> {
  const post = async (kind: Kind, name: string, spec: object): Promise<void> => {
    const { status, body } = await rest.call('POST', pathOf(kind, namespace), {
      apiVersion: 'megrez.io/v1alpha1',
      kind,
      metadata: { name },
      spec,
    })
    assert.equal(status, 201, `${kind} ${name}: ${JSON.stringify(body)}`)
  }
  await post('NodePool', 'pool', { nodes, interfaces: [{ name: 'eth1', connectionPoint: 'cp' }] })
  await post('ConnectionPoint', 'cp', { physicalNet: 'physnet1', supportedCnis: [{ name: 'megrez', supportedInterfaceTypes: ['kernel'] }] })
  const confs = new Map<number, object>()
  for (const vlan of vlans) {
    await post('L2Service', `s${vlan}`, { segmentationID: vlan })
    await post('L2ServiceAttachment', `access-${vlan}`, { vlanType: 'access', l2Services: [`s${vlan}`], connectionPoint: 'cp' })
    const definition = async () =>
      (await rest.call('GET', pathOf('NetworkAttachmentDefinition', namespace, `access-${vlan}`))).body as unknown as {
        readonly spec?: { readonly config: string }
      }
    await until(async () => (await definition()).spec !== undefined, `VLAN ${vlan} has a definition`, 30_000)
    confs.set(vlan, JSON.parse((await definition()).spec!.config) as object)
  }
  return confs
}
