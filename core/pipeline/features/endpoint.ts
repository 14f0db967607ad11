// An address of a VNI on another node: two flows, as KOS has it, and the cookie that KOS gives them.
import type { Because } from '../../node/because.ts'
import { gatewayMac } from '../../net/gateway-mac.ts'
import { addressLockNameOf } from '../../net/names.ts'
import type { Endpoint } from '../../node/wanted.ts'
import { ethDst, tunDst, tunIpv6Dst } from '../openflow/fields.ts'
import { set, type Action } from '../openflow/actions.ts'
import { is } from '../openflow/flow.ts'
import { flowsOf, type SwitchItem } from '../items.ts'
import { inVni, to } from '../match.ts'
import { owners } from '../registers.ts'
import { numbers } from '../settings.ts'
import { ipv4Value, ipv6Value, macValue } from '../openflow/values.ts'
import { neighbour } from './neighbour.ts'
import { peer } from '../policy/peer.ts'

const rule = 'an address of this VNI on another node'
const byTunnel = set(owners.out.field, numbers.tunnel)
const onward = to('qos')
const gateway = macValue(gatewayMac)

/** The lock's name is worked out when somebody asks: it is dearer than the flows. */
class OfLock implements Because {
  readonly rule = rule
  readonly endpoint: Endpoint

  constructor(endpoint: Endpoint) {
    this.endpoint = endpoint
  }

  get of(): Because['of'] {
    const { vni, address } = this.endpoint
    return { kind: 'IPLock', name: addressLockNameOf(vni, address) ?? `${vni}/${address}` }
  }
}

export const tunnelTo = (hostIP: string): Action =>
  hostIP.includes(':') ? set(tunIpv6Dst, ipv6Value(hostIP)) : set(tunDst, ipv4Value(hostIP))

/**
 * Two addresses with one MAC have the second of these in common.
 *
 * @param isRouted it is reached by the gateway, in place of the tunnel
 */
export function endpointFlows(bridge: string, endpoint: Endpoint, isRouted = false): readonly SwitchItem[] {
  const { vni, address, hostIP, identity } = endpoint
  const mac = macValue(endpoint.mac)
  const because = new OfLock(endpoint)
  const known = peer(bridge, { vni, address, identity }, { feature: 'policy', owner: mac, because })
  if (isRouted) return [neighbour(bridge, { vni, address, mac: gateway }, { feature: 'neighbour', owner: mac, because }), ...known]
  return [
    neighbour(bridge, { vni, address, mac }, { feature: 'neighbour', owner: mac, because }),
    flowsOf(bridge, { feature: 'forward', owner: mac, because })(
      'forward',
      100,
      [inVni(vni), is(ethDst, mac)],
      [tunnelTo(hostIP), byTunnel, onward],
    ),
    ...known,
  ]
}
