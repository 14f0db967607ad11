// What policies let pass between pods on the real Open vSwitch, user space: packets of kernels, not of a model.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { CompiledRule } from '../../core/kinds/policy/policy-rule-set.ts'
import type { Tier } from '../../core/kinds/policy/tiers.ts'
import type { RuleSet, Segment } from '../../core/node/wanted.ts'
import { ruleId } from '../../core/pipeline/rule-owner.ts'
import { explainLive } from '../../agent/inquiries/explain.ts'
import { portPiece } from '../../core/pieces/port.ts'
import { ovsSkip } from '../setup/ovs.ts'
import { until } from '../setup/until.ts'
import { ask, converse, startServer, type Question } from './conversations.ts'
import { frameBetween, ipFrame, listen, pythonSkip, sendFrames, udpPayload } from './raw-frames.ts'
import { startTwoNodes, type Pod, type TwoNodes } from './two-nodes.ts'

const vni = 4_100
const attachment = { kind: 'vni', vni } as const
const subnets: Segment['subnets'] = [
  { cidr: '10.0.0.0/24', gateway: '10.0.0.1' },
  { cidr: 'fd00::/64', gateway: 'fd00::1' },
]
const id = { client: 11, server: 12, other: 13, far: 14 } as const

let sets = 0
const setOf = (tier: Tier, more: Partial<RuleSet>): RuleSet => ({
  namespace: 'net',
  vni,
  number: ++sets,
  tier,
  policy: { kind: 'NetworkPolicy', namespace: 'a', name: `policy-${sets}`, uid: `uid-${sets}` },
  priority: sets,
  subjects: [id.server],
  isolates: [],
  rules: [],
  ...more,
})
const ruleOf = (index: number, more: Partial<CompiledRule>): CompiledRule => ({
  index,
  source: `/spec/ingress/${index}`,
  direction: 'ingress',
  level: index,
  action: 'allow',
  ...more,
})
const from = (...identities: readonly number[]) => ({ peers: { identities: [...identities], blocks: [] } })
const tcp = (first: number, last = first) => ({ transport: [{ protocol: 6, first, last }] })
const udp = (l4Port: number) => ({ transport: [{ protocol: 17, first: l4Port, last: l4Port }] })
/** What a policy with these rules for what comes to the server makes of it. */
const only = (...rules: readonly Partial<CompiledRule>[]): RuleSet =>
  setOf('networkPolicy', { isolates: ['ingress'], rules: rules.map((rule, i) => ruleOf(i, rule)) })

describe('policies on Open vSwitch', { skip: ovsSkip || pythonSkip }, () => {
  let lab: TwoNodes
  let client: Pod, server: Pod, other: Pod, far: Pod
  const servers: { close(): Promise<void> }[] = []
  before(async () => {
    lab = await startTwoNodes()
    const [one, two] = lab.nodes
    client = await lab.addPod(one, { name: 'c', attachment, addresses: ['10.0.0.2', 'fd00::2'] })
    server = await lab.addPod(one, { name: 's', attachment, addresses: ['10.0.0.3', 'fd00::3'] })
    other = await lab.addPod(one, { name: 'o', attachment, addresses: ['10.0.0.4', 'fd00::4'] })
    far = await lab.addPod(two, { name: 'f', attachment, addresses: ['10.0.0.5', 'fd00::5'] })
    for (const pod of [server, client, far]) servers.push(await startServer(pod.namespace, [80, 81, 8_080]))
    await judge()
    // The first packet to a tunnel that nobody has used is lost.
    assert.equal(await far.pings('10.0.0.3'), true)
  })
  after(async () => {
    for (const each of servers) await each.close()
    await lab.close()
  })

  /** These rules, and nothing else; whoever is not named has its usual identity. */
  async function judge(
    ruleSets: readonly RuleSet[] = [],
    {
      identities = {},
      closed,
      flood = false,
    }: { identities?: Partial<Record<keyof typeof id, number>>; closed?: Pod; flood?: boolean } = {},
  ): Promise<void> {
    const of = new Map([
      [client, identities.client ?? id.client],
      [server, identities.server ?? id.server],
      [other, identities.other ?? id.other],
      [far, identities.far ?? id.far],
    ])
    await lab.converge(
      { [vni]: { subnets, flood } },
      {
        ruleSets,
        of(port) {
          const pod = [...of.keys()].find((each) => each.port === port)!
          const identity = of.get(pod)!
          return identity === 0 ? undefined : { identity, ruleSets: [], isClosed: pod === closed }
        },
      },
    )
    await lab.revalidated()
  }

  const asked = (pod: Pod, question: Partial<Question> = {}): Promise<string> =>
    ask(pod.namespace, { kind: 'tcp', to: '10.0.0.3', l4Port: 80, ...question })

  test('where there are none all passes, by TCP, UDP, ICMP and IPv6, from here and from another node', async () => {
    await judge()
    for (const pod of [client, far]) {
      assert.equal(await asked(pod), 'answered')
      assert.equal(await asked(pod, { kind: 'udp' }), 'answered')
      assert.equal(await asked(pod, { to: 'fd00::3' }), 'answered')
      assert.equal(await pod.pings('10.0.0.3'), true)
    }
  })

  test('let pass to an isolated pod what a rule allows, with its answers, and nothing else', async () => {
    await judge([only({ ...from(id.client, id.far), ...tcp(80) })])
    for (const pod of [client, far])
      for (const to of ['10.0.0.3', 'fd00::3']) {
        assert.equal(await asked(pod, { to }), 'answered', `${pod.port.of.name} → ${to}`)
        assert.equal(await asked(pod, { to, l4Port: 81 }), 'silent', 'another port')
        assert.equal(await asked(pod, { to, kind: 'udp' }), 'silent', 'another protocol')
        assert.equal(await pod.pings(to), false)
      }
    assert.equal(await asked(other), 'silent', 'another identity')
    // What it begins itself nobody forbids.
    assert.equal(await asked(server, { to: '10.0.0.2' }), 'answered')
    assert.equal(await asked(server, { to: '10.0.0.5' }), 'answered')
  })

  test('deny what goes out from whom they isolate, and answers pass', async () => {
    const egress = setOf('networkPolicy', {
      subjects: [id.client],
      isolates: ['egress'],
      rules: [ruleOf(0, { direction: 'egress', ...from(id.far), ...tcp(80, 100) })],
    })
    await judge([egress])
    assert.equal(await asked(client), 'silent')
    assert.equal(await asked(client, { to: '10.0.0.5', l4Port: 81 }), 'answered')
    assert.equal(await asked(client, { to: '10.0.0.5', l4Port: 8_080 }), 'silent')
    assert.equal(await asked(server, { to: '10.0.0.2' }), 'answered', 'an answer of the isolated pod')
  })

  test('that come to deny end an established connection at once in both directions, and it goes on where they allow it again', async () => {
    const allowing = [only({ ...from(id.client), ...tcp(9_000) })]
    await judge(allowing)
    const talk = await converse(client.namespace, { namespace: server.namespace, address: '10.0.0.3', l4Port: 9_000 })
    const grown = (than: { byServer: number; byClient: number }): Promise<unknown> =>
      until(() => Promise.resolve(talk.heard().byServer > than.byServer && talk.heard().byClient > than.byClient), 'both ends hear')
    try {
      await grown({ byServer: 10, byClient: 10 })
      for (const deny of [
        [only({ ...from(id.client), ...tcp(80) })],
        [...allowing, setOf('admin', { rules: [ruleOf(0, { action: 'deny', ...from(id.client) })] })],
        [
          ...allowing,
          setOf('admin', { subjects: [id.client], rules: [ruleOf(0, { direction: 'egress', action: 'deny', ...tcp(9_000) })] }),
        ],
      ]) {
        await judge(deny)
        // What was on its way has come by now.
        assert.equal(await client.pings('10.0.0.4'), true)
        const then = talk.heard()
        assert.equal(await client.pings('10.0.0.4'), true)
        assert.deepEqual(talk.heard(), then)
        await judge(allowing)
        await grown(then)
      }
    } finally {
      await talk.close()
    }
  })

  test('let pass the errors of what they let pass, and no others', async () => {
    const egress = setOf('networkPolicy', {
      subjects: [id.client],
      isolates: ['ingress', 'egress'],
      rules: [ruleOf(0, { direction: 'egress', ...udp(4_000) })],
    })
    await judge([egress])
    assert.equal(await asked(client, { kind: 'udp', l4Port: 4_000 }), 'refused', 'nobody listens there: ICMP says so')
    assert.equal(await asked(client, { kind: 'udp', l4Port: 4_000, to: 'fd00::3' }), 'refused')
    assert.equal(await asked(client, { kind: 'udp', l4Port: 4_001 }), 'silent')
  })

  test('judge all fragments of a datagram as its first one', async () => {
    await judge([only({ ...from(id.client), ...udp(80) })])
    for (const to of ['10.0.0.3', 'fd00::3']) {
      assert.equal(await asked(client, { kind: 'udp', to, bytes: 4_000 }), 'answered', to)
      assert.equal(await asked(client, { kind: 'udp', to, bytes: 4_000, l4Port: 81 }), 'silent', to)
      assert.equal(await asked(other, { kind: 'udp', to, bytes: 4_000 }), 'silent', to)
    }
    await judge([only({ ...from(id.client), transport: [{ protocol: 1, icmpType: 8 }] })])
    assert.equal(await client.pings('10.0.0.3', '-s', '4000'), true)
    assert.equal(await other.pings('10.0.0.3', '-s', '4000'), false)
  })

  test('judge SCTP by its ports', async () => {
    await judge([only({ ...from(id.client), transport: [{ protocol: 132, first: 3_868, last: 3_868 }] })])
    const ear = await listen(server.namespace, 'eth0')
    const init = (l4Port: number): string => frameBetween(client.port, server.port, 132, sctpInit(1_000 + l4Port, l4Port))
    try {
      await sendFrames(client.namespace, 'eth0', [init(3_869), init(3_868)])
      await until(() => Promise.resolve(ear.heard.includes(init(3_868))), 'what is allowed has come')
      assert.equal(ear.heard.includes(init(3_869)), false)
    } finally {
      await ear.close()
    }
  })

  test('do not judge ARP and neighbour discovery: a closed pod is found, and nothing else passes', async () => {
    await judge([], { closed: server })
    for (const pod of [client, server]) {
      await pod.namespace.ip('neigh', 'flush', 'all')
      const to = pod === client ? ['10.0.0.3', 'fd00::3'] : ['10.0.0.2', 'fd00::2']
      for (const address of to) assert.equal(await pod.pings(address), false)
      const neighbours = (await pod.namespace.ip('neigh')).stdout
      for (const address of to) assert.match(neighbours, new RegExp(`^${address} .*lladdr`, 'm'))
    }
    assert.equal(await asked(client), 'silent')
    assert.equal(await asked(server, { to: '10.0.0.2' }), 'silent')
    const isClosed = { ...server.port, policy: { identity: id.server, ruleSets: [], isClosed: true } }
    const [{ plane }] = lab.nodes
    const live = await explainLive(plane, plane.renderer.render(portPiece, isClosed), AbortSignal.timeout(10_000))
    const dropping = live.filter(({ does, because }) => does === 'drop' && because.startsWith('it is closed'))
    assert.deepEqual(
      dropping.map(({ where, packets = 0 }) => [where, packets > 0]),
      [
        ['20 policyOut', true],
        ['70 policyIn', true],
      ],
      'what it sends and what it is sent is counted',
    )
    await judge()
    assert.equal(await asked(client), 'answered')
  })

  test('let an isolated pod ask for an address by DHCP, and say nothing else', async () => {
    await judge([setOf('networkPolicy', { subjects: [id.client], isolates: ['ingress', 'egress'] })])
    const ear = await listen(server.namespace, 'eth0')
    const sent = (l4From: number, l4To: number): string => frameBetween(client.port, server.port, 17, udpPayload(l4From, l4To))
    const others = [sent(68, 66), sent(69, 67)]
    try {
      await sendFrames(client.namespace, 'eth0', [...others, sent(68, 67)])
      await until(() => Promise.resolve(ear.heard.includes(sent(68, 67))), 'the question has come')
      assert.deepEqual(
        others.filter((frame) => ear.heard.includes(frame)),
        [],
      )
    } finally {
      await ear.close()
    }
  })

  test('judge a pod by who it is now', async () => {
    const rules = [only({ ...from(id.client) })]
    await judge(rules)
    assert.deepEqual([await asked(client), await asked(other), await asked(far)], ['answered', 'silent', 'silent'])
    await judge(rules, { identities: { client: id.other, far: id.client } })
    assert.deepEqual([await asked(client), await asked(other), await asked(far)], ['silent', 'silent', 'answered'])
    await judge(rules, { identities: { server: id.other } })
    assert.deepEqual([await asked(client), await asked(far)], ['answered', 'answered'], 'it is no subject any more')
  })

  test('take nothing for an answer to what somebody else with the same number has begun', async () => {
    const isolating = only({ ...from(id.other) })
    const ears = [await listen(server.namespace, 'eth0'), await listen(client.namespace, 'eth0')] as const
    const datagram = (pod: Pod, to: Pod, ports: readonly [number, number]): string =>
      frameBetween(pod.port, to.port, 17, udpPayload(...ports))
    const [begins, answers, later] = [
      datagram(server, client, [4_000, 5_000]),
      datagram(client, server, [5_000, 4_000]),
      datagram(other, server, [5_000, 4_001]),
    ]
    try {
      await judge([isolating])
      await sendFrames(server.namespace, 'eth0', [begins])
      await until(() => Promise.resolve(ears[1].heard.includes(begins)), 'what it begins has come')
      await sendFrames(client.namespace, 'eth0', [answers])
      await until(() => Promise.resolve(ears[0].heard.includes(answers)), 'the answer has come')
      const before = ears[0].heard.length
      // Its zone goes out of use, and another port that is judged has it later.
      await judge([isolating], { identities: { server: 0 } })
      await judge([isolating])
      await sendFrames(client.namespace, 'eth0', [answers])
      await sendFrames(other.namespace, 'eth0', [later])
      await until(() => Promise.resolve(ears[0].heard.includes(later)), 'what is allowed has come')
      assert.equal(ears[0].heard.slice(before).includes(answers), false)
    } finally {
      for (const ear of ears) await ear.close()
    }
  })

  test('of two tiers both have their say: what the first denies no later one opens, and what it passes on the next one judges', async () => {
    const allowAll = only({})
    const deny = setOf('admin', { rules: [ruleOf(0, { action: 'deny', ...from(id.client), ...tcp(80) })] })
    await judge([allowAll, deny])
    assert.deepEqual([await asked(client), await asked(client, { l4Port: 81 })], ['silent', 'answered'])
    const passOn = { ...deny, rules: [ruleOf(0, { action: 'pass', ...from(id.client) }), ruleOf(1, { action: 'allow' })] }
    await judge([only(tcp(81)), passOn])
    assert.deepEqual([await asked(client), await asked(client, { l4Port: 81 }), await asked(other)], ['silent', 'answered', 'answered'])
  })

  test('are counted, each for what it has decided', async () => {
    const set = only({ ...from(id.client), ...tcp(80) })
    const rule = ruleOf(0, { action: 'deny', ...from(id.client), transport: [{ protocol: 1 }] })
    const denying = setOf('admin', { rules: [rule] })
    await judge([set, denying])
    const packetsOf = async (number: number, nth: number | undefined): Promise<number | undefined> => {
      const all = (await lab.nodes[0].plane.decisions?.(AbortSignal.timeout(20_000))) ?? []
      return all.find(
        ({ by, direction }) => by.set === number && by.rule === nth && direction === (nth === undefined ? 'ingress' : 'egress'),
      )?.packets
    }
    assert.equal(await packetsOf(denying.number, 0), 0)
    // Pods begin things of their own.
    const before = (await packetsOf(set.number, undefined)) ?? 0
    assert.equal(await client.pings('10.0.0.3'), false)
    assert.equal(await asked(other), 'silent')
    // The switch tells of what has passed a moment later.
    await until(async () => (await packetsOf(denying.number, 0)) === 3, 'three echo requests are denied by their rule', 10_000)
    await until(async () => ((await packetsOf(set.number, undefined)) ?? 0) > before, 'what no rule allows is counted for the set', 10_000)
  })

  test('in audit pass, and are counted', async () => {
    const rule = ruleOf(0, { action: 'deny', audit: true, ...from(id.client), ...tcp(80) })
    const set = setOf('unified', { rules: [rule] })
    await judge([set])
    assert.equal(await asked(client), 'answered')
    assert.equal(await asked(client, { l4Port: 81 }), 'answered')
    const flows = await lab.nodes[0].ovs.ofctl('dump-flows', 'mgz-int', 'table=16')
    const line = flows.split('\n').find((each) => each.includes(`conj_id=${ruleId(set.number, 0)}`)) ?? ''
    assert.match(line, /n_packets=[1-9]/)
  })

  test('think the worst of an address of the VNI that is not known', async () => {
    const deny = setOf('admin', { rules: [ruleOf(0, { action: 'deny', ...from(id.other) })] })
    await judge([deny])
    assert.equal(await asked(far), 'answered')
    await judge([deny], { identities: { far: 0 } })
    assert.equal(await asked(far), 'silent')
    assert.equal(await asked(client), 'answered')
  })

  test('by thousands that ask for one thing are all in force, the last of them as the first', async () => {
    const unified = (last: number): RuleSet[] =>
      Array.from({ length: 17 }, (_, n) =>
        setOf('unified', {
          priority: 0,
          rules: Array.from({ length: 256 }, (__, i) =>
            ruleOf(i, { level: 0, action: 'deny', ...tcp(80), ...from(n === 16 && i === 255 ? last : 1_000 + i) }),
          ),
        }),
      )
    await judge(unified(id.client))
    assert.deepEqual([await asked(client), await asked(client, { l4Port: 81 }), await asked(far)], ['silent', 'answered', 'answered'])
    await judge(unified(id.far))
    assert.deepEqual([await asked(client), await asked(far)], ['answered', 'silent'])
  })

  test('judge what is sent to all as what is sent to one', async () => {
    const deny = only({ ...from(id.other) })
    await judge([deny], { flood: true })
    const ear = await listen(server.namespace, 'eth0')
    const sent = (pod: Pod, address: string): string =>
      ipFrame({ source: pod.port.mac, destination: '01:00:5e:00:00:09', from: address, to: '10.0.0.3', proto: 17, data: udpPayload(9, 9) })
    try {
      await sendFrames(client.namespace, 'eth0', [sent(client, '10.0.0.2')])
      await sendFrames(other.namespace, 'eth0', [sent(other, '10.0.0.4')])
      await until(() => Promise.resolve(ear.heard.includes(sent(other, '10.0.0.4'))), 'what is allowed has come')
      assert.equal(ear.heard.includes(sent(client, '10.0.0.2')), false)
    } finally {
      await ear.close()
    }
  })
})

const word = (value: number): string => value.toString(16).padStart(4, '0')

/** An INIT chunk (RFC 9260 section 3.3.2) without its checksum, as long as other payloads. */
function sctpInit(source: number, destination: number): string {
  const chunk = `01000014${'00000001'}${'00010000'}${'0001'}${'0001'}${'00000001'}`
  return `${word(source)}${word(destination)}${'00000000'}${'00000000'}${chunk}`.slice(0, 44)
}
