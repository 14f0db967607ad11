// Who reaches whom: asked from inside the pods.
import type { Cluster } from '../cluster.ts'
import type { PodSeen } from './pods.ts'

/** Runs a shell line in the pod's first container; gives back what it printed, whatever its exit code. */
const inPod = ({ kubectl }: Cluster, { namespace, name }: PodSeen, line: string): Promise<string> =>
  kubectl(['exec', '-n', namespace, name, '--', 'sh', '-c', line])

/** Which of the addresses answer to a ping from the pod. Asked all at once; the first packet to a node nobody spoke to is lost. */
export async function answering(cluster: Cluster, pod: PodSeen, addresses: readonly string[]): Promise<readonly string[]> {
  const output = await inPod(
    cluster,
    pod,
    `for a in ${addresses.join(' ')}; do (ping -c 3 -W 2 $a >/dev/null 2>&1 && echo $a) & done; wait`,
  )
  const there = new Set(output.trim().split('\n'))
  return addresses.filter((address) => there.has(address))
}

/** The MAC that the pod has found for an address. */
export async function neighbourOf(cluster: Cluster, pod: PodSeen, address: string): Promise<string | undefined> {
  return /lladdr (\S+)/.exec(await inPod(cluster, pod, `ping -c 2 -W 2 ${address} >/dev/null 2>&1; ip neigh show ${address}`))?.[1]
}

/** Names and addresses of the interfaces that the pod sees, loopback aside. */
export async function interfacesIn(cluster: Cluster, pod: PodSeen): Promise<Readonly<Record<string, readonly string[]>>> {
  const output = await inPod(cluster, pod, 'ip -o addr')
  const found: Record<string, string[]> = {}
  for (const [, ifname = '', address = ''] of output.matchAll(/^\d+: ([^\s@]+)\S*\s+inet (\S+?)(?:\/\d+)? /gm))
    if (ifname !== 'lo') (found[ifname] ??= []).push(address)
  return found
}

/** What an address of a pod reaches: pairs that fail although they should not, and the other way round. */
export async function unreached(cluster: Cluster, pods: readonly PodSeen[]): Promise<readonly string[]> {
  const addresses = pods.map(({ nics }) => nics[0]?.address ?? '')
  const wrong = await Promise.all(
    pods.map(async (pod) => {
      const there = await answering(cluster, pod, addresses)
      return addresses
        .filter((address) => !there.includes(address))
        .map((address) => `${pod.name} on ${pod.node} does not reach ${address}`)
    }),
  )
  return wrong.flat()
}
