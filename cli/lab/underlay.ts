// The wire between the nodes of a lab: one Linux bridge in a namespace of its own, and an address for each node's tunnels.
import { makeNamespace, must, type Namespace } from './namespaces.ts'
import type { OvsNode } from './ovs.ts'

/** Bytes: room for 1,500 inside of VXLAN over IPv4. */
export const underlayMtu = 1_600

export interface Underlay {
  /** Gives the node its tunnel address `address`/24, on a bridge `br-phy` of its own switch, where the userspace datapath looks for it. */
  join(node: OvsNode, address: string): Promise<void>
  /** The same for a node without Open vSwitch: the address is on an interface `phy0`. */
  joinPlain(namespace: Namespace, address: string): Promise<void>
  /** Takes the namespace away. Twice is once. */
  remove(): Promise<void>
}

export async function makeUnderlay(name: string): Promise<Underlay> {
  const middle = await makeNamespace(name)
  await middle.ip('link', 'add', 'br0', 'type', 'bridge')
  await middle.ip('link', 'set', 'br0', 'up', 'mtu', String(underlayMtu))
  let wires = 0
  const wire = async (namespace: Namespace, ifcName: string): Promise<void> => {
    const end = `w${wires++}`
    await must('ip', 'link', 'add', ifcName, 'netns', namespace.name, 'mtu', String(underlayMtu), 'type', 'veth', 'peer', 'name', end, 'netns', name, 'mtu', String(underlayMtu))
    await middle.ip('link', 'set', end, 'master', 'br0', 'up')
    await namespace.ip('link', 'set', ifcName, 'up')
    // The userspace datapath does not fill in checksums that a veth leaves to the hardware.
    await namespace.exec('ethtool', '-K', ifcName, 'tx', 'off')
  }
  return {
    async join(node, address) {
      await wire(node.namespace, 'phy0')
      // The kernel reads what Open vSwitch reads on phy0, and would answer for br-phy's address with phy0's MAC.
      await node.namespace.exec('sh', '-c', 'echo 1 > /proc/sys/net/ipv4/conf/phy0/arp_ignore')
      await node.vsctl('add-br', 'br-phy', '--', 'set', 'bridge', 'br-phy', 'datapath_type=netdev', 'fail-mode=standalone', '--', 'add-port', 'br-phy', 'phy0')
      await node.namespace.ip('addr', 'add', `${address}/24`, 'dev', 'br-phy')
      await node.namespace.ip('link', 'set', 'br-phy', 'up', 'mtu', String(underlayMtu))
    },
    async joinPlain(namespace, address) {
      await wire(namespace, 'phy0')
      await namespace.ip('addr', 'add', `${address}/24`, 'dev', 'phy0')
    },
    remove: () => middle.remove(),
  }
}
