// What an answer tells of a packet's way: of the asker's own Ports all of it, of whoever else is met only that he is.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { memory } from '../../agent/dataplanes/memory.ts'
import { traceFrom } from '../../agent/inquiries/trace.ts'
import type { UntimedAnswer } from '../../agent/inquiries/untimed-answer.ts'
import { answeredMax, type TracedPacket } from '../../core/kinds/node/inquiry.ts'
import { gatewayMac } from '../../core/net/gateway-mac.ts'
import { endpointKey } from '../../core/pieces/endpoint-map.ts'
import { endpointPiece } from '../../core/pieces/endpoint.ts'
import { segmentKey, segmentPiece } from '../../core/pieces/segment.ts'
import type { TracedFrame, TracedRule, TracedWay } from '../../core/node/traced.ts'
import type { LocalPort } from '../../core/node/wanted.ts'
import { makePod, withNetwork } from '../workers/network.ts'
import type { TestCluster } from '../workers/test-cluster.ts'
import { openTestClusterWithNode, type TestNode } from './node.ts'

let cluster: TestCluster
let node: TestNode
const wired: Record<string, LocalPort> = {}
/** What the data plane says, and what it was asked. */
let way: (frame: TracedFrame) => TracedWay
const frames: TracedFrame[] = []

beforeEach(async () => {
  frames.length = 0
  ;({ cluster, node } = await openTestClusterWithNode({
    plane: (of) => ({
      ...memory(of),
      trace(_, frame) {
        frames.push(frame)
        return Promise.resolve(way(frame))
      },
    }),
  }))
  await withNetwork(cluster)
  await cluster.make('Vpc', 'b/red', {})
  await cluster.make('Subnet', 'b/two', { vpc: 'red', ipv4: { cidr: '10.0.0.0/24' } })
  for (const [key, vpc] of [
    ['a/web', 'blue'],
    ['a/near', 'blue'],
    ['b/other', 'red'],
  ] as const) {
    const pod = await makePod(cluster, key, { vpc, node: 'n1', nics: [{ name: 'eth0' }] })
    await cluster.settle()
    assert.equal((await node.cni('ADD', { pod, containerID: key.replace('/', '') })).code, 0)
  }
  await cluster.settle()
  for (const { metadata } of await cluster.all('Port'))
    wired[metadata.name.split('-')[0]!] = node.agent.env.ledger.wiredOf(metadata.uid)!.port
})
afterEach(async () => {
  await node.close()
  await cluster.close()
})

const traced = (packet: TracedPacket): Promise<UntimedAnswer> =>
  traceFrom(wired['web']!, packet, node.agent.env, AbortSignal.timeout(10_000))
const rule = (more: Partial<TracedRule>): TracedRule => ({
  where: '50 forward',
  match: 'm',
  does: ['output:7'],
  owner: 'node',
  notes: [],
  ...more,
})
const answered: TracedWay = { rules: [], outputs: ['back'], mac: '0a:00:00:00:00:01' }

test('whose a rule is decides how much of it is told, and whose a port is whether it is named', async () => {
  const [web, near, other] = [wired['web']!, wired['near']!, wired['other']!]
  const secret = 'set_field:192.0.2.99->tun_dst'
  const hidden = { match: secret, does: [secret, 'go to qos', `output:${secret}`] }
  way = ({ kind }) =>
    kind === 'who-has'
      ? answered
      : {
          rules: [
            rule({ match: 'every node has it', because: 'so it is' }),
            rule({ owner: { mac: web.mac }, match: 'my own' }),
            rule({ owner: { mac: near.mac }, match: 'my neighbour' }),
            rule({ owner: { mac: other.mac }, ...hidden }),
            rule({ owner: 'segment', ...hidden }),
            rule({ owner: 'stranger', match: secret, does: ['drop'] }),
          ],
          outputs: [near.number, other.number, 'tunnel', near.number],
        }
  const { trace } = await traced({ to: near.addresses[0]! })
  assert.deepEqual(
    trace?.steps.map(({ match, does }) => [match, does]),
    [
      ['every node has it', 'output:7'],
      ['my own', 'output:7'],
      ['my neighbour', 'output:7'],
      ['a rule of another port', 'go to qos, output'],
      ['a rule of the segment', 'go to qos, output'],
      ['a rule that is not of Megrez', 'drop'],
    ],
  )
  assert.deepEqual(trace.to, [near.of.name, 'another port', 'tunnel'])
  assert.doesNotMatch(JSON.stringify(trace), /192\.0\.2\.99/)
})

test('the next hop is asked for as a pod would: what is in its Subnet itself, else the gateway, and never from an address that is made up', async () => {
  way = ({ kind }) => (kind === 'who-has' ? answered : { rules: [], outputs: [] })
  const own = wired['web']!.addresses[0]!
  // Another Subnet of the VNI, which this node has a Port in.
  const { pieces } = node.agent.env.loop
  const key = segmentKey((wired['web']!.attachment as { readonly vni: number }).vni)
  const segment = pieces.of(segmentPiece).get(key)!
  pieces.set(segmentPiece, key, { ...segment, subnets: [{ cidr: '10.1.0.0/24', gateway: '10.1.0.1' }, ...segment.subnets] })
  for (const [to, hop] of [
    ['10.0.0.200', '10.0.0.200'],
    ['10.1.0.9', '10.0.0.1'],
    ['192.0.2.7', '10.0.0.1'],
  ] as const) {
    frames.length = 0
    const { trace } = await traced({ to, from: '10.0.0.250' })
    assert.deepEqual(
      frames.map(({ kind, from, to: at }) => [kind, from, at]),
      [
        ['who-has', own, hop],
        ['packet', '10.0.0.250', to],
      ],
    )
    assert.equal(trace?.verdict, 'drop')
  }
  assert.deepEqual(await traced({ to: 'fd00::1' }), {
    outcome: 'failed',
    message: 'it has no IPv6 address to send from: name one, packet.from',
  })
})

test('what arrives is traced as the node of its address would send it, and that node is not named', async () => {
  way = ({ kind }) => ({
    rules: [rule({ owner: 'segment', match: 'tun_src=192.0.2.9', does: ['go to forward'] })],
    outputs: kind === 'arrival' ? [wired['web']!.number] : [],
  })
  const web = wired['web']!
  const [to, { vni }] = [web.addresses[0]!, web.attachment as { readonly vni: number }]
  const { pieces } = node.agent.env.loop
  const host = '192.0.2.9'
  for (const [from, mac] of [
    ['10.0.0.77', '0a:00:00:00:00:77'],
    ['10.9.0.77', gatewayMac],
  ] as const) {
    frames.length = 0
    pieces.set(endpointPiece, endpointKey(vni, from), { vni, address: from, mac: '0a:00:00:00:00:77', hostIP: host })
    const answer = await traced({ to, from, arrives: true, protocol: 'tcp', l4Port: 80 })
    assert.deepEqual(frames, [{ kind: 'arrival', from, to, mac, vni, host, protocol: 'tcp', l4Port: 80 }])
    assert.deepEqual([answer.trace?.packet, answer.trace?.to], [`tcp from ${from} to ${to} port 80, from another node`, [web.of.name]])
    assert.doesNotMatch(JSON.stringify(answer), /192\.0\.2\.9/)
  }
  frames.length = 0
  for (const [packet, why] of [
    [{ to: '10.0.0.200', from: '10.0.0.77' }, /10.0.0.200 is no address of this Port/],
    [{ to, from: '10.0.0.78' }, /10.0.0.78 is on no other node that this one knows of/],
    [{ to, from: wired['near']!.addresses[0]! }, /is on no other node/],
  ] as const) {
    const { outcome, message } = (await traced({ ...packet, arrives: true })) as { readonly outcome: string; readonly message?: string }
    assert.equal(outcome, 'failed')
    assert.match(message ?? '', why)
  }
  assert.deepEqual(frames, [])
})

test('an answer holds so much and says that there was more', async () => {
  way = () => ({ rules: Array.from({ length: answeredMax + 1 }, () => rule({ match: 'm'.repeat(10_000) })), outputs: [] })
  const { trace, truncated } = await traced({ to: '10.0.0.200' })
  assert.deepEqual([trace?.steps.length, truncated], [answeredMax, true])
  assert.ok(JSON.stringify(trace).length < 600 * 1024)
})

test('of a Port in a trunk no packet is traced, as its VLAN is not said', async () => {
  const attachment = { kind: 'vlan', physicalNetwork: 'physnet1', mode: 'trunk', vlans: [7, 8] } as const
  const { outcome } = await traceFrom({ ...wired['web']!, attachment }, { to: '10.0.0.9' }, node.agent.env, AbortSignal.timeout(10_000))
  assert.deepEqual([outcome, frames], ['unsupported', []])
})

test('of a Port on a bridge that is not ours nothing is traced, and that is said', async () => {
  const attachment = { kind: 'vif', plug: 'bridge', bridge: 'br-int', interfaceID: 'port-7' } as const
  const { outcome, message } = (await traceFrom(
    { ...wired['web']!, attachment },
    { to: '10.0.0.9' },
    node.agent.env,
    AbortSignal.timeout(10_000),
  )) as { readonly outcome: string; readonly message?: string }
  assert.equal(outcome, 'unsupported')
  assert.match(message ?? '', /^trace: .*not ours: ask its cloud/)
})
