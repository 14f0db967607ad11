// A pod of somebody else on a node of a test's own, with nothing but a cluster NIC, as the cluster's own CNI makes it: routed by the node's
// kernel, and behind its address where it goes further.
import type { Namespace } from '../../lab/namespaces.ts'
import { must } from '../../lab/namespaces.ts'

export interface ClusterNic {
  readonly pod: Namespace
  readonly address: string
  readonly mac: string
  /** Of the node's end. */
  readonly gatewayMac: string
}

const [address, gateway] = ['10.244.0.2', '10.244.0.1']

/** @param masquerade false: what the pod sends keeps its source, as a pod that writes sources of its own would have it */
export async function plugClusterNic(
  node: Namespace,
  pod: Namespace,
  { uplink, masquerade }: { readonly uplink: string; readonly masquerade: boolean },
): Promise<ClusterNic> {
  await must('ip', 'link', 'add', 'eth0', 'netns', pod.name, 'type', 'veth', 'peer', 'name', 'cluster0', 'netns', node.name)
  await node.ip('addr', 'add', `${gateway}/24`, 'dev', 'cluster0')
  await node.ip('link', 'set', 'cluster0', 'up')
  await pod.ip('addr', 'add', `${address}/24`, 'dev', 'eth0')
  await pod.ip('link', 'set', 'eth0', 'up')
  await pod.ip('route', 'add', 'default', 'via', gateway)
  // No help from the kernel: a node's administrator may have it otherwise.
  for (const each of ['all', 'default', 'cluster0', uplink])
    await node.exec('sh', '-c', `echo 0 > /proc/sys/net/ipv4/conf/${each}/rp_filter`)
  await node.exec('sh', '-c', 'echo 1 > /proc/sys/net/ipv4/ip_forward')
  if (masquerade)
    await must(
      'ip',
      'netns',
      'exec',
      node.name,
      'nft',
      `add table ip cluster; add chain ip cluster out { type nat hook postrouting priority 100; }; add rule ip cluster out ip saddr ${address} oifname ${uplink} masquerade`,
    )
  return { pod, address, mac: await macIn(pod, 'eth0'), gatewayMac: await macIn(node, 'cluster0') }
}

export async function macIn(namespace: Namespace, ifname: string): Promise<string> {
  const { stdout } = await namespace.ip('-json', 'link', 'show', ifname)
  return (JSON.parse(stdout) as [{ readonly address: string }])[0].address
}
