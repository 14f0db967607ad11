// Rules that name the MAC of the other end, or the EtherType of what is no IP, on the real Open vSwitch: of packets both ways, on one node,
// by a tunnel and by way of the gateway.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { CompiledRule } from '../../core/kinds/policy/policy-rule-set.ts'
import type { RuleSet, Segment } from '../../core/node/wanted.ts'
import { traceOf, type TraceEnd } from '../../core/policy/trace/trace.ts'
import { resource } from '../core/policy-things.ts'
import { gatewayMac } from '../../core/net/gateway-mac.ts'
import { ethernet } from '../laws/frame-bytes.ts'
import { unifiedSet } from '../laws/unified-set.ts'
import { ovsSkip } from '../setup/ovs.ts'
import { until } from '../setup/until.ts'
import { ask, startServer } from './conversations.ts'
import { arpFrame, listen, pythonSkip, sendFrames } from './raw-frames.ts'
import { startTwoNodes, type Pod, type TwoNodes } from './two-nodes.ts'

const vni = 4_103
const attachment = { kind: 'vni', vni } as const
const subnets: Segment['subnets'] = [
  { cidr: '10.0.0.0/24', gateway: '10.0.0.1' },
  { cidr: '10.0.1.0/24', gateway: '10.0.1.1' },
  { cidr: 'fd00::/64' },
]
const identity = 21
/** Who is guarded sends nothing that is no IP. */
const open = { portSecurity: false }

type Rule = Pick<CompiledRule, 'direction' | 'action' | 'families' | 'frame'>

describe('rules with a MAC, on Open vSwitch', { skip: ovsSkip || pythonSkip }, () => {
  let lab: TwoNodes
  let server: Pod, near: Pod, far: Pod, routed: Pod
  let listener: { close(): Promise<void> }
  before(async () => {
    lab = await startTwoNodes()
    const [one, two] = lab.nodes
    const gateways = ['10.0.0.1']
    server = await lab.addPod(one, { name: 's', attachment, addresses: ['10.0.0.2', 'fd00::2'], gateways })
    near = await lab.addPod(one, { name: 'n', attachment, addresses: ['10.0.0.3', 'fd00::3'], more: open })
    far = await lab.addPod(two, { name: 'f', attachment, addresses: ['10.0.0.4', 'fd00::4'], more: open })
    routed = await lab.addPod(two, { name: 'r', attachment, addresses: ['10.0.1.5'], gateways: ['10.0.1.1'] })
    listener = await startServer(server.namespace, [80])
    await judge(server, [])
    for (const pod of [near, far, routed]) assert.equal(await pod.pings('10.0.0.2'), true)
  })
  after(async () => {
    await listener.close()
    await lab.close()
  })

  /** By what is judged now, whether a trace lets a frame that is no IP pass from a pod to the server. */
  function isTraced(pod: Pod, etherType: number): boolean {
    const end = ({ port: { mac } }: Pod): TraceEnd => {
      const status = { mac, vni, addresses: [], policy: { identity, ruleSets: [] } }
      return {
        address: '',
        identity: mac === judged.port.mac ? identity : 0,
        port: { ...resource('Port', `a/${mac}`, { subnet: 's' }), status },
      }
    }
    return traceOf([set], { from: end(pod), to: end(server), transport: { etherType } }).isAllowed
  }
  let judged: Pod
  let set: RuleSet
  /** Rules of one tier for one pod, in their order. */
  async function judge(pod: Pod, rules: readonly Rule[]): Promise<void> {
    judged = pod
    set = unifiedSet({
      vni,
      subjects: [identity],
      rules: rules.map((rule, index) => ({ ...rule, index, level: index, source: `/spec/rules/${index}` })),
    })
    const of = (port: Pod['port']) => (port === pod.port ? { identity, ruleSets: ['vni-4103-1'], isClosed: false } : undefined)
    await lab.converge({ [vni]: { subnets } }, { ruleSets: [set], of })
    await lab.revalidated()
  }
  /** As compiled: its own families stand with the MAC. */
  const allow = (direction: 'ingress' | 'egress', peerMac: string, families?: number[]): Rule => ({
    direction,
    action: 'allow',
    families: [],
    frame: { peerMac, ...(families && { families }) },
  })
  const answers = (pod: Pod, address: string): Promise<string> => ask(pod.namespace, { kind: 'udp', to: address, l4Port: 80 })

  test('let in who has it, and what answers them, on one node and by a tunnel', async () => {
    for (const [is, other] of [
      [near, far],
      [far, near],
    ] as const) {
      await judge(server, [allow('ingress', is.port.mac), { direction: 'ingress', action: 'deny' }])
      for (const address of ['10.0.0.2', 'fd00::2']) {
        assert.equal(await answers(is, address), 'answered')
        assert.equal(await answers(other, address), 'silent')
      }
    }
  })

  test('let out to who has it, and keep out whom they deny', async () => {
    await judge(near, [allow('egress', server.port.mac), { direction: 'egress', action: 'deny' }])
    assert.equal(await answers(near, '10.0.0.2'), 'answered')
    assert.equal(await near.pings('10.0.0.4'), false)
    await judge(server, [{ direction: 'ingress', action: 'deny', frame: { peerMac: far.port.mac } }])
    assert.deepEqual([await answers(near, '10.0.0.2'), await answers(far, '10.0.0.2')], ['answered', 'silent'])
  })

  test('are of one family where they name it', async () => {
    await judge(server, [allow('ingress', far.port.mac, [6]), { direction: 'ingress', action: 'deny' }])
    assert.deepEqual([await answers(far, 'fd00::2'), await answers(far, '10.0.0.2')], ['answered', 'silent'])
  })

  test('that name an EtherType are for such frames alone, and ARP is never judged', async () => {
    const [one, other] = [0x88b5, 0x88b6]
    const ear = await listen(server.namespace, 'eth0')
    let nth = 0
    /** Of a frame of each EtherType whether it arrives; behind them comes one of a kind that is not judged. */
    async function arrive(pod: Pod): Promise<readonly boolean[]> {
      const body = (++nth).toString(16).padStart(8, '0')
      const ends = { source: pod.port.mac, destination: server.port.mac }
      const frames = [one, other].map((etherType) => ethernet(ends, etherType.toString(16), body))
      const last = arpFrame({ op: 2, from: pod.port.addresses[0]!, mac: pod.port.mac, asks: '10.0.0.2', destination: server.port.mac })
      const heard = ear.heard.length
      await sendFrames(pod.namespace, 'eth0', [...frames, last])
      await until(() => ear.heard.slice(heard).some((frame) => frame.startsWith(last)), 'ARP arrives')
      const found = frames.map((frame) => ear.heard.some((each) => each.startsWith(frame)))
      assert.deepEqual(
        found,
        [one, other].map((etherType) => isTraced(pod, etherType)),
      )
      return found
    }
    const ofNoIP = (direction: 'ingress' | 'egress', action: 'allow' | 'deny', peerMac?: string): Rule => ({
      direction,
      action,
      ...(action === 'allow' && { families: [] }),
      frame: { etherType: one, ...(peerMac !== undefined && { peerMac }) },
    })
    const denied = (direction: 'ingress' | 'egress') => ({ direction, action: 'deny' }) as const
    try {
      await judge(server, [ofNoIP('ingress', 'allow'), denied('ingress')])
      for (const pod of [near, far]) assert.deepEqual(await arrive(pod), [true, false])
      assert.equal(await answers(far, '10.0.0.2'), 'silent')
      await judge(server, [ofNoIP('ingress', 'deny')])
      for (const pod of [near, far]) assert.deepEqual(await arrive(pod), [false, true])
      assert.equal(await answers(far, '10.0.0.2'), 'answered')
      await judge(server, [ofNoIP('ingress', 'allow', near.port.mac), denied('ingress')])
      assert.deepEqual(
        [await arrive(near), await arrive(far)],
        [
          [true, false],
          [false, false],
        ],
      )
      await judge(near, [ofNoIP('egress', 'allow', server.port.mac), denied('egress')])
      assert.deepEqual(
        [await arrive(near), await arrive(far)],
        [
          [true, false],
          [true, true],
        ],
      )
    } finally {
      await ear.close()
    }
  })

  test("know what is routed by the gateway's alone", async () => {
    await judge(server, [allow('ingress', gatewayMac), { direction: 'ingress', action: 'deny' }])
    assert.deepEqual([await answers(routed, '10.0.0.2'), await answers(far, '10.0.0.2')], ['answered', 'silent'])
    await judge(server, [allow('ingress', routed.port.mac), { direction: 'ingress', action: 'deny' }])
    assert.equal(await answers(routed, '10.0.0.2'), 'silent')
  })
})
