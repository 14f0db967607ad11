// Ports in VLANs of a physical network: a bridge of its own with the uplink, where Open vSwitch's own learning switch (NORMAL) keeps the
// VLANs apart by the tags and trunks of the ports, after the same guards as in a VNI.
import type { SegmentAttachment, LocalPort } from '../../node/wanted.ts'
import { inPort, vlanVid } from '../openflow/fields.ts'
import { normal, output, set } from '../openflow/actions.ts'
import { is, type Term } from '../openflow/flow.ts'
import { bridgeItem, flowsOf, portItem, type SwitchItem } from '../items.ts'
import { to } from '../match.ts'
import { cameFrom, owners } from '../registers.ts'
import { numbers, type PipelineSettings } from '../settings.ts'
import { physicalBridge, type SwitchPort } from '../ovsdb/switch.ts'
import { macValue } from '../openflow/values.ts'
import { guardBase, guardOfPort } from './guard.ts'
import { meansOf } from './means.ts'

type Vlans = Extract<SegmentAttachment, { readonly kind: 'vlan' }>

/** The bridge of one physical network, and its uplink. */
export function uplinkItems({ node, datapath }: PipelineSettings, physicalNetwork: string, ifcName: string): readonly SwitchItem[] {
  const bridge = physicalBridge(physicalNetwork)
  const because = { rule: `this node's way to the physical network ${physicalNetwork}`, of: { kind: 'Node', name: node } } as const
  const flow = flowsOf(bridge, { feature: 'uplink', because })
  return [
    bridgeItem({ name: bridge, datapath }, because),
    portItem({ bridge, name: ifcName, type: '', options: {}, number: numbers.uplink, vlan: 'of its bridge', uid: '' }, because),
    flow('classify', 100, [is(inPort, numbers.uplink)], [set(owners.source.field, cameFrom('uplink')), to('output')]),
    ...guardBase(flow, 'policyOut'),
    flow('policyOut', 0, [], [to('output')]),
    flow('output', 0, [], [output(normal)]),
  ]
}

/** Untagged in an access VLAN, else tagged: in a trunk what is not listed goes nowhere, and untagged frames neither. */
export function vlanPort(port: LocalPort, { physicalNetwork, mode, vlans }: Vlans): readonly SwitchItem[] {
  const { uid, ifcName, number, mac, portSecurity, of } = port
  const bridge = physicalBridge(physicalNetwork)
  const owner = macValue(mac)
  const because = { rule: `a Port on this node, ${mode} in the physical network ${physicalNetwork}`, of }
  const classify = flowsOf(bridge, { feature: 'classify', owner, because })
  const guard = flowsOf(bridge, { feature: 'guard', owner, because: { rule: 'a port sends only from its own addresses', of } })
  const vlan: SwitchPort['vlan'] = mode === 'access' ? { tag: vlans[0] ?? 0 } : { trunks: vlans }
  const untagged: readonly Term[] = mode === 'access' ? [is(vlanVid, 0)] : []
  return [
    portItem({ bridge, name: ifcName, ...meansOf(port), number, vlan, uid }, because),
    classify(
      'classify',
      100,
      [is(inPort, number), ...untagged],
      [set(owners.source.field, cameFrom('port', number)), to(portSecurity ? 'guard' : 'policyOut')],
    ),
    ...(portSecurity ? guardOfPort(guard, port, 'policyOut') : []),
  ]
}
