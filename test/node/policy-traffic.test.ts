// How much pods may send and get, and how what they send is marked, on the real Open vSwitch: packets as they arrive, and as the network
// between nodes sees them.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { PolicyTraffic } from '../../core/kinds/policy/policy-rule-set.ts'
import type { RuleSet, Segment } from '../../core/node/wanted.ts'
import { unifiedSet } from '../laws/unified-set.ts'
import { ovsSkip } from '../setup/ovs.ts'
import { until } from '../setup/until.ts'
import { ask, startServer } from './conversations.ts'
import { arrivedOf, marksOf, marksTo, sent, mostArrive } from './marked-packets.ts'
import { listen, pythonSkip } from './raw-frames.ts'
import { startTwoNodes, type Pod, type TwoNodes } from './two-nodes.ts'

const vni = 4_101
const attachment = { kind: 'vni', vni } as const
const subnets: Segment['subnets'] = [{ cidr: '10.0.0.0/24' }, { cidr: 'fd00::/64' }]
const identity = 21

describe('traffic that a policy limits and marks, on Open vSwitch', { skip: ovsSkip || pythonSkip }, () => {
  let lab: TwoNodes
  let sender: Pod, near: Pod, far: Pod
  const servers: { close(): Promise<void> }[] = []
  before(async () => {
    lab = await startTwoNodes({ tunnelDscp: 'inherit' })
    const [one, two] = lab.nodes
    sender = await lab.addPod(one, { name: 's', attachment, addresses: ['10.0.0.2', 'fd00::2'] })
    near = await lab.addPod(one, { name: 'n', attachment, addresses: ['10.0.0.3', 'fd00::3'] })
    far = await lab.addPod(two, { name: 'f', attachment, addresses: ['10.0.0.4', 'fd00::4'] })
    for (const pod of [near, far]) servers.push(await startServer(pod.namespace, [80, 81]))
    await judge({})
    assert.equal(await sender.pings('10.0.0.4'), true)
  })
  after(async () => {
    for (const each of servers) await each.close()
    await lab.close()
  })

  /** Of the sender alone. */
  async function judge(traffic: PolicyTraffic, rules: RuleSet['rules'] = [], of: Pod = sender): Promise<void> {
    const set = unifiedSet({ vni, subjects: [identity], traffic, rules })
    await lab.converge(
      { [vni]: { subnets } },
      {
        ruleSets: [set],
        of: (port) => (port === of.port ? { identity, ruleSets: ['vni-4101-1'], isClosed: false, traffic } : undefined),
      },
    )
  }

  const marks = (to: Pod, address: string, l4Port: number): Promise<readonly number[]> =>
    marksOf({ from: sender.namespace, to: to.namespace, address }, l4Port)

  test('is marked as the policy says, where no rule says otherwise, here and between nodes, in IPv4 and IPv6; else as it was', async () => {
    await judge({})
    assert.deepEqual(await marks(near, '10.0.0.3', 80), [0])
    await judge({ dscp: 46 }, [
      {
        index: 0,
        source: '/spec/egress/0',
        direction: 'egress',
        level: 0,
        action: 'allow',
        dscp: 10,
        transport: [{ protocol: 17, first: 81 }],
      },
    ])
    for (const [pod, addresses] of [
      [near, near.port.addresses],
      [far, far.port.addresses],
    ] as const)
      for (const address of addresses) {
        assert.deepEqual(await marks(pod, address, 80), [46], address)
        assert.deepEqual(await marks(pod, address, 81), [10], `the rule's: ${address}`)
      }
    const back = await listen(sender.namespace, 'eth0')
    assert.equal(await ask(sender.namespace, { kind: 'udp', to: '10.0.0.4', l4Port: 80 }), 'answered')
    await until(() => Promise.resolve(back.heard.some((frame) => frame.slice(68, 72) === '0050')), 'its answer is seen')
    const answers = back.heard.filter((frame) => frame.slice(24, 28) === '0800' && frame.slice(68, 72) === '0050')
    assert.deepEqual(new Set(answers.map((frame) => frame.slice(30, 32))), new Set(['00']), 'what it is sent is not marked')
    await back.close()
  })

  test('carries its mark outside on the tunnel too, where the agent is told so', async () => {
    await judge({ dscp: 46 })
    const ear = await listen(lab.nodes[0].ovs.namespace, 'phy0')
    assert.equal(await ask(sender.namespace, { kind: 'udp', to: '10.0.0.4', l4Port: 80 }), 'answered')
    await until(() => Promise.resolve(marksTo(ear, 4_789).length > 1), 'the packet and its answer are seen')
    await ear.close()
    assert.deepEqual([...marksTo(ear, 4_789)].sort(), [0, 46])
  })

  const arrived = (count: number, from: Pod, to: Pod): Promise<number> =>
    arrivedOf(count, { from: from.namespace, to: to.namespace, address: to.port.addresses[0]! })

  test("is dropped above what it may send, or get, and nobody else's is; a change of the rate counts at once", async () => {
    const few = (count: number, what: string): void => assert.ok(count > 20 && count < sent / 2, `${what}: ${count} of ${sent}`)
    const most = (from: Pod, to: Pod, what: string): Promise<void> => mostArrive(sent, () => arrived(sent, from, to), what)
    await judge({ maxEgress: 1_000_000 })
    few(await arrived(sent, sender, near), 'on its node')
    few(await arrived(sent, sender, far), 'to another node')
    await most(near, far, "another pod's")
    await most(near, sender, 'what it gets')
    await judge({ maxEgress: 1_000_000_000 })
    await most(sender, near, 'a rate that is not reached')
    await judge({ maxIngress: 1_000_000 }, [], near)
    few(await arrived(sent, sender, near), 'of one that gets no more')
    await most(sender, far, 'of another')
    await judge({})
    await most(sender, near, 'without a limit')
  })

  test('is dropped above what the rule says that allows it, both ways, and what another rule allows is not', async () => {
    const limits = (first: number, direction: 'ingress' | 'egress' = 'egress'): RuleSet['rules'] => {
      const rule = { source: '/spec/egress/0', direction, action: 'allow' } as const
      return [
        { ...rule, index: 0, level: 0, max: 1_000_000, transport: [{ protocol: 17, first }] },
        { ...rule, index: 1, level: 1 },
      ]
    }
    const part = async (to: Pod): Promise<number> => (await arrived(sent, sender, to)) / sent
    await judge({}, limits(9_000))
    for (const to of [near, far]) {
      const come = await part(to)
      assert.ok(come > 0 && come < 0.5, `${come} of it has come`)
    }
    await judge({}, limits(9_001))
    await mostArrive(sent, () => arrived(sent, sender, near), 'what another rule allows')
    await judge({}, limits(9_000, 'ingress'), near)
    const ingress = await part(near)
    assert.ok(ingress > 0 && ingress < 0.5, `${ingress} of what comes in`)
  })
})
