// A port in a VLAN that policies judge. Open vSwitch's own learning switch says who gets what in a VLAN, and nothing comes between it and a
// port. So such a port is on the overlay's bridge, where the tables of policies are, and a pair of patch ports is its place in the VLAN:
// whatever the learning switch has for it, alone or among all, comes through them, and is judged before it is given out.
import type { LocalPort } from '../../node/wanted.ts'
import { vlanSegment } from '../../net/segment.ts'
import { unknown } from '../../kinds/policy/tiers.ts'
import { set, type Action } from '../openflow/actions.ts'
import { inPort, vlanVid } from '../openflow/fields.ts'
import { is } from '../openflow/flow.ts'
import { macValue } from '../openflow/values.ts'
import { flowsOf, portItem, type SwitchItem } from '../items.ts'
import { ofPort, to } from '../match.ts'
import { patchNames, physicalBridge } from '../ovsdb/switch.ts'
import { judgedPort } from '../policy/port.ts'
import { limitedPort } from '../policy/traffic.ts'
import { cameFrom, owners } from '../registers.ts'
import { guardOfPort } from './guard.ts'
import { meansOf } from './means.ts'

export interface JudgedVlan {
  /** The overlay's. */
  readonly bridge: string
  readonly physicalNetwork: string
  readonly vlan: number
}

/** Nothing, which lets nothing pass, where it has no number for its way. */
export function judgedVlanPort(port: LocalPort, at: JudgedVlan): readonly SwitchItem[] {
  const { wayNumber } = port
  return wayNumber === undefined ? [] : [...wayOf(port, { ...at, wayNumber }), ...judgedIn(port, { ...at, wayNumber })]
}

type Way = JudgedVlan & { readonly wayNumber: number }

/** The interface, and the pair from there into the VLAN. What comes of the learning switch has no tag, as in any access port. */
function wayOf(port: LocalPort, { bridge, physicalNetwork, vlan, wayNumber: number }: Way): readonly SwitchItem[] {
  const { uid, ifcName, of, mac } = port
  const { inner, outer } = patchNames(uid)
  const physical = physicalBridge(physicalNetwork)
  const because = { rule: `the way of a judged Port into VLAN ${vlan} of ${physicalNetwork}`, of }
  const patch = { type: 'patch', number, uid: '' } as const
  return [
    portItem(
      { bridge, name: ifcName, ...meansOf(port), number: port.number, vlan: undefined, uid },
      { rule: 'a Port on this node, in a VLAN, that policies judge', of },
    ),
    portItem({ ...patch, bridge, name: inner, options: { peer: outer }, vlan: undefined }, because),
    portItem({ ...patch, bridge: physical, name: outer, options: { peer: inner }, vlan: { tag: vlan } }, because),
    flowsOf(physical, { feature: 'classify', owner: macValue(mac), because })(
      'classify',
      100,
      [is(inPort, number), is(vlanVid, 0)],
      [set(owners.source.field, cameFrom('port', number)), to('policyOut')],
    ),
  ]
}

/** Who sends is nobody's word but its own, as no anti-spoofing is in a VLAN: whose an address is is not known of any. */
function judgedIn(port: LocalPort, { bridge, physicalNetwork, vlan, wayNumber }: Way): readonly SwitchItem[] {
  const { number, mac, portSecurity, of } = port
  const owner = macValue(mac)
  const vni = vlanSegment(physicalNetwork, vlan)
  const flow = flowsOf(bridge, {
    feature: 'classify',
    owner,
    because: { rule: 'policies judge what a port in a VLAN sends and is sent', of },
  })
  const guard = flowsOf(bridge, { feature: 'guard', owner, because: { rule: 'a port sends only from its own addresses', of } })
  const inside = set(owners.vni.field, vni)
  const toPort: readonly Action[] = [inside, set(owners.source.field, cameFrom('uplink')), set(owners.out.field, number), to('policyIn')]
  return [
    flow(
      'classify',
      100,
      [is(inPort, number), is(vlanVid, 0)],
      [inside, set(owners.source.field, cameFrom('port', number)), to(portSecurity ? 'guard' : 'policyOut')],
    ),
    flow('classify', 100, [is(inPort, wayNumber)], toPort),
    // Nobody answers in place of who is in the VLAN.
    flow('ask', 300, [ofPort(number)], [set(owners.out.field, wayNumber), to('output')]),
    ...(portSecurity ? guardOfPort(guard, port, 'policyOut') : []),
    ...judgedPort(
      flowsOf(bridge, { feature: 'policy', owner, because: { rule: 'policies judge what a port sends and is sent', of } }),
      port,
      unknown,
    ),
    ...limitedPort(bridge, port, { feature: 'qos', owner, because: { rule: 'a policy says how much a port sends and is sent', of } }),
  ]
}
