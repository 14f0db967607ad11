// The wire between the nodes of a lab: one Linux bridge in a namespace of its own, and an address for each node's tunnels.
import { makeNamespace, must, type Namespace } from './namespaces.ts'
import type { OvsNode } from './programs/ovs.ts'

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
    await must(
      'ip',
      'link',
      'add',
      ifcName,
      'netns',
      namespace.name,
      'mtu',
      String(underlayMtu),
      'type',
      'veth',
      'peer',
      'name',
      end,
      'netns',
      name,
      'mtu',
      String(underlayMtu),
    )
    await middle.ip('link', 'set', end, 'master', 'br0', 'up')
    await namespace.ip('link', 'set', ifcName, 'up')
  }
  return {
    async join(node, address) {
      await wire(node.namespace, 'phy0')
      await layUnder(node, { link: 'phy0', cidr: `${address}/24`, mtuBytes: underlayMtu })
    },
    async joinPlain(namespace, address) {
      await wire(namespace, 'phy0')
      await checksumsInSoftware(namespace, 'phy0')
      await namespace.ip('addr', 'add', `${address}/24`, 'dev', 'phy0')
    },
    remove: () => middle.remove(),
  }
}

/** The userspace datapath does not fill in checksums that a veth leaves to the hardware. */
const checksumsInSoftware = ({ exec }: Namespace, link: string): Promise<unknown> => exec('ethtool', '-K', link, 'tx', 'off')

/**
 * Puts a link of a node under its tunnels: on a bridge `br-phy` of its own switch, and the address with it, where the userspace datapath
 * looks for the way to others.
 */
export async function layUnder(
  { namespace, vsctl }: Pick<OvsNode, 'namespace' | 'vsctl'>,
  { link, cidr, mtuBytes }: { readonly link: string; readonly cidr: string; readonly mtuBytes: number },
): Promise<void> {
  await checksumsInSoftware(namespace, link)
  // The kernel reads what Open vSwitch reads on the link, and would answer for br-phy's address with the link's own MAC.
  await namespace.exec('sh', '-c', `echo 1 > /proc/sys/net/ipv4/conf/${link}/arp_ignore`)
  await vsctl(
    'add-br',
    'br-phy',
    '--',
    'set',
    'bridge',
    'br-phy',
    'datapath_type=netdev',
    'fail-mode=standalone',
    '--',
    'add-port',
    'br-phy',
    link,
  )
  await namespace.ip('addr', 'add', cidr, 'dev', 'br-phy')
  await namespace.ip('link', 'set', 'br-phy', 'up', 'mtu', String(mtuBytes))
}
