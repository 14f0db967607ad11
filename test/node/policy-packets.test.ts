// What `megrez trace` says of a first packet, and what the packet then does: random rule sets in force on two nodes with the real Open
// vSwitch, and datagrams, echo requests and frames that are no IP of random pods. A trace says nothing of those; a verdict does.
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import type { Resource } from '../../core/kinds/index.ts'
import { ruleSetName, type CompiledRule } from '../../core/kinds/policy/policy-rule-set.ts'
import type { TracedFrame } from '../../core/node/traced.ts'
import type { RuleSet, Segment } from '../../core/node/wanted.ts'
import { checksum } from '../../core/net/checksum.ts'
import { traceOf, type TraceEnd } from '../../core/policy/trace/trace.ts'
import { wayOf } from '../../core/policy/trace/way.ts'
import { verdictOn, type Transport } from '../../core/policy/verdict.ts'
import { withWalks } from '../../core/views/walk/walk.ts'
import { ethernet } from '../laws/frame-bytes.ts'
import { drawConnection, drawRuleSets, etherTypes, identities, macs } from '../laws/rule-sets.ts'
import { ovsSkip } from '../setup/ovs.ts'
import { trials } from '../setup/trials.ts'
import { until } from '../setup/until.ts'
import { seeded } from '../workers/test-cluster.ts'
import { frameBetween, listen, pythonSkip, sendFrames, udpPayload, type Ear } from './raw-frames.ts'
import { startTwoNodes, type Pod, type TwoNodes } from './two-nodes.ts'

const vni = 5001
const attachment = { kind: 'vni', vni } as const
const subnets: Segment['subnets'] = [{ cidr: '10.0.0.0/24', gateway: '10.0.0.254' }]
const packetsInRound = 20
/** Of them, whose tables are compared with those of ofproto/trace. */
const tracedInRound = 4
const stored = new Map([['lab/s', subnet()]])
/** Who is guarded sends nothing that is no IP. */
const open = { portSecurity: false }

interface SentPacket {
  readonly from: Pod
  readonly to: Pod
  /** A number: the EtherType of a frame that is no IP. */
  readonly carries: Transport | number
  readonly frame: string
}

describe('random packets between pods whom random policies judge, on Open vSwitch', { skip: ovsSkip || pythonSkip }, () => {
  let lab: TwoNodes
  const pods: Pod[] = []
  const ears: Ear[] = []
  /** In each packet another: no two of them are of one connection. */
  let nth = 0
  const compared = { sent: 0, arrived: 0 }
  /** Frames that had to be sent twice. */
  let lost = 0
  before(async () => {
    lab = await startTwoNodes()
    for (const [i, node] of [0, 0, 1, 1].entries())
      pods.push(await lab.addPod(lab.nodes[node as 0 | 1], { name: `p${i}`, attachment, addresses: [`10.0.0.${i + 1}`], more: open }))
    await lab.converge({ [vni]: { subnets } })
    assert.equal(await pods[0]!.pings('10.0.0.3'), true)
    for (const pod of pods) ears.push(await listen(pod.namespace, 'eth0', 300))
  })
  after(async () => {
    for (const ear of ears) await ear.close()
    await lab.close()
  })

  /** Of somebody here. */
  const framed = (rule: CompiledRule): CompiledRule => {
    if (rule.frame?.peerMac === undefined) return rule
    const { mac } = pods[macs.indexOf(rule.frame.peerMac) % pods.length]!.port
    return { ...rule, frame: { ...rule.frame, peerMac: mac } }
  }

  function draw(random: () => number): SentPacket {
    const [from, to] = [...pods].sort(() => random() - 0.5) as [Pod, Pod]
    const drawn = drawConnection(random, 4)
    nth += 1
    if (random() < 0.25) {
      const etherType = [...etherTypes, 0x9000][Math.floor(random() * 3)]!
      const ends = { source: from.port.mac, destination: to.port.mac }
      return { from, to, carries: etherType, frame: ethernet(ends, etherType.toString(16), nth.toString(16).padStart(8, '0')) }
    }
    if (drawn.protocol === 1) return { from, to, carries: drawn, frame: frameBetween(from.port, to.port, 1, echo(nth)) }
    const transport = { protocol: 17, l4Port: drawn.l4Port ?? 80 }
    return { from, to, carries: transport, frame: frameBetween(from.port, to.port, 17, udpPayload(1024 + nth, transport.l4Port)) }
  }

  /** Rules, and whom each pod is; and what is sent under them. */
  async function round(seed: number): Promise<void> {
    const random = seeded(seed)
    const ruleSets = drawRuleSets(random, vni).map((set): RuleSet => ({ ...set, rules: set.rules.map(unmarked).map(framed) }))
    const identityOf = new Map(pods.map(({ port }) => [port, identities[Math.floor(random() * identities.length)]!]))
    await lab.converge(
      { [vni]: { subnets } },
      { ruleSets, of: (port) => ({ identity: identityOf.get(port) ?? 0, ruleSets: [], isClosed: false }) },
    )
    await lab.revalidated()
    const sent = Array.from({ length: packetsInRound }, () => draw(random))
    const byPod = Map.groupBy(sent, (each) => each.from)
    const framesOf = (all: readonly SentPacket[]): readonly string[] => all.map(({ frame }) => frame)
    await Promise.all([...byPod].map(([from, all]) => sendFrames(from.namespace, 'eth0', framesOf(all))))
    const endOf = (pod: Pod): TraceEnd => {
      const identity = identityOf.get(pod.port)!
      return { address: pod.port.addresses[0]!, identity, port: storedOf(pod, identity, ruleSets) }
    }
    const isAllowed = (direction: 'ingress' | 'egress', end: Pod, peer: Pod, etherType: number): boolean =>
      verdictOn(ruleSets, { subject: identityOf.get(end.port)!, direction, etherType, peer: { mac: peer.port.mac } }).isAllowed
    const isWanted = ({ from, to, carries }: SentPacket): boolean =>
      typeof carries === 'number'
        ? isAllowed('egress', from, to, carries) && isAllowed('ingress', to, from, carries)
        : traceOf(ruleSets, { from: endOf(from), to: endOf(to), transport: carries }).isAllowed
    const hasCome = ({ to, frame }: SentPacket): boolean => ears[pods.indexOf(to)]!.heard.some((each) => each.startsWith(frame))
    const missing = (): readonly SentPacket[] => sent.filter((each) => isWanted(each) && !hasCome(each))
    const allCome = (): Promise<unknown> =>
      until(() => Promise.resolve(missing().length === 0), 'what may pass has come', 3_000).catch(() => undefined)
    await allCome()
    // Once in ten thousand frames one does not come, whatever the rules: what they drop does not come a second time either.
    lost += missing().length
    for (const { from, frame } of missing()) await sendFrames(from.namespace, 'eth0', [frame])
    await allCome()
    await new Promise((resolve) => setTimeout(resolve, 50))
    for (const each of sent)
      assert.equal(
        hasCome(each),
        isWanted(each),
        `seed ${seed}: ${JSON.stringify({ carries: each.carries, from: each.from.port.addresses, to: each.to.port.addresses, who: [...identityOf.values()] })} under ${JSON.stringify(ruleSets)}`,
      )
    const connections = sent.filter(({ carries }) => typeof carries !== 'number')
    for (const each of connections.slice(0, tracedInRound))
      await compareTables(each, [endOf(each.from), endOf(each.to)], { seed, ruleSets })
  }

  /** The tables that are told of each node that it reaches are those that its switch would take the packet through. */
  async function compareTables(sent: SentPacket, [from, to]: readonly [TraceEnd, TraceEnd], { seed, ruleSets }: Drawn): Promise<void> {
    const [ends, transport] = [{ from, to }, sent.carries as Transport]
    const way = wayOf({ ...ends, vni, traced: traceOf(ruleSets, { ...ends, transport }) })
    const walks = withWalks(way, { vni, ends, sets: ruleSets, subnets: stored }, transport)
    for (const { name, tables } of walks.filter(({ at, fate }) => at === 'Node' && fate !== 'unreached')) {
      const { node, port } = sent.from.node.tunnelAddress === name ? sent.from : sent.to
      const { rules } = await node.plane.trace!(port, frameAt(sent, node, transport), AbortSignal.timeout(10_000))
      const what = `seed ${seed}, on ${name}: ${JSON.stringify({ transport, ends, ruleSets })}`
      assert.deepEqual(
        tables,
        rules.map(({ where }) => where),
        what,
      )
      compared[node === sent.from.node ? 'sent' : 'arrived']++
    }
  }

  test('do what a trace of them says', async (t) => {
    const [first, rounds] = [randomInt(2 ** 40), trials(25)]
    t.diagnostic(`${rounds} seeds from ${first}, ${packetsInRound} packets each`)
    for (let seed = first; seed < first + rounds; seed++) await round(seed)
    t.diagnostic(`${lost} frames were sent twice`)
    assert.ok(lost <= 2, `${lost} of ${rounds * packetsInRound} frames were lost`)
    t.diagnostic(`tables compared with those of ofproto/trace: ${JSON.stringify(compared)}`)
    assert.ok(compared.sent > rounds * (tracedInRound - 1))
  })
})

interface Drawn {
  readonly seed: number
  readonly ruleSets: readonly RuleSet[]
}

function frameAt({ from, to }: SentPacket, node: Pod['node'], { protocol, l4Port }: Transport): TracedFrame {
  const payload = {
    from: from.port.addresses[0]!,
    to: to.port.addresses[0]!,
    protocol: protocol === 1 ? ('icmp' as const) : ('udp' as const),
    ...(l4Port !== undefined && { l4Port }),
  }
  return node === from.node
    ? { kind: 'packet', mac: to.port.mac, ...payload }
    : { kind: 'arrival', mac: from.port.mac, vni, host: from.node.tunnelAddress, ...payload }
}

function subnet(): Resource<'Subnet'> {
  const [{ cidr, gateway } = { cidr: '' }] = subnets
  return {
    apiVersion: 'megrez.io/v1alpha1',
    kind: 'Subnet',
    metadata: { uid: 's', resourceVersion: '1', generation: 1, creationTimestamp: '', namespace: 'lab', name: 's' },
    spec: { vpc: 'v', ipv4: { cidr, ...(gateway !== undefined && { gateway }) } },
  }
}

/** As its Port is stored. */
function storedOf({ port, node }: Pod, identity: number, ruleSets: readonly RuleSet[]): Resource<'Port'> {
  const { uid, of, mac, addresses } = port
  return {
    apiVersion: 'megrez.io/v1alpha1',
    kind: 'Port',
    metadata: { uid, resourceVersion: '1', generation: 1, creationTimestamp: '', namespace: 'lab', name: of.name },
    spec: { subnet: 's', node: node.tunnelAddress, portSecurity: port.portSecurity },
    status: {
      vni,
      addresses: [...addresses],
      mac,
      hostIP: node.tunnelAddress,
      policy: { identity, ruleSets: ruleSets.filter(({ subjects }) => subjects.includes(identity)).map(ruleSetName) },
      node: { wired: true, dataplane: 'ovs' },
    },
  }
}

/** So that it arrives as it was sent. */
const unmarked = ({ dscp: _, ...rule }: CompiledRule): CompiledRule => rule

/** An echo request (RFC 792) with this number as its identifier, as long as what `ipFrame` carries. */
function echo(identifier: number): string {
  const bytes = Uint8Array.of(8, 0, 0, 0, identifier >> 8, identifier & 255, 0, 1, ...new Uint8Array(14).fill(0x6d))
  const sum = checksum(bytes)
  return Buffer.from([8, 0, sum >> 8, sum & 255, ...bytes.subarray(4)]).toString('hex')
}
