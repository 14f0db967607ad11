// VLANs that join and leave VRFs, as one Set. What is ours stands on the router: a subinterface with the mark of an L2BridgeDomain in its
// description, and a network instance with our mark in its own. It is made with its first interface and goes with its last, whoever's that
// was; others are not touched.
import type { RouteChange, RoutedVlan } from '../../../core/contracts/fabric-driver.ts'
import { SwitchRefused } from '../../../core/errors.ts'
import { parseVlan, type VlanId } from '../../../core/net/segment.ts'
import { encodings, parsePath, quoteKey, valueOf, type UpdateDraft } from '../../../core/wire/gnmi/gnmi.ts'
import type { InstanceMember, NetworkInstance, Subinterfaces } from '../../../core/wire/gnmi/openconfig-vrfs.ts'
import { markOf, tokenIn, type SetDraft, type SetOptions } from './gnmi-set.ts'

export interface RouterState {
  readonly subinterfaces: Subinterfaces
  readonly instances: ReadonlyMap<string, NetworkInstance>
}
export type VrfSetOptions = Omit<SetOptions, 'vlansPath'>

/** In the description of a network instance that we have made; no token of an L2BridgeDomain is this word. */
const instanceMark = (owner: string): string => markOf(owner, 'vrf')

export const hasOurs = (subinterfaces: Subinterfaces, owner: string): boolean =>
  subinterfaces.values().some((all) => all.values().some(({ description }) => tokenIn(description, owner) !== undefined))

/** VLANs of ours that a port routes. */
export function routedOn(on: string, { subinterfaces, instances }: RouterState, owner: string): ReadonlyMap<VlanId, RoutedVlan> {
  return new Map(
    [...(subinterfaces.get(on) ?? [])].flatMap(([index, { description }]) => {
      const [vlan, of] = [parseVlan(index), tokenIn(description, owner)]
      return vlan === undefined || of === undefined ? [] : [[vlan, { of, vrf: vrfOf(on, index, instances) }] as const]
    }),
  )
}

const vrfOf = (on: string, index: number, instances: RouterState['instances']): string | undefined =>
  [...instances].find(([, { members }]) => members.some((each) => isOf(each, on, index)))?.[0]
const isOf = (member: InstanceMember, on: string, index: number): boolean => member.on === on && member.index === index

export function isRouted(change: RouteChange, there: RouterState, owner: string): boolean {
  const { on, vlan, of } = change
  const routed = routedOn(on, there, owner).get(vlan)
  return change.do === 'join' ? routed?.of === of && routed.vrf === change.vrf : routed?.of !== of
}

/** Undefined where nothing differs. @throws SwitchRefused where a VRF or a subinterface is somebody else's */
export function planVrfs(there: RouterState, changes: readonly RouteChange[], options: VrfSetOptions): SetDraft | undefined {
  const { owner } = options
  const todo = changes.filter((change) => !isRouted(change, there, owner))
  const joins = todo.filter((change) => change.do === 'join')
  for (const join of joins) refuseForeign(join, there, options)
  const leaves = todo.filter((change) => change.do === 'leave')
  const members = [...there.instances].flatMap(([vrf, { members: all }]) => all.map((member) => ({ vrf, member })))
  const gone = members.filter(({ member }) => todo.some(({ on, vlan }) => isOf(member, on, vlan)))
  const left = new Set(members.filter((each) => !gone.includes(each)).map(({ vrf }) => vrf))
  const joined = new Set(joins.map(({ vrf }) => vrf))
  const empty = [...there.instances].filter(
    ([vrf, { description }]) => description === instanceMark(owner) && !left.has(vrf) && !joined.has(vrf),
  )
  const draft = {
    delete: [
      ...gone.map(({ vrf, member }) => memberPath(vrf, member.id)),
      ...leaves.map(({ on, vlan }) => subinterfacePath(on, vlan)),
      ...empty.map(([vrf]) => instancePath(vrf)),
    ].map(parsePath),
    replace: [],
    update: [
      ...[...joined].filter((vrf) => !there.instances.has(vrf)).map((vrf) => instanceDraft(vrf, options)),
      ...joins.flatMap((join) => joinDrafts(join, options)),
    ],
  }
  return changes.length === 0 || draft.delete.length + draft.update.length === 0 ? undefined : draft
}

function refuseForeign(
  { vrf, on, vlan, of }: Extract<RouteChange, { do: 'join' }>,
  { subinterfaces, instances }: RouterState,
  { owner, target }: VrfSetOptions,
): void {
  const instance = instances.get(vrf)
  if (instance !== undefined && instance.description !== instanceMark(owner))
    throw new SwitchRefused({ target, reason: `VRF ${vrf} is somebody else's there: Megrez makes those that it puts VLANs into` })
  for (const [index, { description, vlan: tag }] of subinterfaces.get(on) ?? [])
    if ((index === vlan || tag === vlan) && description !== markOf(owner, of))
      throw new SwitchRefused({ target, reason: `VLAN ${vlan} of ${on} is subinterface ${on}.${index} there, which is somebody else's` })
}

export const instancePath = (name: string): string => `/network-instances/network-instance[name=${quoteKey(name)}]`
const memberPath = (vrf: string, id: string): string => `${instancePath(vrf)}/interfaces/interface[id=${quoteKey(id)}]`
const subinterfacePath = (on: string, index: number): string =>
  `/interfaces/interface[name=${quoteKey(on)}]/subinterfaces/subinterface[index=${index}]`

function instanceDraft(vrf: string, { owner, encoding }: VrfSetOptions): UpdateDraft {
  // An identity bears its module in JSON_IETF alone (RFC 7951, section 6.8).
  const type = encoding === encodings.JSON_IETF ? 'openconfig-network-instance-types:L3VRF' : 'L3VRF'
  const value = { name: vrf, config: { name: vrf, type, description: instanceMark(owner) } }
  return { path: parsePath(instancePath(vrf)), val: valueOf(value, encoding) }
}

/** The tag is set by its own path: its model is another than the subinterface's, and would need its name in JSON_IETF. */
function joinDrafts({ vrf, on, vlan, of }: Extract<RouteChange, { do: 'join' }>, { owner, encoding }: VrfSetOptions): UpdateDraft[] {
  const at = subinterfacePath(on, vlan)
  const id = `${on}.${vlan}`
  return [
    { path: parsePath(at), val: valueOf({ index: vlan, config: { index: vlan, description: markOf(owner, of) } }, encoding) },
    { path: parsePath(`${at}/vlan/match/single-tagged/config/vlan-id`), val: valueOf(vlan, encoding) },
    { path: parsePath(memberPath(vrf, id)), val: valueOf({ id, config: { id, interface: on, subinterface: vlan } }, encoding) },
  ]
}
