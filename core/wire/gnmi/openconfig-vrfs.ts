// VRFs as OpenConfig has them (openconfig-network-instance 4.7, openconfig-interfaces 3.8, openconfig-vlan 3.2): network instances, and
// the subinterfaces of ports that are in them.
import type { Json } from '../../json.ts'
import { fields, list, numberOf, plain, textOf } from './openconfig-vlans.ts'

export interface Subinterface {
  /** '' where it has none. */
  readonly description: string
  /** What it takes from the port: frames with this tag alone. */
  readonly vlan: number | undefined
}
/** By port and index. */
export type Subinterfaces = ReadonlyMap<string, ReadonlyMap<number, Subinterface>>

export interface InstanceMember {
  /** Its key in the list of the network instance. */
  readonly id: string
  readonly on: string
  /** Of a subinterface. */
  readonly index: number | undefined
}
export interface NetworkInstance {
  readonly description: string
  readonly members: readonly InstanceMember[]
}

const at = (value: unknown, ...way: readonly string[]): unknown => way.reduce((each, name) => fields(each)[name], value)
const items = (value: unknown, ...way: readonly string[]): readonly Json[] => list(at(value, ...way)).map(fields)

/** @param interfaces what stands at /interfaces */
export function readSubinterfaces(interfaces: unknown): Subinterfaces {
  return new Map(items(plain(interfaces), 'interface').map((port) => [textOf(port['name']), subinterfacesOf(port)]))
}

function subinterfacesOf(port: Json): ReadonlyMap<number, Subinterface> {
  return new Map(
    items(port, 'subinterfaces', 'subinterface').flatMap((each) => {
      const index = numberOf(each['index'])
      const vlan = at(each, 'vlan', 'match', 'single-tagged', 'config', 'vlan-id') ?? at(each, 'vlan', 'config', 'vlan-id')
      return index === undefined ? [] : [[index, { description: textOf(at(each, 'config', 'description')), vlan: numberOf(vlan) }] as const]
    }),
  )
}

/** @param instances what stands at /network-instances */
export function readInstances(instances: unknown): ReadonlyMap<string, NetworkInstance> {
  return new Map(
    items(plain(instances), 'network-instance').map((each) => [
      textOf(each['name']),
      { description: textOf(at(each, 'config', 'description')), members: items(each, 'interfaces', 'interface').map(memberOf) },
    ]),
  )
}

function memberOf(item: Json): InstanceMember {
  const { interface: on, subinterface } = fields(item['config'])
  return { id: textOf(item['id']), on: textOf(on), index: numberOf(subinterface) }
}
