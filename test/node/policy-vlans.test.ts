// What policies let pass to and from a pod in a VLAN of a physical network, on the real Open vSwitch: from its own node and over the wire.
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import type { CompiledRule } from '../../core/kinds/policy/policy-rule-set.ts'
import type { RuleSet } from '../../core/node/wanted.ts'
import { unknown } from '../../core/kinds/policy/tiers.ts'
import { traceOf } from '../../core/policy/trace/trace.ts'
import { resource } from '../core/policy-things.ts'
import { seeded } from '../workers/test-cluster.ts'
import { vlanSegment } from '../../core/net/segment.ts'
import { physicalBridge } from '../../core/pipeline/ovsdb/switch.ts'
import { unifiedSet } from '../laws/unified-set.ts'
import { ovsSkip } from '../setup/ovs.ts'
import { until } from '../setup/until.ts'
import { ask, converse, startServer, type Question } from './conversations.ts'
import { arpFrame, ipFrame, listen, pythonSkip, sendFrames, udpPayload } from './raw-frames.ts'
import { startTwoNodes, type Pod, type TwoNodes } from './two-nodes.ts'

const physicalNetwork = 'physnet1'
const vlan = 100
const vni = vlanSegment(physicalNetwork, vlan)
const inVlan = (number: number) => ({ kind: 'vlan', physicalNetwork, mode: 'access', vlans: [number] }) as const
const inBoth = { kind: 'vlan', physicalNetwork, mode: 'selectivetrunk', vlans: [vlan, 200] } as const
const zones = [
  { vlan, number: 104 },
  { vlan: 200, number: 105 },
]
const id = { server: 21, near: 22, trunk: 23 } as const
const wayNumber = { server: 101, near: 102, trunk: 103 } as const

type Rule = Pick<CompiledRule, 'direction' | 'action'> & Partial<CompiledRule>
const rules = (all: readonly Rule[]): readonly CompiledRule[] =>
  all.map((rule, index) => ({ index, level: index, source: `/spec/rules/${index}`, ...rule }))
const blocks = (...all: string[]) => ({ peers: { identities: [], blocks: all } })
const identities = (...all: number[]) => ({ peers: { identities: all, blocks: [] } })
const tcp = (l4Port: number) => ({ transport: [{ protocol: 6, first: l4Port, last: l4Port }] })

describe('policies in a VLAN, on Open vSwitch', { skip: ovsSkip || pythonSkip }, () => {
  let lab: TwoNodes
  let server: Pod, near: Pod, far: Pod, elsewhere: Pod, trunk: Pod, other: Pod
  const servers: { close(): Promise<void> }[] = []
  before(async () => {
    lab = await startTwoNodes({ uplinks: true })
    const [one, two] = lab.nodes
    const open = { portSecurity: false }
    server = await lab.addPod(one, { name: 's', attachment: inVlan(vlan), addresses: ['10.0.0.2', 'fd00::2'], more: open })
    near = await lab.addPod(one, { name: 'n', attachment: inVlan(vlan), addresses: ['10.0.0.3', 'fd00::3'], more: open })
    far = await lab.addPod(two, { name: 'f', attachment: inVlan(vlan), addresses: ['10.0.0.4', 'fd00::4'], more: open })
    elsewhere = await lab.addPod(one, { name: 'e', attachment: inVlan(101), addresses: ['10.0.0.5'], more: open })
    trunk = await lab.addPod(one, { name: 't', attachment: inBoth, addresses: [], more: open })
    // Another one with the same address.
    other = await lab.addPod(two, { name: 'o', attachment: inVlan(200), addresses: ['10.0.0.4'], more: open })
    for (const pod of [server, near, far]) servers.push(await startServer(pod.namespace, [80, 81]))
    await judge(undefined)
    for (const pod of [near, far]) assert.equal(await pod.pings('10.0.0.2'), true)
  })
  after(async () => {
    for (const each of servers) await each.close()
    await lab.close()
  })

  interface Judging {
    readonly closed?: boolean
    readonly nearToo?: boolean
  }
  /** By this rule set, and nothing else; undefined: nobody is judged. */
  async function judge(set: Partial<RuleSet> | undefined, { closed = false, nearToo = false }: Judging = {}): Promise<void> {
    const ruleSet = unifiedSet({ vni, subjects: [id.server], rules: [], ...set })
    // As an agent has it: the number goes with being judged.
    Object.assign(server.port, { wayNumber: set === undefined ? undefined : wayNumber.server })
    Object.assign(near.port, { wayNumber: nearToo ? wayNumber.near : undefined })
    await lab.converge(
      {},
      {
        ruleSets: set === undefined ? [] : [ruleSet],
        of(port) {
          if (set === undefined) return undefined
          if (port === server.port) return { identity: id.server, ruleSets: [], isClosed: closed }
          return nearToo && port === near.port ? { identity: id.near, ruleSets: [], isClosed: false } : undefined
        },
      },
    )
    await lab.revalidated()
  }
  /** What a policy with these rules makes of all else. */
  const onlyIngress = (...all: readonly Rule[]): Partial<RuleSet> => ({
    tier: 'networkPolicy',
    isolates: ['ingress'],
    rules: [...rules(all)],
  })
  const onlyEgress = (...all: readonly Rule[]): Partial<RuleSet> => ({
    tier: 'networkPolicy',
    isolates: ['egress'],
    rules: [...rules(all)],
  })

  const asked = (pod: Pod, question: Partial<Question> = {}): Promise<string> =>
    ask(pod.namespace, { kind: 'tcp', to: '10.0.0.2', l4Port: 80, ...question })
  const from = (pod: Pod, address: string) =>
    ipFrame({ source: pod.port.mac, destination: 'ff:ff:ff:ff:ff:ff', from: pod.port.addresses[0]!, to: address })

  test('only a block and a port pass of what comes in, from the wire and from the same node, in both families', async () => {
    await judge(
      onlyIngress(
        { direction: 'ingress', action: 'allow', ...blocks('10.0.0.4/32', 'fd00::4/128'), ...tcp(80) },
        { direction: 'ingress', action: 'allow', ...blocks('10.0.0.3/32'), ...tcp(81) },
      ),
    )
    assert.equal(await asked(far), 'answered')
    assert.equal(await asked(far, { to: 'fd00::2' }), 'answered')
    assert.equal(await asked(far, { l4Port: 81 }), 'silent')
    assert.equal(await asked(far, { kind: 'udp' }), 'silent')
    assert.equal(await asked(near), 'silent')
    assert.equal(await asked(near, { l4Port: 81 }), 'answered')
    assert.equal(await asked(near, { to: 'fd00::2' }), 'silent')
    assert.equal(await asked(server, { to: '10.0.0.4' }), 'answered', 'what goes out is not isolated')
  })

  test('what it begins is answered, and nobody else begins anything with it', async () => {
    await judge({
      ...onlyEgress({ direction: 'egress', action: 'allow', ...blocks('10.0.0.4/32'), ...tcp(80) }),
      isolates: ['ingress', 'egress'],
    })
    assert.equal(await asked(server, { to: '10.0.0.4' }), 'answered')
    assert.equal(await asked(server, { to: '10.0.0.4', l4Port: 81 }), 'silent')
    assert.equal(await asked(server, { to: '10.0.0.3' }), 'silent')
    assert.equal(await asked(far), 'silent')
  })

  test('a rule that denies a block leaves everybody else, and ends what is established', async () => {
    await judge({})
    const talk = await converse(far.namespace, { namespace: server.namespace, address: '10.0.0.2', l4Port: 9_000 })
    try {
      await until(() => talk.heard().byServer > 0 && talk.heard().byClient > 0, 'both ends hear each other')
      await judge({ rules: [...rules([{ direction: 'ingress', action: 'deny', ...blocks('10.0.0.4/32') }])] })
      const then = talk.heard()
      assert.equal(await asked(far), 'silent')
      assert.equal(await asked(near), 'answered')
      assert.deepEqual(talk.heard(), then)
    } finally {
      await talk.close()
    }
  })

  test('a closed one is found by ARP, and nothing else reaches it or leaves it', async () => {
    await judge({}, { closed: true })
    await near.namespace.ip('neigh', 'flush', 'dev', 'eth0')
    assert.equal(await near.pings('10.0.0.2'), false)
    assert.equal(await asked(server, { to: '10.0.0.4' }), 'silent')
    assert.match((await near.namespace.exec('ip', 'neigh', 'show', '10.0.0.2')).stdout, new RegExp(server.port.mac))
  })

  test('what is sent to all, or to a group, is judged as what is sent to it alone', async () => {
    await judge(onlyIngress({ direction: 'ingress', action: 'allow', ...blocks('10.0.0.4/32') }))
    const ear = await listen(server.namespace, 'eth0')
    const group = (pod: Pod) =>
      ipFrame({ source: pod.port.mac, destination: '01:00:5e:00:00:12', from: pod.port.addresses[0]!, to: '224.0.0.18' })
    try {
      await sendFrames(near.namespace, 'eth0', [from(near, '10.0.0.255'), group(near)])
      await sendFrames(far.namespace, 'eth0', [from(far, '10.0.0.255'), group(far)])
      await until(() => ear.heard.filter((frame) => frame.includes('0a000004')).length >= 2, 'both of the allowed block arrive')
      assert.deepEqual(
        ear.heard.filter((frame) => frame.includes('0a0000030a0000ff') || frame.includes('0a000003e0000012')),
        [],
      )
    } finally {
      await ear.close()
    }
  })

  test('a MAC that is not its own reaches it once it has spoken with it, and is judged too', async () => {
    const virtual = '00:00:5e:00:01:07'
    await judge(onlyIngress({ direction: 'ingress', action: 'allow', ...blocks('10.0.0.4/32') }))
    const announced = ipFrame({ source: virtual, destination: 'ff:ff:ff:ff:ff:ff', from: '10.0.0.7', to: '10.0.0.255' })
    await sendFrames(server.namespace, 'eth0', [announced])
    const ear = await listen(server.namespace, 'eth0')
    const to = (pod: Pod) => ipFrame({ source: pod.port.mac, destination: virtual, from: pod.port.addresses[0]!, to: '10.0.0.7' })
    try {
      await sendFrames(near.namespace, 'eth0', [to(near)])
      await sendFrames(far.namespace, 'eth0', [to(far)])
      await until(() => ear.heard.some((frame) => frame.includes('0a0000040a000007')), 'that of the allowed block arrives')
      assert.deepEqual(
        ear.heard.filter((frame) => frame.includes('0a0000030a000007')),
        [],
      )
    } finally {
      await ear.close()
    }
  })

  test('nobody knows whose an address is: a rule that allows identities allows nobody, one that denies them denies all', async () => {
    await judge(onlyIngress({ direction: 'ingress', action: 'allow', ...identities(id.near) }), { nearToo: true })
    for (const pod of [near, far]) assert.equal(await asked(pod), 'silent')
    await judge({ rules: [...rules([{ direction: 'ingress', action: 'deny', ...identities(id.near) }])] }, { nearToo: true })
    for (const pod of [near, far]) assert.equal(await asked(pod), 'silent')
    await judge({}, { nearToo: true })
    for (const pod of [near, far]) assert.equal(await asked(pod), 'answered')
  })

  test('its VLAN stays its own, and frames with a tag do not leave it', async () => {
    await judge({})
    const ears = [await listen(far.namespace, 'eth0'), await listen(elsewhere.namespace, 'eth0')] as const
    try {
      const tagged = ipFrame({
        source: server.port.mac,
        destination: 'ff:ff:ff:ff:ff:ff',
        from: '10.0.0.2',
        to: '10.0.0.254',
        tag: 101,
      })
      await sendFrames(server.namespace, 'eth0', [tagged, from(server, '10.0.0.255')])
      await until(() => ears[0].heard.some((frame) => frame.includes('0a0000020a0000ff')), 'the one without a tag arrives')
      assert.deepEqual(
        ears.flatMap(({ heard }) => heard).filter((frame) => frame.includes('0a0000020a0000fe')),
        [],
      )
      assert.equal(await elsewhere.pings('10.0.0.2'), false)
    } finally {
      for (const ear of ears) await ear.close()
    }
  })

  describe('of a port in several', () => {
    async function judgeTrunk(set: Partial<RuleSet> | undefined, closed = false): Promise<void> {
      Object.assign(trunk.port, { wayNumber: set && wayNumber.trunk, zones: set && zones })
      const ruleSets = set === undefined ? [] : [unifiedSet({ vni, subjects: [id.trunk], rules: [], ...set })]
      const policy = { identity: id.trunk, ruleSets: [], isClosed: closed }
      await lab.converge({}, { ruleSets, of: (port) => (set !== undefined && port === trunk.port ? policy : undefined) })
      await lab.revalidated()
    }
    const datagram = (l4From: number, l4To: number) => ({ proto: 17, data: udpPayload(l4From, l4To) })
    const mac = '02:00:00:00:00:77'
    const toTrunk = (pod: Pod, from: number, to: number): string =>
      ipFrame({ source: pod.port.mac, destination: mac, from: '10.0.0.4', to: '10.0.0.9', ...datagram(from, to) })
    const ofTrunk = (tag: number, from: number, to: number): string =>
      ipFrame({ source: mac, destination: 'ff:ff:ff:ff:ff:ff', from: '10.0.0.9', to: '10.0.0.4', tag, ...datagram(from, to) })
    const tagged = (frame: string, tag: number): string => `${frame.slice(0, 24)}8100${tag.toString(16).padStart(4, '0')}${frame.slice(24)}`
    const inVlans = [vlan, 200]
    let nth = 1_000

    /** In which VLANs a datagram comes to it: who of both sends another one behind it that is not judged. */
    async function comes(from: number, to: number): Promise<readonly number[]> {
      const ear = await listen(trunk.namespace, 'eth0')
      const last = (pod: Pod, ip: string): string => arpFrame({ from: ip, mac: pod.port.mac, asks: '10.0.0.9' })
      try {
        const sent = [far, other].map((pod) => toTrunk(pod, from, to))
        for (const [i, pod] of [far, other].entries()) await sendFrames(pod.namespace, 'eth0', [sent[i]!, last(pod, '10.0.0.4')])
        const isHeard = (frame: string): boolean => ear.heard.some((each) => each.startsWith(frame))
        const ends = [far, other].map((pod, i) => tagged(last(pod, '10.0.0.4'), inVlans[i]!))
        await until(() => ends.every(isHeard), 'ARP of both is heard, with its tag')
        return inVlans.filter((tag, i) => isHeard(tagged(sent[i]!, tag)))
      } finally {
        await ear.close()
      }
    }
    /** In which VLANs what it sends arrives. */
    async function goes(from: number, to: number, tags: readonly number[] = inVlans): Promise<readonly number[]> {
      const ears = [await listen(far.namespace, 'eth0'), await listen(other.namespace, 'eth0')] as const
      const last = arpFrame({ from: '10.0.0.9', mac, asks: '10.0.0.4' })
      const plain = ofTrunk(vlan, from, to).replace('81000064', '')
      try {
        await sendFrames(trunk.namespace, 'eth0', [
          ...tags.map((tag) => ofTrunk(tag, from, to)),
          plain,
          ...inVlans.map((tag) => tagged(last, tag)),
        ])
        await until(() => ears.every(({ heard }) => heard.some((frame) => frame.startsWith(last))), 'its ARP is heard in both')
        return inVlans.filter((_, i) => ears[i]!.heard.some((frame) => frame.startsWith(plain)))
      } finally {
        for (const ear of ears) await ear.close()
      }
    }

    const isolating = ['ingress', 'egress'] as const
    function drawRule(random: () => number): Rule {
      const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)]!
      return {
        direction: pick(isolating),
        action: pick(['allow', 'deny']),
        ...(random() < 0.5 && blocks(pick(['10.0.0.4/32', '10.0.0.0/24', '192.0.2.0/24']))),
        ...(random() < 0.5 && { transport: [{ protocol: 17, first: pick([53, 54]) }] }),
        ...(random() < 0.6 && { frame: { vlan: pick(inVlans) } }),
      }
    }
    /** What a trace says of the datagrams that come to it, or go from it. */
    function traceIn(tag: number, isSent: boolean, set: RuleSet): boolean {
      const attachment = resource('L2ServiceAttachment', 'a/t', { l2Services: ['s'], connectionPoint: 'cp', vlanType: 'selectivetrunk' })
      const at = { pod: resource('Pod', 'a/t', { nodeName: 'one', containers: [] }), attachment, vlan: tag }
      const [near, far] = [
        { address: '', identity: id.trunk, interface: at },
        { address: '10.0.0.4', identity: unknown },
      ]
      const ends = isSent ? { from: near, to: far } : { from: far, to: near }
      return traceOf([set], { ...ends, transport: { protocol: 17, l4Port: 53 } }).isAllowed
    }

    before(async () => {
      await judgeTrunk(undefined)
      // The learning switches learn where it is.
      assert.deepEqual(await goes(nth, 53), inVlans)
    })

    test('a rule with a VLAN is for the frames of that, tags are kept, and what is of neither goes nowhere', async () => {
      const ingress: Rule = { direction: 'ingress', action: 'allow', families: [], frame: { vlan: 200 } }
      await judgeTrunk({ tier: 'networkPolicy', isolates: ['ingress'], rules: [...rules([ingress])] })
      assert.deepEqual(await comes(++nth, 53), [200])
      assert.deepEqual(await goes(++nth, 53), inVlans)
      assert.deepEqual(await goes(++nth, 53, [300]), [])
      await judgeTrunk({ rules: [...rules([{ direction: 'egress', action: 'deny', frame: { vlan: 200 } }])] })
      assert.deepEqual(await goes(++nth, 53), [vlan])
      assert.deepEqual(await comes(++nth, 53), inVlans)
    })

    test('an answer is one in the VLAN of what it answers alone, though both ends have the same addresses in another', async () => {
      await judgeTrunk({ tier: 'networkPolicy', isolates: ['ingress'], rules: [] })
      nth += 1
      assert.deepEqual(await goes(nth, 53, [vlan]), [vlan])
      assert.deepEqual(await comes(53, nth), [vlan])
      nth += 1
      assert.deepEqual(await goes(nth, 53, [200]), [200])
      assert.deepEqual(await comes(53, nth), [200])
    })

    test('what a trace says of each VLAN is what a packet then does, whatever the rules are', async (t) => {
      const random = seeded(randomInt(2 ** 40))
      const counted = { passed: 0, ended: 0 }
      for (let nthCase = 0; nthCase < 3; nthCase++) {
        const all = rules(Array.from({ length: 4 }, () => drawRule(random)))
        const drawn = { isolates: isolating.filter(() => random() < 0.6), rules: [...all] }
        await judgeTrunk(drawn)
        const set = unifiedSet({ vni, subjects: [id.trunk], ...drawn })
        const said = (isSent: boolean): readonly number[] => inVlans.filter((tag) => traceIn(tag, isSent, set))
        const found = [await comes(++nth, 53), await goes(++nth, 53)]
        assert.deepEqual(found, [said(false), said(true)], JSON.stringify(set))
        counted.passed += found.flat().length
        counted.ended += 4 - found.flat().length
      }
      t.diagnostic(JSON.stringify(counted))
    })

    test('a closed one lets nothing pass in any, and one that nobody judges any more all', async () => {
      await judgeTrunk({}, true)
      assert.deepEqual([await comes(++nth, 53), await goes(++nth, 53)], [[], []])
      await judgeTrunk(undefined)
      assert.deepEqual([await comes(++nth, 53), await goes(++nth, 53)], [inVlans, inVlans])
    })
  })

  test('when no policy is in force any more it is in its VLAN as before, and nothing of the way is left', async () => {
    await judge({}, { closed: true })
    await judge(undefined)
    assert.equal(await asked(near), 'answered')
    assert.equal(await asked(far), 'answered')
    const { ovs } = server.node
    const ports = (bridge: string): Promise<string> => ovs.vsctl('list-ports', bridge)
    await until(async () => !(await ports('mgz-int')).includes('mgi'), 'the end in the overlay is gone')
    assert.match(await ports(physicalBridge(physicalNetwork)), new RegExp(server.port.ifcName))
    assert.doesNotMatch(await ports(physicalBridge(physicalNetwork)), /mgo/)
  })
})
