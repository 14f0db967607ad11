// How long packets of other Ports stand still while one Port is put on, changed, and taken off a node with the real bessd, and while a
// policy, a rate or a mark of it is edited: a change of its graph is made while all workers are paused.
import { frameBetween, udpPayload } from '../node/raw-frames.ts'
import type { Dataplane } from '../../core/contracts/dataplane.ts'
import type { PolicyTraffic } from '../../core/kinds/policy/policy-rule-set.ts'
import type { LocalPort, RuleSet } from '../../core/node/wanted.ts'
import { bessProgram } from '../../lab/programs/bess.ts'
import { mirrored } from '../laws/rule-sets.ts'
import { unifiedSet } from '../laws/unified-set.ts'
import { openTestNodes, plug, segment, settle, wantedOf, type TestNodes } from '../bess/test-nodes.ts'
import { pacedStream, type PacedStream } from './lib/packet-gaps.ts'
import { absolute, type Metric } from './lib/metric.ts'
import { buildPacketRate } from './lib/packet-rate.ts'
import { median, quantile } from './lib/rounds.ts'

export const description =
  'longest time without a packet of a stream between two Ports on the real bessd while a third is put on, changed or taken off'

const vni = 5_001
/** Beside the stream's two and the one that changes: what a node carries. */
const others = 20
const rounds = 20
const macOf = (n: number): string => `02:00:00:00:03:${n.toString(16).padStart(2, '0')}`

export default async function bess(): Promise<readonly Metric[]> {
  const program = await bessProgram({ install: true, print: console.error })
  if ('missing' in program) throw new Error(program.missing)
  const cluster = await openTestNodes(program.path)
  try {
    const node = await cluster.node('a', '192.168.50.1')
    const pod = (number: number) => node.pod({ number, vni, address: `10.0.0.${number}`, mac: macOf(number) })
    const [from, to, third] = [await pod(1), await pod(2), await pod(3)]
    const idle = await idlePorts(cluster, node.namespace, third.port)
    const there = [from.port, to.port, ...idle]
    const plane = await node.plane({ socketFolder: cluster.folder })
    await settle(plane, wantedOf(there))
    const frame = frameBetween(from.port, to.port, 17, udpPayload(0, 0))
    const { tool } = await buildPacketRate(cluster.folder)
    const stream = await pacedStream(tool, from.namespace, frame, to.namespace)
    const all = await pauses(stream, plane, { there, third: third.port })
    const packets = await stream.end()
    const passed = 1_000
    if (packets < passed) throw new Error(`${packets} packets of the stream arrived, not even ${passed}`)
    for (const [name, values] of Object.entries(all))
      console.log(
        `${name.padEnd(12)} median ${median(values).toFixed(2)} ms, p90 ${quantile(values, 0.9).toFixed(2)} ms, ${values.length} times`,
      )
    return [absolute('pause', 'ms', median([...all.added, ...all.changed, ...all.removed]), { atMost: 20 })]
  } finally {
    await cluster.close()
  }
}

/** Of Ports whose interfaces nobody uses. */
async function idlePorts(cluster: TestNodes, node: Parameters<typeof plug>[0], like: LocalPort): Promise<readonly LocalPort[]> {
  const ports = Array.from({ length: others }, (_, i): LocalPort => {
    const number = 4 + i
    return { ...like, uid: `idle-${number}`, number, ifcName: `mgz${number}`, mac: macOf(number), addresses: [`10.0.0.${number}`] }
  })
  for (const { number, ifcName } of ports)
    await node.ip('link', 'add', ifcName, 'up', 'type', 'veth', 'peer', 'name', `${cluster.prefix}x${number}`)
  return ports
}

async function pauses(
  stream: PacedStream,
  plane: Dataplane,
  { there, third }: { readonly there: readonly LocalPort[]; readonly third: LocalPort },
) {
  const all = {
    undisturbed: [] as number[],
    added: [] as number[],
    changed: [] as number[],
    removed: [] as number[],
    edited: [] as number[],
    limited: [] as number[],
    marked: [] as number[],
  }
  const until = async (ports: readonly LocalPort[]): Promise<void> => {
    if (!(await settle(plane, wantedOf(ports)))) throw new Error('there was nothing to change')
  }
  const changed: LocalPort = { ...third, allowedAddressPairs: [{ ip: '10.0.1.0/24' }] }
  for (let round = 0; round < rounds; round++) {
    // As long as a change takes, and what is looked at before it.
    all.undisturbed.push(await stream.longestWhile(() => settle(plane, wantedOf(there))))
    all.added.push(await stream.longestWhile(() => until([...there, third])))
    all.changed.push(await stream.longestWhile(() => until([...there, changed])))
    all.removed.push(await stream.longestWhile(() => until(there)))
  }
  const judged: LocalPort = { ...third, policy: { identity: 1, ruleSets: [], isClosed: false } }
  const by = (set: RuleSet) => ({
    ...wantedOf([...there, judged], { segments: [segment(vni, { judged: [third.number] })] }),
    ruleSets: [set],
  })
  await settle(plane, by(allowing('192.0.2.0/24')))
  for (let round = 0; round < rounds; round++)
    all.edited.push(await stream.longestWhile(() => settle(plane, by(allowing(`198.51.${round}.0/24`)))))
  const having = (traffic: PolicyTraffic) =>
    wantedOf([...there, { ...judged, policy: { identity: 1, ruleSets: [], isClosed: false, traffic } }])
  await settle(plane, having({ maxEgress: 1e9 }))
  for (let round = 0; round < rounds; round++)
    all.limited.push(await stream.longestWhile(() => settle(plane, having({ maxEgress: 2e9 + round }))))
  // Each is another one on this node: modules are made for it, and those of the one before go.
  for (let round = 0; round < rounds; round++) all.marked.push(await stream.longestWhile(() => settle(plane, having({ dscp: round }))))
  return all
}

/** Beside sixteen others that stay. */
function allowing(block: string): RuleSet {
  const blocks = [block, ...Array.from({ length: 16 }, (_, i) => `10.${i * 2}.0.0/${16 + (i % 4)}`)]
  return mirrored(
    unifiedSet({
      vni,
      rules: [
        { index: 0, source: '/spec/ingress/0', direction: 'ingress', level: 0, action: 'allow', peers: { identities: [], blocks } },
        { index: 1, source: '/spec/defaults', direction: 'ingress', level: 1, action: 'deny' },
      ],
    }),
  )
}
