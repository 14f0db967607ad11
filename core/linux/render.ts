// A node as bridges, VXLAN devices, static neighbours and forwarding entries of the kernel.
//
// Where broadcast is not replicated (a VPC), it stays among the VPC's ports on this node: a request for an address elsewhere, or for the
// gateway's, is answered from the neighbours that the bridge is told of, and nothing unknown leaves by the tunnel. For a request from
// one port about another the kernel answers ARP or floods IPv6, never both (net/bridge/br_arp_nd_proxy.c and br_forward.c, Linux 6.18),
// so both are flooded there. Where broadcast is replicated (docs/l2.md), requests travel; unknown MACs go to the tunnel and to ports that
// may have more of them than their own, and the bridge learns those behind such ports and behind the tunnel, so
// many at most. The tunnel itself never learns: what the bridge has learnt behind it goes to all nodes.
//
// Frames for the gateway's MAC are sent to a port of the bridge that does not get requests, so that the bridge answers for that MAC: the
// tunnel, and where broadcast is replicated a door, as the tunnel gets requests there. Before they leave it, nftables hands them back to
// the bridge, with the MAC that the bridge's own neighbours give the destination and a hop less, or as the answer to a ping: that is all
// there is to routing, on the sender's own node, between the Subnets of a VNI and no further. What the bridge answers for the gateway does
// not leave by the tunnel.
//
// A physical network is a bridge with the uplink and its ports. It learns nothing and gives a frame to all of them: each lets out what is
// of its VLANs (vlan-programs.ts). A bridge that learned would mix VLANs up, as one MAC may be in several of them, with VRRP say.
import type { Renderer } from '../contracts/dataplane.ts'
import { explainPlainly } from '../node/explained.ts'
import type { Item } from '../node/item.ts'
import { renderingBy } from '../pieces/kind.ts'
import { physicalBridge } from '../pipeline/ovsdb/switch.ts'
import { items } from './items.ts'
import { uplinksOf, type LinuxOptions } from './options.ts'
import type { LinuxItem } from './linux-items.ts'
import { vlansName, type PortVlans } from './vlan-programs.ts'

const everyVlan: PortVlans = { mode: 'tagged', vlans: 'all' }
const here = { kind: 'Node', name: 'here' } as const

/** The pure half of the Linux data plane: core/contracts/dataplane.ts has its contract. */
export function linuxRenderer(options: LinuxOptions): Renderer<LinuxItem> {
  return {
    base: () => [
      ...items({ rule: 'sources are guarded on every node', of: here }, [{ kind: 'table' }]),
      ...items({ rule: 'tunnel packets are taken from nodes that are known alone', of: here }, [{ kind: 'tunnels' }]),
      ...items({ rule: 'who may talk to whom is judged on every node', of: here }, [{ kind: 'policies' }]),
      ...(options.noTraffic === undefined
        ? items({ rule: 'what Ports send and get is limited and marked on every node', of: here }, [{ kind: 'traffic' }])
        : []),
      ...(options.noRoutes === undefined
        ? items({ rule: 'every node routes between the Subnets of its own ports', of: here }, [{ kind: 'routes' }])
        : []),
      ...Object.entries(uplinksOf(options)).flatMap(([name, ifname]) => physicalNetwork(name, ifname)),
    ],
    ...renderingBy('linux', () => options),
    carries: (key) => key === 'policies' || key === 'traffic',
    explain: explainPlainly,
  }
}

function physicalNetwork(name: string, ifname: string): readonly Item<LinuxItem>[] {
  const bridge = physicalBridge(name)
  return items({ rule: `this node's way to the physical network ${name}`, of: here }, [
    { kind: 'physical', bridge, up: true },
    { kind: 'vlans', bridge, ifname, name: vlansName(everyVlan), ...everyVlan },
  ])
}
