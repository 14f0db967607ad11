// What a node says that a packet would do, on a real Open vSwitch, and what the packet does: the same.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Api } from '../../cli/rest/api.ts'
import { inquire } from '../../cli/rest/inquiry.ts'
import type { PacketTrace, TracedPacket } from '../../core/kinds/node/inquiry.ts'
import { pathOf } from '../../cli/demo/rest.ts'
import { readTrace } from '../../core/pipeline/trace/answer.ts'
import { traceFlow } from '../../core/pipeline/trace/frame.ts'
import { ovsCarrier, type OvsCarrier } from '../../lab/nodes/carriers.ts'
import type { Sandbox } from '../../lab/nodes/node.ts'
import { ovsSkip } from '../setup/ovs.ts'
import { until } from '../setup/until.ts'
import { startAgents, type Agents, type NodeWith } from './agents.ts'

const gateway = '10.0.0.1'

describe('a packet traced on Open vSwitch', { skip: ovsSkip }, () => {
  let agents: Agents
  let n1: NodeWith<OvsCarrier>
  let one: Sandbox
  const address: Record<string, string> = {}
  const portOf: Record<string, string> = {}
  /** Addresses are drawn: these are of the Subnet, and no Port's. */
  let nobody: string, spoofed: string

  before(async () => {
    agents = await startAgents()
    n1 = await agents.node('n1', ovsCarrier)
    const n2 = await agents.node('n2', ovsCarrier)
    for (const [name, node] of [
      ['one', n1],
      ['near', n1],
      ['far', n2],
    ] as const) {
      const pod = await agents.pod(node, name)
      address[name] = await agents.add(node, pod)
      if (name === 'one') one = pod
    }
    const given = Object.values(address)
    const free = Array.from({ length: 5 }, (_, i) => `10.0.0.${200 + i}`).filter((each) => !given.includes(each))
    ;[nobody, spoofed] = free as [string, string]
    const { body } = await agents.rest.call('GET', pathOf('Port', 'a'))
    for (const { metadata } of body.items ?? []) portOf[metadata.name.split('-')[0] ?? ''] = metadata.name
  })
  after(() => agents.close())

  async function traced(packet: TracedPacket, name = 'one'): Promise<PacketTrace> {
    const signal = AbortSignal.timeout(30_000)
    const { url, token } = agents.server
    const answer = await inquire(new Api({ url, token }, signal), 'a', { about: 'trace', port: portOf[name]!, packet }, signal)
    assert.ok(answer.trace, JSON.stringify(answer))
    return answer.trace
  }
  const pings = async (to: string, ...more: readonly string[]): Promise<boolean> =>
    (await one.namespace.exec('ping', '-c', '3', '-i', '0.2', '-W', '1', ...more, to)).stdout.includes(' bytes from ')
  const tablesOf = ({ steps }: PacketTrace): string[] => steps.map(({ table }) => table.replace(/^\d+ /, ''))

  test('one to a pod of its node leaves by the Port of that pod, through the guard that is there for its own', async () => {
    assert.equal(await pings(address['near']!), true)
    const trace = await traced({ to: address['near']! })
    assert.deepEqual([trace.verdict, trace.to], ['output', [portOf['near']]])
    assert.match(trace.packet, new RegExp(`^icmp from ${address['one']} to ${address['near']}, to MAC `))
    assert.deepEqual(tablesOf(trace), [
      'classify',
      'guard',
      'policyOut',
      'mark',
      'rate',
      'chain',
      'learn',
      'ask',
      'forward',
      'policyIn',
      'qos',
      'output',
    ])
    const guard = trace.steps.find(({ table }) => table === '10 guard')!
    assert.match(guard.match, new RegExp(`ipv4_src=${address['one']}(,|$)`))
    assert.deepEqual([guard.does, guard.because], ['go to policyOut', `a port sends only from its own addresses: Port a/${portOf['one']}`])
  })

  test('one to a pod of another node leaves by the tunnel, and whither that leads is not told', async () => {
    assert.equal(await pings(address['far']!), true)
    const trace = await traced({ to: address['far']!, protocol: 'tcp', l4Port: 80 })
    assert.deepEqual([trace.verdict, trace.to], ['output', ['tunnel']])
    assert.deepEqual(trace.steps.find(({ table }) => table === '50 forward')?.match, 'a rule of another port')
    assert.doesNotMatch(JSON.stringify(trace), /192\.168\.50|tun_dst/)
  })

  test("one from an address that is not the Port's is dropped by the guard, and so is the packet", async () => {
    await one.namespace.ip('addr', 'add', `${spoofed}/24`, 'dev', 'eth0')
    assert.equal(await pings(address['near']!, '-I', spoofed), false)
    const trace = await traced({ to: address['near']!, from: spoofed })
    assert.deepEqual([trace.verdict, trace.to], ['drop', undefined])
    assert.deepEqual(tablesOf(trace), ['classify', 'guard'])
    assert.deepEqual([trace.steps[1]?.match, trace.steps[1]?.does], ['nothing', 'drop'])
    assert.match(trace.steps[1]?.because ?? '', /^a port sends only from its own MAC and addresses/)
    await one.namespace.ip('addr', 'del', `${spoofed}/24`, 'dev', 'eth0')
  })

  test('one to the gateway is answered by the switch', async () => {
    assert.equal(await pings(gateway), true)
    assert.deepEqual((await traced({ to: gateway })).to, ['back'])
  })

  test('of one to an address that nobody has only the question for its MAC is sent, and nobody hears it', async () => {
    assert.equal(await pings(nobody), false)
    const trace = await traced({ to: nobody })
    assert.equal(trace.packet, `ARP request: ${address['one']} asks for ${nobody}`)
    assert.equal(trace.verdict, 'drop')
  })

  test("somebody else's rule that takes a packet away is seen, as one that is not ours", async () => {
    const flow = 'table=20,priority=40000,icmp,actions=drop'
    await n1.carrier.ovs.ofctl('add-flow', 'mgz-int', flow)
    try {
      // What the switch has cached of the way it forgets in its own time.
      await until(async () => !(await pings(address['near']!)), 'the rule takes packets away')
      const trace = await traced({ to: address['near']! })
      assert.deepEqual([trace.verdict, trace.steps.at(-1)?.match], ['drop', 'a rule that is not of Megrez'])
    } finally {
      await n1.carrier.ovs.ofctl('del-flows', 'mgz-int', '--strict', 'table=20,priority=40000,icmp')
    }
    await until(() => pings(address['near']!), 'it passes again')
    assert.equal((await traced({ to: address['near']! })).verdict, 'output')
  })

  test('every packet that can be asked about is one that the switch reads, of both families', async () => {
    const mac = '02:00:00:00:00:01'
    for (const [from, to] of [
      ['10.0.0.2', '10.0.0.3'],
      ['fd00::2', 'fd00::abcd:ef01'],
    ] as const)
      for (const frame of [
        { kind: 'who-has', from, to } as const,
        ...(['icmp', 'tcp', 'udp'] as const).map((protocol) => ({ kind: 'packet', from, to, mac, protocol, l4Port: 53 }) as const),
      ]) {
        const { code, stdout, stderr } = await n1.carrier.ovs.appctl('ofproto/trace', 'mgz-int', traceFlow(1, mac, frame))
        assert.deepEqual([code, stderr], [0, ''], JSON.stringify(frame))
        assert.equal(readTrace(stdout, 'mgz-int', () => undefined).rules.at(0)?.where, '0 classify')
      }
    const trace = await traced({ to: 'fe80::1', from: 'fe80::2' })
    assert.deepEqual([trace.packet, trace.verdict], ['neighbour solicitation: fe80::2 asks for fe80::1', 'drop'])
  })

  test('a switch that hangs is told of, and the agent goes on', async () => {
    const goOn = n1.carrier.ovs.hang('ovs-vswitchd')
    try {
      await assert.rejects(traced({ to: address['near']! }), /not done within|aborted|time/i)
    } finally {
      goOn()
    }
    assert.equal((await traced({ to: address['near']! })).verdict, 'output')
  })
})
