// A port in VLANs that policies judge. Open vSwitch's own learning switch says who gets what in a VLAN, and nothing comes between it and a
// port. So such a port is on the overlay's bridge, where the tables of policies are, and a pair of patch ports is its place in the VLANs:
// whatever the learning switch has for it, alone or among all, comes through them, and is judged before it is given out.
import type { LocalPort, SegmentAttachment, VlanZone } from '../../node/wanted.ts'
import { vlanSegment } from '../../net/segment.ts'
import { unknown } from '../../kinds/policy/tiers.ts'
import { set, type Action } from '../openflow/actions.ts'
import { inPort, tagPresent, vlanVid } from '../openflow/fields.ts'
import { is, type Term } from '../openflow/flow.ts'
import { macValue } from '../openflow/values.ts'
import { flowsOf, portItem, type SwitchItem } from '../items.ts'
import { ofPort, to } from '../match.ts'
import { patchNames, physicalBridge } from '../ovsdb/switch.ts'
import { becauseJudged, judgedIn } from '../policy/port.ts'
import { limitedPort } from '../policy/traffic.ts'
import { cameFrom, owners } from '../registers.ts'
import { guardOfPort } from './guard.ts'
import { meansOf } from './means.ts'

type Vlans = Extract<SegmentAttachment, { readonly kind: 'vlan' }>
export interface JudgedVlans extends Pick<Vlans, 'physicalNetwork' | 'mode' | 'vlans'> {
  /** The overlay's. */
  readonly bridge: string
}

/** Nothing, which lets nothing pass, where it has no number for its way. */
export function judgedVlanPort(port: LocalPort, at: JudgedVlans): readonly SwitchItem[] {
  const { wayNumber } = port
  return wayNumber === undefined ? [] : [...wayOf(port, { ...at, wayNumber }), ...judgedInVlans(port, { ...at, wayNumber })]
}

type Way = JudgedVlans & { readonly wayNumber: number }
const isAccess = ({ mode }: JudgedVlans): boolean => mode === 'access'
const untagged = is(vlanVid, 0)

/** The interface, and the pair from there into its VLANs. What comes of the learning switch is tagged as at any port of its kind. */
function wayOf(port: LocalPort, at: Way): readonly SwitchItem[] {
  const { uid, ifcName, of, mac } = port
  const { bridge, physicalNetwork, mode, vlans, wayNumber: number } = at
  const { inner, outer } = patchNames(uid)
  const physical = physicalBridge(physicalNetwork)
  const because = { rule: `the way of a judged Port, ${mode}, into VLANs of ${physicalNetwork}: ${vlans.join(', ')}`, of }
  const patch = { type: 'patch', number, uid: '' } as const
  const vlan = isAccess(at) ? { tag: vlans[0]! } : { trunks: vlans }
  return [
    portItem(
      { bridge, name: ifcName, ...meansOf(port), number: port.number, vlan: undefined, uid },
      { rule: 'a Port on this node, in VLANs, that policies judge', of },
    ),
    portItem({ ...patch, bridge, name: inner, options: { peer: outer }, vlan: undefined }, because),
    portItem({ ...patch, bridge: physical, name: outer, options: { peer: inner }, vlan }, because),
    flowsOf(physical, { feature: 'classify', owner: macValue(mac), because })(
      'classify',
      100,
      [is(inPort, number), ...(isAccess(at) ? [untagged] : [])],
      [set(owners.source.field, cameFrom('port', number)), to('policyOut')],
    ),
  ]
}

/** A VLAN that it is in: the tag that frames have at the port, and its zone there. */
interface Part extends VlanZone {
  readonly tag: Term
}

/** Of several VLANs those that have no number are closed. */
function partsOf({ number, zones = [] }: LocalPort, at: Way): readonly Part[] {
  const { vlans } = at
  if (isAccess(at)) return [{ vlan: vlans[0]!, number, tag: untagged }]
  return zones.filter(({ vlan }) => vlans.includes(vlan)).map((zone) => ({ ...zone, tag: is(vlanVid, tagPresent + zone.vlan) }))
}

/** Who sends is nobody's word but its own, as no anti-spoofing is in a VLAN: whose an address is is not known of any. */
function judgedInVlans(port: LocalPort, at: Way): readonly SwitchItem[] {
  const { number, mac, portSecurity, of } = port
  const { bridge, wayNumber } = at
  const owner = macValue(mac)
  const policy = flowsOf(bridge, { feature: 'policy', owner, because: { rule: becauseJudged(port), of } })
  const guard = flowsOf(bridge, { feature: 'guard', owner, because: { rule: 'a port sends only from its own addresses', of } })
  const flow = flowsOf(bridge, {
    feature: 'classify',
    owner,
    because: { rule: 'policies judge what a port in VLANs sends and is sent', of },
  })
  const parts = partsOf(port, at)
  return [
    ...parts.flatMap((part) => classified(flow, port, { ...at, part })),
    // Nobody answers in place of who is in the VLAN.
    flow('ask', 300, [ofPort(number)], [set(owners.out.field, wayNumber), to('output')]),
    ...(portSecurity ? guardOfPort(guard, port, 'policyOut') : []),
    // Whatever is of no VLAN that is judged ends.
    policy('policyOut', 80, [ofPort(number)], []),
    policy('policyIn', 80, [is(owners.out.field, number)], []),
    ...judgedIn(
      policy,
      port,
      parts.map(({ vlan, number: zone }) => ({ zone, match: [is(owners.vlan.field, vlan)], nobody: unknown })),
    ),
    ...limitedPort(bridge, port, { feature: 'qos', owner, because: { rule: 'a policy says how much a port sends and is sent', of } }),
  ]
}

/** Rules are those of the first VLAN: which of several a frame is in stands beside that. */
function classified(
  flow: ReturnType<typeof flowsOf>,
  { number, portSecurity }: LocalPort,
  { physicalNetwork, vlans, wayNumber, part: { vlan, tag } }: Way & { readonly part: Part },
): readonly SwitchItem[] {
  const inside: readonly Action[] = [set(owners.vni.field, vlanSegment(physicalNetwork, vlans[0]!)), set(owners.vlan.field, vlan)]
  const sent = [set(owners.source.field, cameFrom('port', number)), to(portSecurity ? 'guard' : 'policyOut')]
  const got = [set(owners.source.field, cameFrom('uplink')), set(owners.out.field, number), to('policyIn')]
  return [
    flow('classify', 100, [is(inPort, number), tag], [...inside, ...sent]),
    flow('classify', 100, [is(inPort, wayNumber), tag], [...inside, ...got]),
  ]
}
