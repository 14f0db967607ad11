// A port in a VNI: where its packets come from, what they may say, who finds it, and how it is reached.
import type { LocalPort } from '../../node/wanted.ts'
import { arpTpa, ethDst, inPort, ipProto, ndTarget, udpDst, vlanVid } from '../openflow/fields.ts'
import { set } from '../openflow/actions.ts'
import { is } from '../openflow/flow.ts'
import { flowsOf, portItem, type SwitchItem } from '../items.ts'
import { arpRequest, inVni, ipv4, ipv6, nd, ofPort, to } from '../match.ts'
import { cameFrom, owners } from '../registers.ts'
import type { PipelineSettings } from '../settings.ts'
import { sourcesOf } from '../sources.ts'
import { macValue } from '../openflow/values.ts'
import { guardOfPort } from './guard.ts'
import { meansOf } from './means.ts'
import { neighbour } from './neighbour.ts'
import { peer } from '../policy/peer.ts'
import { becauseJudged, judgedPort } from '../policy/port.ts'
import { limitedPort } from '../policy/traffic.ts'
import { judgedVlanPort } from './judged-vlan-port.ts'
import { vlanPort } from './uplink.ts'
import { vifPort } from './vif.ts'

export function portItems(port: LocalPort, { bridge, uplinks }: PipelineSettings): readonly SwitchItem[] {
  const { attachment } = port
  if (attachment.kind === 'vni') return vniPort(bridge, port, attachment.vni)
  if (attachment.kind === 'vif') return vifPort(port, attachment)
  // Trunks without a VLAN would be trunks of all; a physical network without an uplink is not on this node.
  const { vlans, physicalNetwork } = attachment
  if (vlans.length === 0 || uplinks[physicalNetwork] === undefined) return []
  if (port.policy === undefined) return vlanPort(port, attachment)
  return judgedVlanPort(port, { ...attachment, bridge })
}

export function vniPort(bridge: string, port: LocalPort, vni: number): readonly SwitchItem[] {
  const { uid, ifcName, number, mac, addresses, portSecurity, of, policy, type } = port
  const because = (rule: string) => ({ rule, of })
  const owner = macValue(mac)
  const classify = flowsOf(bridge, { feature: 'classify', owner, because: because('what this port sends is of its VNI') })
  const guard = flowsOf(bridge, { feature: 'guard', owner, because: because('a port sends only from its own addresses') })
  const forward = flowsOf(bridge, { feature: 'forward', owner, because: because('the MAC of a port on this node') })
  const asking = flowsOf(bridge, {
    feature: 'neighbour',
    owner,
    because: because('a port that asks for its own address announces it to others'),
  })
  const found = because('the address of a port on this node')
  return [
    portItem({ bridge, name: ifcName, ...meansOf(port), number, vlan: undefined, uid }, because('a Port on this node')),
    ...(type === 'tap' ? askedOfAgent(classify, number) : []),
    classify(
      'classify',
      100,
      [is(inPort, number), is(vlanVid, 0)],
      [set(owners.vni.field, vni), set(owners.source.field, cameFrom('port', number)), to(portSecurity ? 'guard' : 'policyOut')],
    ),
    ...(portSecurity ? guardOfPort(guard, port, 'policyOut') : []),
    ...sourcesOf(port)
      .filter(({ single }) => single)
      .map(({ family, value }) =>
        asking(
          'ask',
          210,
          family === 4 ? [ofPort(number), ...arpRequest, is(arpTpa, value)] : [ofPort(number), ...nd('solicitation'), is(ndTarget, value)],
          [to('forward')],
        ),
      ),
    ...addresses.map((address) => neighbour(bridge, { vni, address, mac: owner }, { feature: 'neighbour', owner, because: found })),
    forward('forward', 100, [inVni(vni), is(ethDst, owner)], [set(owners.out.field, number), to('policyIn')]),
    ...judgedPort(flowsOf(bridge, { feature: 'policy', owner, because: because(becauseJudged(port)) }), port),
    ...limitedPort(bridge, port, { feature: 'qos', owner, because: because('a policy says how much a port sends and is sent') }),
    ...addresses.flatMap((address) =>
      peer(bridge, { vni, address, identity: policy?.identity }, { feature: 'policy', owner, because: because('who an address is') }),
    ),
  ]
}

/** A guest's agent answers it (core/wire/guest), and nobody else hears of it: also where the guest may be anybody. */
const askedOfAgent = (classify: ReturnType<typeof flowsOf>, number: number): readonly SwitchItem[] =>
  [[...ipv4, is(ipProto, 17), is(udpDst, 67)], [...ipv6, is(ipProto, 17), is(udpDst, 547)], nd('routerSolicitation')].map((match) =>
    classify('classify', 110, [is(inPort, number), ...match], []),
  )
