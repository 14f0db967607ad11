// Two nodes with Open vSwitch, tunnels between them, and pods as namespaces: wired by hand, so that the data plane is alone with its
// packets.
import { labPrefix, makeNamespace, must, type Namespace } from '../../lab/namespaces.ts'
import { startOvsNode, type OvsNode } from '../../lab/programs/ovs.ts'
import { makeUnderlay } from '../../lab/underlay.ts'
import { ovs } from '../../agent/dataplanes/ovs.ts'
import type { Dataplane } from '../../core/contracts/dataplane.ts'
import { macOf } from '../../core/net/mac.ts'
import { hostInterfaceName } from '../../core/net/names.ts'
import type { SegmentAttachment, Endpoint, LocalPort, PortPolicy, RuleSet, Segment } from '../../core/node/wanted.ts'
import { itemsOf, planItems } from '../../core/plan/node/items.ts'
import { piecesOf, type NodeWanted } from '../laws/node-wanted.ts'
import type { SwitchValue } from '../../core/pipeline/ovsdb/switch.ts'
import { realClock } from '../../platform/clock.ts'
import { silentLog } from '../../platform/log.ts'
import { ovsFolder } from '../setup/ovs.ts'

export interface Pod {
  readonly port: LocalPort
  readonly namespace: Namespace
  readonly node: LabNode
  /** Whether one of three echo requests is answered: the first one to a tunnel that nobody has used is lost. */
  pings(address: string, ...more: readonly string[]): Promise<boolean>
}

export interface LabNode {
  readonly ovs: OvsNode
  readonly plane: Dataplane<SwitchValue>
  readonly tunnelAddress: string
  readonly pods: Pod[]
}

export interface PodOf {
  readonly name: string
  readonly attachment: SegmentAttachment
  readonly addresses: readonly string[]
  readonly gateways?: readonly string[]
  readonly more?: Partial<LocalPort>
}

export interface TwoNodes {
  readonly nodes: readonly [LabNode, LabNode]
  /** A pod with its interface; the nodes do not know of it before `converge`. */
  addPod(node: LabNode, of: PodOf): Promise<Pod>
  /** A namespace that the lab takes away, in which nothing is of ours. */
  stranger(name: string): Promise<Namespace>
  /** Both nodes carry what their pods come to, and nothing else. */
  converge(segments?: Readonly<Record<number, Partial<Segment>>>, policies?: Policies): Promise<void>
  /** What the datapaths had cached of flows that are others by now is gone: on a busy machine that takes a while. */
  revalidated(): Promise<void>
  wantedOf(node: LabNode): NodeWanted
  close(): Promise<void>
}

export interface Policies {
  readonly ruleSets: readonly RuleSet[]
  of(port: LocalPort): PortPolicy | undefined
}
const noPolicies: Policies = { ruleSets: [], of: () => undefined }

const signal = (): AbortSignal => AbortSignal.timeout(30_000)

export interface TwoNodesOptions {
  readonly uplinks?: boolean
  readonly tunnelDscp?: 'none' | 'inherit'
  /** The data plane of a node with what stands beside it there. */
  readonly beside?: (plane: Dataplane<SwitchValue>, node: Namespace) => Dataplane<SwitchValue>
}

export async function startTwoNodes({
  uplinks = false,
  tunnelDscp = 'none',
  beside = (plane) => plane,
}: TwoNodesOptions = {}): Promise<TwoNodes> {
  const prefix = labPrefix()
  const underlay = await makeUnderlay(`${prefix}u`)
  const made: Namespace[] = []
  const nodes = (await Promise.all(
    [1, 2].map(async (i): Promise<LabNode> => {
      const node = await startOvsNode({ name: `${prefix}n${i}`, folder: ovsFolder() })
      const tunnelAddress = `192.168.50.${i}`
      await underlay.join(node, tunnelAddress)
      const bare = ovs({
        node: `n${i}`,
        db: node.db,
        runDir: node.folder,
        bridge: 'mgz-int',
        datapath: 'netdev',
        tunnelAddress,
        tunnelL4Port: 4789,
        tunnelDscp,
        uplinks: uplinks ? { physnet1: 'up0' } : {},
        clock: realClock,
        random: Math.random,
        log: silentLog(),
      })
      const plane = beside(bare, node.namespace)
      return { ovs: node, plane, tunnelAddress, pods: [] }
    }),
  )) as [LabNode, LabNode]
  if (uplinks) {
    const [a, b] = nodes.map(({ ovs: { namespace } }) => namespace.name)
    await must('ip', 'link', 'add', 'up0', 'netns', a!, 'type', 'veth', 'peer', 'name', 'up0', 'netns', b!)
    for (const {
      ovs: { namespace },
    } of nodes)
      await namespace.ip('link', 'set', 'up0', 'up')
  }
  let segments: Readonly<Record<number, Partial<Segment>>> = {}
  let policies = noPolicies
  const judged = (port: LocalPort): LocalPort => {
    const policy = policies.of(port)
    return policy === undefined ? port : { ...port, policy }
  }
  const peersOf = (vni: number): readonly number[] => (segments[vni]?.router?.peers ?? []).map((peer) => peer.vni)
  /** Those too that a VNI of a pod here is peered with. */
  const carriedBy = (node: LabNode): readonly number[] => [...new Set(vnisOf(node).flatMap((vni) => [...peersOf(vni), vni]))]
  const hostsOf = (vnis: readonly number[], node: LabNode): readonly string[] =>
    nodes.filter((each) => each !== node && vnisOf(each).some((vni) => vnis.includes(vni))).map(({ tunnelAddress }) => tunnelAddress)
  const segmentsOf = (node: LabNode): ReadonlyMap<number, Segment> =>
    new Map(
      carriedBy(node).map((vni) => {
        const given = segments[vni] ?? {}
        const flood = given.flood === true
        return [
          vni,
          {
            vni,
            subnets: [],
            ...given,
            flood,
            hosts: hostsOf([vni], node),
            peerHosts: hostsOf(peersOf(vni), node),
            numbers: flood ? portsIn(node, vni).map(({ number }) => number) : [],
          },
        ]
      }),
    )
  const lab: TwoNodes = {
    nodes,
    async addPod(node, of) {
      const pod = await makePod(node, `${prefix}${of.name}`, of)
      made.push(pod.namespace)
      node.pods.push(pod)
      return pod
    },
    async stranger(name) {
      const namespace = await makeNamespace(`${prefix}${name}`)
      made.push(namespace)
      return namespace
    },
    wantedOf(node) {
      const others = nodes.filter((each) => each !== node).flatMap((each) => each.pods.map((pod) => ({ pod, hostIP: each.tunnelAddress })))
      const endpoints = others
        .flatMap(({ pod: { port }, hostIP }) => endpointsOf(judged(port), hostIP))
        .filter(({ vni }) => carriedBy(node).includes(vni))
      return {
        ports: new Map(node.pods.map(({ port }) => [port.uid, judged(port)])),
        ruleSets: policies.ruleSets,
        endpoints: new Map(endpoints.map((each) => [`${each.vni} ${each.address}`, each])),
        segments: segmentsOf(node),
      }
    },
    async converge(given = segments, by = policies) {
      segments = given
      policies = by
      for (const node of nodes) await reach(node.plane, lab.wantedOf(node))
    },
    async revalidated() {
      for (const { ovs: node } of nodes) {
        const { code, stderr } = await node.appctl('revalidator/wait')
        if (code !== 0) throw new Error(`revalidator/wait: ${stderr}`)
      }
    },
    async close() {
      for (const { plane } of nodes) await plane.close()
      for (const namespace of made) await namespace.remove()
      for (const { ovs: node } of nodes) await node.stop()
      await underlay.remove()
    },
  }
  for (const { plane } of nodes) await plane.open(signal())
  return lab
}

/** What the agent's loop does. */
export async function reach(plane: Dataplane<SwitchValue>, wanted: NodeWanted): Promise<number> {
  const plan = planItems(itemsOf(plane.renderer, piecesOf(wanted)), await plane.observe(undefined, signal()), {
    itemOf: (key, text) => plane.itemOf(key, text),
    of: { kind: 'Node', name: 'n' },
    whole: true,
  })
  for (const { action } of plan.steps) await plane.apply(action, signal())
  return plan.steps.length
}

const portsIn = ({ pods }: LabNode, vni: number): LocalPort[] =>
  pods.map(({ port }) => port).filter(({ attachment }) => attachment.kind === 'vni' && attachment.vni === vni)
const vnisOf = ({ pods }: LabNode): number[] => [
  ...new Set(pods.flatMap(({ port: { attachment } }) => (attachment.kind === 'vni' ? [attachment.vni] : []))),
]
function endpointsOf({ attachment, addresses, mac, policy }: LocalPort, hostIP: string): Endpoint[] {
  if (attachment.kind !== 'vni') return []
  return addresses.map((address) => ({
    vni: attachment.vni,
    address,
    mac,
    hostIP,
    ...(policy !== undefined && { identity: policy.identity }),
  }))
}

const mtu = 1_450
const macFor = (attachment: SegmentAttachment, address: string): string =>
  macOf(attachment.kind === 'vni' ? attachment.vni : 1, address).mac

async function makePod(node: LabNode, name: string, { attachment, addresses, gateways = [], more = {} }: PodOf): Promise<Pod> {
  const number = node.pods.length + 1
  const uid = `${name}-uid`
  const mac = macFor(attachment, addresses[0] ?? '')
  const port: LocalPort = {
    uid,
    of: { kind: 'Port', namespace: 'lab', name },
    number,
    ifcName: hostInterfaceName(uid),
    attachment,
    mac,
    addresses,
    allowedAddressPairs: [],
    portSecurity: true,
    type: 'kernel',
    mtu,
    ...more,
  }
  const namespace = await makeNamespace(name)
  await must(
    'ip',
    'link',
    'add',
    'eth0',
    'netns',
    name,
    'address',
    mac,
    'mtu',
    String(mtu),
    'type',
    'veth',
    'peer',
    'name',
    port.ifcName,
    'netns',
    node.ovs.namespace.name,
    'mtu',
    String(mtu),
  )
  for (const address of addresses)
    await namespace.ip(
      'addr',
      'add',
      ...(address.includes(':') ? [`${address}/64`, 'dev', 'eth0', 'nodad'] : [`${address}/24`, 'dev', 'eth0']),
    )
  await namespace.exec('ethtool', '-K', 'eth0', 'tx', 'off')
  await namespace.ip('link', 'set', 'eth0', 'up')
  await node.ovs.namespace.ip('link', 'set', port.ifcName, 'up')
  for (const gateway of gateways) await namespace.ip(gateway.includes(':') ? '-6' : '-4', 'route', 'add', 'default', 'via', gateway)
  return {
    port,
    namespace,
    node,
    pings: async (address, ...args) =>
      (await namespace.exec('ping', '-c', '3', '-i', '0.2', '-W', '1', ...args, address)).stdout.includes(' bytes from '),
  }
}
