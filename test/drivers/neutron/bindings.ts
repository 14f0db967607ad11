// Second bindings of ports at a Neutron in memory, as Neutron 21 has them (ML2, binding-extended). What is active is in the port itself.
import { Fault, type Fields, type NeutronAnswer, type NeutronRequest } from './answer.ts'

export interface InactiveBinding {
  readonly host: string
  readonly vif_type: string
}

export const bindingFields = { 'binding:vif_type': 'ovs', 'binding:vif_details': { port_filter: true, bridge_name: 'br-int' } } as const

interface Model {
  readonly hosts: ReadonlySet<string>
  /** Of ports, by their IDs. */
  readonly inactive: Map<string, readonly InactiveBinding[]>
  change(plural: 'ports', id: string, fields: Record<string, unknown>): void
}
interface BindingRequest extends Pick<NeutronRequest, 'method' | 'body'> {
  readonly host: string | undefined
}

/** Whether a change of the port's own says something of its binding. */
const isOfBinding = (change: object): boolean => Object.keys(change).some((field) => field.startsWith('binding:'))

/** Its one binding was taken away. */
const isLost = (port: Fields): boolean => Object.hasOwn(port, 'binding:host_id') && port['binding:host_id'] === undefined

/** @throws Fault where a change of a port is one that Neutron does not survive */
export function mustBeBound(change: Record<string, unknown>, port: Fields, { inactive }: Model): void {
  const host = change['binding:host_id'] as string | undefined
  if (isOfBinding(change) && isLost(port)) throw new Fault(404, 'PortNotFound', `Port ${port.id} could not be found.`)
  if ((inactive.get(port.id) ?? []).some((each) => each.host === host))
    throw new Fault(500, 'HTTPInternalServerError', 'Request Failed: internal server error while processing your request.')
}

/** `/v2.0/ports/ID/bindings`, and what is behind it. Each of them counts the port's revision, and none takes one. */
export function answerBindings(model: Model, port: Fields, { method, body, host }: BindingRequest): NeutronAnswer {
  if (!String(port['device_owner']).startsWith('compute:'))
    throw new Fault(400, 'BadRequest', `Bad port request: Invalid port ${port.id}. Operation only valid on compute ports.`)
  if (method === 'GET') return [200, { bindings: bindingsOf(model, port) }]
  if (method === 'POST') return create(model, port, (body as { readonly binding: { readonly host: string } }).binding.host)
  return method === 'PUT' ? activate(model, port, host ?? '') : remove(model, port, host ?? '')
}

function bindingsOf({ inactive }: Model, port: Fields): readonly object[] {
  const host = port['binding:host_id']
  const active = {
    host,
    vif_type: port['binding:vif_type'],
    vif_details: port['binding:vif_details'],
    profile: port['binding:profile'],
    status: 'ACTIVE',
  }
  const others = (inactive.get(port.id) ?? []).map((each) => ({
    ...each,
    vif_details: each.vif_type === 'ovs' ? bindingFields['binding:vif_details'] : {},
    status: 'INACTIVE',
  }))
  return isLost(port) ? others : [active, ...others]
}

const hostsOf = ({ inactive }: Model, port: Fields): readonly unknown[] => [
  port['binding:host_id'],
  ...(inactive.get(port.id) ?? []).map(({ host }) => host),
]

function create(model: Model, port: Fields, host: string): NeutronAnswer {
  if (hostsOf(model, port).includes(host))
    throw new Fault(409, 'PortBindingAlreadyExists', `Binding for port ${port.id} on host ${host} already exists.`)
  if (!model.hosts.has(host))
    throw new Fault(500, 'PortBindingError', `Binding for port ${port.id} on host ${host} could not be created or updated.`)
  const isFirst = isLost(port)
  if (!isFirst) model.inactive.set(port.id, [...(model.inactive.get(port.id) ?? []), { host, vif_type: 'ovs' }])
  model.change('ports', port.id, isFirst ? { 'binding:host_id': host, ...bindingFields, 'binding:profile': {}, status: 'DOWN' } : {})
  return [201, { binding: { host, vif_type: 'ovs', ...bindingFields, status: isFirst ? 'ACTIVE' : 'INACTIVE' } }]
}

function activate(model: Model, port: Fields, host: string): NeutronAnswer {
  const before = port['binding:host_id']
  if (before === host) throw new Fault(409, 'PortBindingAlreadyActive', `Binding for port ${port.id} on host ${host} is already active.`)
  const others = without(model, port, host)
  model.inactive.set(port.id, [...others, ...(typeof before === 'string' ? [{ host: before, vif_type: 'unbound' }] : [])])
  model.change('ports', port.id, { 'binding:host_id': host, ...bindingFields, 'binding:profile': {}, status: 'DOWN' })
  return [200, { host, status: 'ACTIVE' }]
}

/** Also of the active one: then the port is bound to no host, and says nothing of it. */
function remove(model: Model, port: Fields, host: string): NeutronAnswer {
  const isActive = port['binding:host_id'] === host
  if (!isActive) model.inactive.set(port.id, without(model, port, host))
  const none = {
    'binding:host_id': undefined,
    'binding:vif_type': undefined,
    'binding:vif_details': undefined,
    'binding:profile': undefined,
  }
  model.change('ports', port.id, isActive ? none : {})
  return [204]
}

function without({ inactive }: Model, { id }: Fields, host: string): InactiveBinding[] {
  const all = inactive.get(id) ?? []
  if (!all.some((each) => each.host === host))
    throw new Fault(404, 'PortBindingNotFound', `Binding for port ${id} for host ${host} could not be found.`)
  return all.filter((each) => each.host !== host)
}
