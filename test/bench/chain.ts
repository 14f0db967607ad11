// Packets a second through one function of a service chain, on one node with a real Open vSwitch in user space: by our flows, and by two
// that are written by hand. The function is a pod whose kernel forwards.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { must } from '../../lab/namespaces.ts'
import { ovsMissing } from '../../lab/programs/ovs.ts'
import { unifiedSet } from '../laws/unified-set.ts'
import { frameBetween, udpPayload } from '../node/raw-frames.ts'
import { startTwoNodes, type Pod, type TwoNodes } from '../node/two-nodes.ts'
import { againstFloor, type Metric } from './lib/metric.ts'
import { buildPacketRate, type Flows, type PacketRate } from './lib/packet-rate.ts'
import { interleaved, median, show } from './lib/rounds.ts'

export const description = 'packets per second through one function of a service chain on Open vSwitch, against flows written by hand'

const [vni, identity, rounds, bridge] = [4_201, 31, 7, 'mgz-int']
const one: Flows = { sources: 1, source: 1_024, destinations: 1, destination: 20_000 }
const few = { count: 100, paceUs: 100 }

interface Path {
  readonly lab: TwoNodes
  readonly from: Pod
  readonly by: Pod
  readonly to: Pod
  readonly tool: PacketRate
}

export default async function chain(): Promise<readonly Metric[]> {
  const missing = await ovsMissing({ install: true, print: console.error })
  if (missing !== undefined) throw new Error(missing)
  const folder = await mkdtemp(join(tmpdir(), 'mz-bench-'))
  const lab = await startTwoNodes()
  try {
    const path = await pathIn(lab, await buildPacketRate(folder))
    // Ports are on the switch from here on, whoever writes flows.
    await putChain(path)
    const pid = Number(await readFile(join(lab.nodes[0].ovs.folder, 'ovs-vswitchd.pid'), 'utf8'))
    const costs = new Map<string, number[]>()
    const round = (name: string, put: (path: Path) => Promise<unknown>) => async (): Promise<number> => {
      await put(path)
      await prove(path)
      const { from, to, tool } = path
      const { perSecond, microseconds } = await tool.rate(from.namespace, frameOf(path), one, { namespace: to.namespace, pid })
      costs.set(name, [...(costs.get(name) ?? []), microseconds])
      return perSecond
    }
    const figures = await interleaved(rounds, {
      'flows by hand': round('flows by hand', putByHand),
      'a service chain': round('a service chain', putChain),
    })
    show('packets/s', figures)
    for (const [name, each] of costs) console.log(`${name.padEnd(32)} ${median(each).toFixed(2)} µs of ovs-vswitchd a packet`)
    return [
      againstFloor('one-hop', 'packets/s', { value: figures['a service chain'].median, floor: figures['flows by hand'] }, { atLeast: 0.9 }),
    ]
  } finally {
    await lab.close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function pathIn(lab: TwoNodes, tool: PacketRate): Promise<Path> {
  const [node] = lab.nodes
  const add = (name: string, last: number): Promise<Pod> =>
    lab.addPod(node, { name, attachment: { kind: 'vni', vni }, addresses: [`10.0.0.${last}`] })
  const [from, by, to] = [await add('s', 2), await add('f', 3), await add('r', 4)]
  const inside = ({ namespace }: Pod, ...command: readonly string[]): Promise<unknown> =>
    must('ip', 'netns', 'exec', namespace.name, ...command)
  for (const pod of [from, by, to]) await inside(pod, 'sysctl', '-q', 'net.ipv6.conf.all.disable_ipv6=1')
  // What arrives is counted and thrown away, so that no kernel answers it.
  for (const pod of [from, to])
    await inside(pod, 'nft', 'table netdev x { chain in { type filter hook ingress device eth0 priority 0; policy drop; }; }')
  const forwards = ['net.ipv4.ip_forward=1', 'net.ipv4.conf.all.rp_filter=0', 'net.ipv4.conf.eth0.rp_filter=0']
  const noRedirects = ['net.ipv4.conf.all.send_redirects=0', 'net.ipv4.conf.eth0.send_redirects=0']
  await inside(by, 'sysctl', '-q', ...forwards, ...noRedirects)
  // Nobody answers for it where flows are written by hand.
  await inside(by, 'ip', 'neigh', 'replace', to.port.addresses[0]!, 'lladdr', to.port.mac, 'dev', 'eth0')
  return { lab, from, by, to, tool }
}

const frameOf = ({ from, to }: Path): string => frameBetween(from.port, to.port, 17, udpPayload(0, 0))

function putChain({ lab, from, by }: Path): Promise<void> {
  const instanceOf = ({ uid, mac, addresses }: Pod['port']) => ({ port: uid, mac, addresses: [...addresses] })
  const { port: _, ...end } = instanceOf(from.port)
  const functions = [{ name: 'f', onFailure: 'drop' as const, instances: [instanceOf(by.port)] }]
  const chains = { ends: [end], chains: [{ index: 0, name: 'c', direction: 'egress' as const, functions }] }
  return lab.converge(
    { [vni]: { subnets: [{ cidr: '10.0.0.0/24', gateway: '10.0.0.1' }] } },
    {
      ruleSets: [unifiedSet({ vni, subjects: [identity], rules: [], chains })],
      of: (port) => (port === from.port ? { identity, ruleSets: [], isClosed: false } : undefined),
    },
  )
}

async function putByHand({ lab, from, by, to }: Path): Promise<void> {
  const { ovs } = lab.nodes[0]
  const [f, r] = [by.port, to.port]
  await ovs.ofctl('del-flows', bridge)
  await ovs.ofctl('add-flow', bridge, `in_port=${from.port.number},ip,actions=mod_dl_dst:${f.mac},output:${f.number}`)
  await ovs.ofctl('add-flow', bridge, `in_port=${f.number},ip,actions=mod_dl_dst:${r.mac},output:${r.number}`)
}

/** All of a few packets arrive, each through the function, however the flows came to be. */
async function prove(path: Path): Promise<void> {
  const { from, by, to, tool } = path
  await path.lab.revalidated()
  const counts = (): Promise<readonly number[]> => Promise.all([by, to].map(packetsIn))
  for (let tries = 0; tries < 10; tries++) {
    const before = await counts()
    await tool.send(from.namespace, frameOf(path), one, few)
    await pause(200)
    const arrived = (await counts()).map((now, i) => now - before[i]!)
    if (arrived.every((each) => each >= few.count)) return
  }
  throw new Error('not all packets go through the function')
}

async function packetsIn({ namespace }: Pod): Promise<number> {
  return Number((await namespace.exec('cat', '/sys/class/net/eth0/statistics/rx_packets')).stdout)
}
