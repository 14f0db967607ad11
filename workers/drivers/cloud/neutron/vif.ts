// How a node plugs a port of Neutron in: what its binding says, in words that a node's agent knows.
// https://docs.openstack.org/neutron/latest/contributor/internals/vif_details.html (the binding extension)
import type { CloudPort } from '../../../../core/contracts/cloud.ts'
import type { Vif } from '../../../../core/kinds/vpc/at-provider.ts'

export interface Binding {
  readonly id: string
  readonly network_id: string
  readonly 'binding:host_id'?: string
  readonly 'binding:vif_type'?: string
  readonly 'binding:vnic_type'?: string
  readonly 'binding:vif_details'?: Readonly<Record<string, unknown>>
  readonly 'binding:profile'?: Readonly<Record<string, unknown>>
}

/** os-vif's length of `tap…` and of bridges named after networks. */
const nameLength = 14

/** Neither of both: it is bound to no host, or nobody has said yet. */
export function bindingOf(port: Binding): Pick<CloudPort, 'host' | 'vif' | 'unbound'> {
  const { 'binding:host_id': host = '', 'binding:vif_type': type = '', 'binding:vif_details': details = {} } = port
  if (host === '') return { host: undefined, vif: undefined }
  if (type === 'binding_failed')
    return { host, vif: undefined, unbound: `binding_failed: no mechanism of Neutron has bound port ${port.id} to host ${host}` }
  if (type === '' || type === 'unbound') return { host, vif: undefined }
  const plug = plugOf(port, type, details)
  if (plug === undefined)
    return { host, vif: undefined, unbound: `Neutron has bound port ${port.id} as ${type}, which Megrez does not plug in` }
  return { host, vif: { node: host, ...plug, type, details: textsOf(details) } }
}

function plugOf({ id, network_id }: Binding, type: string, details: Readonly<Record<string, unknown>>): Omit<Vif, 'node'> | undefined {
  const named = details['bridge_name']
  if (type === 'ovs') {
    const bridge = typeof named === 'string' && named !== '' ? named : 'br-int'
    return { plug: 'bridge', bridge, interfaceID: id, ...(details['ovs_hybrid_plug'] === true && { hybrid: true }) }
  }
  if (type === 'bridge')
    return { plug: 'bridge', bridge: typeof named === 'string' ? named : `brq${network_id}`.slice(0, nameLength), interfaceID: id }
  return type === 'tap' ? { plug: 'tap', interfaceID: id, interface: `tap${id}`.slice(0, nameLength) } : undefined
}

/** What is no text is its JSON: statuses hold texts. */
const textsOf = (details: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(details).map(([key, value]) => [
      key.slice(0, 63),
      (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 1024),
    ]),
  )
