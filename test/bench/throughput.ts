// Packets a second between two Ports of one node through the whole pipeline of a real Open vSwitch, in user space: with 1,000 rules in
// force for whom they are sent to, and with none.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { ovsMissing } from '../../lab/programs/ovs.ts'
import type { RuleSet } from '../../core/node/wanted.ts'
import { frameBetween, udpPayload } from '../node/raw-frames.ts'
import { startTwoNodes, type Pod, type TwoNodes } from '../node/two-nodes.ts'
import { againstFloor, type Metric } from './lib/metric.ts'
import { buildPacketRate, turned, type Flows, type Paced, type PacketRate } from './lib/packet-rate.ts'
import { interleaved, median, show } from './lib/rounds.ts'

export const description =
  'packets per second between two Ports of a node on Open vSwitch with 1,000 rules in force against none: one flow, and 10,000'

const vni = 4_200
const rounds = 5
const [sender, receiver] = [11, 12]
const rules = 1_000
const rulesEach = 100
const firstL4Port = 20_000
/** No rule names it. */
const deniedL4Port = 30_000

const one: Flows = { sources: 1, source: 1_024, destinations: 1, destination: firstL4Port + rules - 1 }
/** Each rule decides ten of them. */
const many: Flows = { sources: 10, source: 1_024, destinations: rules, destination: firstL4Port }
const denied: Flows = { ...one, destination: deniedL4Port }

/** Each rule allows one L4 port; the one flow passes by the last of them. */
const groups: readonly RuleSet[] = Array.from({ length: rules / rulesEach }, (_, nth) => ({
  namespace: 'net',
  vni,
  number: 1 + nth,
  tier: 'securityGroup',
  policy: { kind: 'SecurityGroup', namespace: 'a', name: `g-${nth}`, uid: `g-${nth}` },
  priority: 0,
  subjects: [receiver],
  isolates: ['ingress'],
  rules: Array.from({ length: rulesEach }, (_, i) => {
    const l4Port = firstL4Port + nth * rulesEach + i
    return {
      index: i,
      source: `/spec/rules/${i}`,
      direction: 'ingress',
      level: 0,
      action: 'allow',
      peers: { identities: [sender], blocks: [] },
      transport: [{ protocol: 17, first: l4Port, last: l4Port }],
    }
  }),
}))

interface Bench {
  readonly lab: TwoNodes
  readonly from: Pod
  readonly to: Pod
  readonly pid: number
  readonly tool: PacketRate
}

export default async function throughput(): Promise<readonly Metric[]> {
  const missing = await ovsMissing({ install: true, print: console.error })
  if (missing !== undefined) throw new Error(missing)
  const folder = await mkdtemp(join(tmpdir(), 'mz-bench-'))
  const tool = await buildPacketRate(folder)
  const lab = await startTwoNodes()
  try {
    const node = lab.nodes[0]
    await silent(node.ovs.namespace)
    const attachment = { kind: 'vni', vni } as const
    const from = await lab.addPod(node, { name: 's', attachment, addresses: ['10.0.0.2'] })
    const to = await lab.addPod(node, { name: 'r', attachment, addresses: ['10.0.0.3'] })
    // What arrives is counted and thrown away, so that no kernel answers it; and none says anything of its own.
    for (const { namespace } of [from, to]) {
      await silent(namespace)
      await mustIn(namespace.exec('nft', 'table netdev x { chain in { type filter hook ingress device eth0 priority 0; policy drop; }; }'))
    }
    const pid = Number(await readFile(join(node.ovs.folder, 'ovs-vswitchd.pid'), 'utf8'))
    const bench = { lab, from, to, pid, tool }
    return [await measured(bench, 'rules-1k', one), await measured(bench, 'rules-1k-10k-flows', many)]
  } finally {
    await lab.close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function mustIn(done: ReturnType<Pod['namespace']['exec']>): Promise<void> {
  const { code, stderr } = await done
  if (code !== 0) throw new Error(stderr)
}

/** Kernels announce themselves by IPv6, also at the host end of a pod's pair. */
const silent = (namespace: Pod['namespace']): Promise<void> =>
  mustIn(namespace.exec('sysctl', '-q', 'net.ipv6.conf.all.disable_ipv6=1', 'net.ipv6.conf.default.disable_ipv6=1'))

async function measured(bench: Bench, metric: string, flows: Flows): Promise<Metric> {
  const costs: Record<string, number[]> = {}
  const all = flows.sources * flows.destinations
  const round = (name: string, areJudged: boolean, areRules: boolean) => async (): Promise<number> => {
    await judgeBy(bench, areJudged, areRules)
    await prove(bench, areRules)
    const { from, to, tool, pid } = bench
    await establish(bench, { ...flows, sources: 1 }, 500)
    await establish(bench, flows, 100)
    const arrived = await tool.rate(from.namespace, frameOf(from, to), flows, { namespace: to.namespace, pid })
    ;(costs[name] ??= []).push(arrived.microseconds)
    return arrived.perSecond
  }
  const figures = await interleaved(rounds, {
    'no policies': round('no policies', false, false),
    'judged, no rules': round('judged, no rules', true, false),
    '1,000 rules': round('1,000 rules', true, true),
  })
  console.log(`${metric}: ${all} flows`)
  show('packets/s', figures)
  for (const [name, each] of Object.entries(costs)) console.log(`${name.padEnd(32)} ${median(each).toFixed(2)} µs of ovs-vswitchd a packet`)
  return againstFloor(metric, 'packets/s', { value: figures['1,000 rules'].median, floor: figures['no policies'] }, { atLeast: 0.9 })
}

/** Both ways. What is first of a rule the switch has to ask its tables about: it needs longer, and a busy machine still longer. */
async function establish(bench: Bench, flows: Flows, paceUs: number): Promise<void> {
  const { from, to, tool } = bench
  const count = flows.sources * flows.destinations
  for (let tries = 0; (await arrivedOf(bench, flows, { count, paceUs })) < 0.9 * count; tries++)
    if (tries === 10) throw new Error(`not all of ${count} flows are let pass`)
  await tool.send(to.namespace, frameOf(to, from), turned(flows), { count, paceUs })
}

const frameOf = (from: Pod, to: Pod): string => frameBetween(from.port, to.port, 17, udpPayload(0, 0))

/** @param areJudged false: neither of the two has an identity, as where there are no policies at all */
function judgeBy({ lab, from, to }: Bench, areJudged: boolean, areRules: boolean): Promise<void> {
  const identities = new Map([
    [from.port, sender],
    [to.port, receiver],
  ])
  return lab.converge(
    { [vni]: { subnets: [{ cidr: '10.0.0.0/24', gateway: '10.0.0.1' }] } },
    {
      ruleSets: areRules ? groups : [],
      of: (port) => (areJudged ? { identity: identities.get(port)!, ruleSets: [], isClosed: false } : undefined),
    },
  )
}

const few: Paced = { count: 100, paceUs: 100 }

/** What a rule allows arrives; what none allows does not where there are rules, and does where there are none. */
async function prove(bench: Bench, areRules: boolean): Promise<void> {
  const [allowed, other] = [await arrivedOf(bench, one, few), await arrivedOf(bench, denied, few)]
  if (allowed !== few.count || other !== (areRules ? 0 : few.count))
    throw new Error(`of ${few.count} packets each ${allowed} arrived that a rule allows, and ${other} that none names`)
}

async function arrivedOf({ from, to, tool }: Bench, flows: Flows, how: Paced): Promise<number> {
  const before = await packetsIn(to)
  await tool.send(from.namespace, frameOf(from, to), flows, how)
  await pause(200)
  return (await packetsIn(to)) - before
}

async function packetsIn({ namespace }: Pod): Promise<number> {
  return Number((await namespace.exec('cat', '/sys/class/net/eth0/statistics/rx_packets')).stdout)
}
