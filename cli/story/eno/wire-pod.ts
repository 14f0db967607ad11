// What ovs-cni does with a NetworkAttachmentDefinition: a port of the bridge, with the VLAN or the list that its configuration names.
import type { OvsNode } from '../../../lab/programs/ovs.ts'

export interface OvsConfig {
  readonly type: string
  readonly bridge: string
  readonly vlan?: number
  readonly trunk?: readonly { readonly id: number }[]
}

export async function plug(node: OvsNode, port: string, { type, bridge, vlan, trunk }: OvsConfig): Promise<void> {
  if (type !== 'ovs') throw new Error(`the story wires as ovs-cni does, not as ${type}`)
  const settings = [
    ...(vlan === undefined ? [] : [`tag=${vlan}`]),
    ...(trunk === undefined ? [] : [`trunks=${trunk.map(({ id }) => id).join(',')}`]),
  ]
  await node.vsctl('add-port', bridge, port, ...settings)
}
