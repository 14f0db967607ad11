// Service chains on the real Open vSwitch: client, functions that forward as any Linux does, and servers, on one node and on two.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { CompiledChain } from '../../core/kinds/policy/chain.ts'
import type { PortPolicy, Segment } from '../../core/node/wanted.ts'
import { unifiedSet } from '../laws/unified-set.ts'
import { ovsSkip } from '../setup/ovs.ts'
import { until } from '../setup/until.ts'
import { ask, startServer } from './conversations.ts'
import { ipFrame, listen, pythonSkip, sendFrames, type Ear } from './raw-frames.ts'
import { reach, startTwoNodes, type Pod, type TwoNodes } from './two-nodes.ts'

const vni = 4_102
const attachment = { kind: 'vni', vni } as const
const subnets: Segment['subnets'] = [{ cidr: '10.0.0.0/24' }, { cidr: 'fd00::/64' }]
const [clientIdentity, closedIdentity] = [31, 32]
/** As a packet has it. */
const icmp = '01'
type Draft = Partial<CompiledChain> & { readonly through: readonly (readonly Pod[] | 'pass' | 'drop')[] }

describe('service chains, on Open vSwitch', { skip: ovsSkip || pythonSkip }, () => {
  let lab: TwoNodes
  let client: Pod, near: Pod, far: Pod, one: Pod, two: Pod, three: Pod
  const ears = new Map<Pod, Ear>()
  const heardBefore = new Map<Ear, number>()
  const servers: { close(): Promise<void> }[] = []
  before(async () => {
    lab = await startTwoNodes()
    const [first, second] = lab.nodes
    const add = (node: (typeof lab.nodes)[number], name: string, last: number): Promise<Pod> =>
      lab.addPod(node, { name, attachment, addresses: [`10.0.0.${last}`, `fd00::${last}`] })
    client = await add(first, 'c', 2)
    near = await add(first, 'n', 4)
    far = await add(second, 'f', 3)
    one = await add(first, 'x', 11)
    two = await add(second, 'y', 12)
    three = await add(second, 'z', 13)
    for (const pod of [near, far]) servers.push(await startServer(pod.namespace, [80, 81]))
    for (const pod of [one, two, three]) {
      const forwards = ['net.ipv4.ip_forward=1', 'net.ipv4.conf.all.send_redirects=0', 'net.ipv4.conf.eth0.send_redirects=0']
      await pod.namespace.exec('sysctl', '-qw', ...forwards, 'net.ipv4.conf.all.rp_filter=0', 'net.ipv6.conf.all.forwarding=1')
    }
    for (const pod of [client, near, far, one, two, three]) ears.set(pod, await listen(pod.namespace, 'eth0', 500))
    await lab.converge({ [vni]: { subnets } })
    assert.equal(await client.pings('10.0.0.3'), true)
  })
  after(async () => {
    for (const each of [...servers, ...ears.values()]) await each.close()
    await lab.close()
  })

  /** From now on the client's packets go by these. */
  async function chain(...drafts: readonly Draft[]): Promise<void> {
    const chains = drafts.map(({ through, ...draft }, index): CompiledChain => ({
      index,
      name: `chain-${index}`,
      direction: 'egress',
      ...draft,
      functions: through.map((each, i) => ({
        name: `f${i}`,
        onFailure: each === 'pass' ? 'pass' : 'drop',
        instances:
          typeof each === 'string' ? [] : each.map(({ port: { uid, mac, addresses } }) => ({ port: uid, mac, addresses: [...addresses] })),
      })),
    }))
    const ends = [{ mac: client.port.mac, addresses: [...client.port.addresses] }]
    const closes = { number: 2, subjects: [closedIdentity], isolates: ['ingress', 'egress'] as ('ingress' | 'egress')[] }
    const policies = new Map<Pod['port'], PortPolicy>([
      [client.port, { identity: clientIdentity, ruleSets: [], isClosed: false }],
      // Its own policies let it talk to nobody: what is handed to it is not its own.
      [two.port, { identity: closedIdentity, ruleSets: [], isClosed: false }],
    ])
    await lab.converge(
      { [vni]: { subnets } },
      {
        ruleSets: [
          unifiedSet({ vni, subjects: [clientIdentity], rules: [], ...(chains.length > 0 && { chains: { ends, chains } }) }),
          unifiedSet({ vni, rules: [], tier: 'networkPolicy', ...closes }),
        ],
        of: (port) => policies.get(port),
      },
    )
    await lab.revalidated()
    for (const node of lab.nodes) assert.equal(await reach(node.plane, lab.wantedOf(node)), 0, 'the switch reads back what it was given')
    await hearFromNowOn()
  }

  /** What went by the chain before has been told of, late as it may be; where packets go on, nobody waits for their end. */
  async function hearFromNowOn(): Promise<void> {
    for (let round = 0; round < 5; round++) {
      const before = [...ears.values()].map(({ heard }) => heard.length)
      await new Promise((resolve) => setTimeout(resolve, 200))
      if ([...ears.values()].every(({ heard }, i) => heard.length === before[i])) break
    }
    for (const ear of ears.values()) heardBefore.set(ear, ear.heard.length)
  }

  const word = (address: string): string =>
    address
      .split('.')
      .map((part) => Number(part).toString(16).padStart(2, '0'))
      .join('')
  /** TTLs of IPv4 packets of two ends that came to a pod; of pings alone, where nothing is to be left of a connection before. */
  const ttls = (pod: Pod, from: Pod, to: Pod, isPing = false): readonly number[] =>
    ears
      .get(pod)!
      .heard.slice(heardBefore.get(ears.get(pod)!) ?? 0)
      .filter((frame) => frame.startsWith(pod.port.mac.replaceAll(':', '')) && frame.slice(24, 28) === '0800')
      .filter((frame) => frame.slice(52, 68) === word(from.port.addresses[0]!) + word(to.port.addresses[0]!))
      .filter((frame) => !isPing || frame.slice(46, 48) === icmp)
      .map((frame) => parseInt(frame.slice(44, 46), 16))
  const sees = (pod: Pod, from: Pod, to: Pod): Promise<unknown> =>
    until(() => Promise.resolve(ttls(pod, from, to).length > 0), `${pod.port.of.name} sees a packet`)
  const seesBoth = async (pod: Pod, server: Pod): Promise<void> => {
    await sees(pod, client, server)
    await sees(pod, server, client)
  }
  const answers = async ({ port }: Pod, kind: 'tcp' | 'udp', l4Port: number): Promise<boolean> =>
    (await ask(client.namespace, { kind, to: port.addresses[0]!, l4Port })) === 'answered'

  test('what a client says and is answered goes through a function, on one node and over another', async () => {
    for (const [fn, server] of [
      [one, near],
      [one, far],
      [two, near],
      [two, far],
    ] as const) {
      await chain({ through: [[fn]] })
      assert.equal(await client.pings(server.port.addresses[0]!), true, `${fn.port.of.name} to ${server.port.of.name}`)
      await seesBoth(fn, server)
      assert.equal(await answers(server, 'tcp', 80), true)
    }
    assert.equal(await client.pings('fd00::3'), true)
    // Its own policies still judge what is its own.
    assert.equal(await client.pings('10.0.0.12'), false)
    await chain({ through: [[one]] })
    assert.equal(await client.pings('10.0.0.11'), true)
  })

  test('two functions are gone through in their order, and answers the other way', async () => {
    await chain({ through: [[one], [two]] })
    assert.equal(await client.pings('10.0.0.3'), true)
    for (const pod of [one, two]) await seesBoth(pod, far)
    assert.deepEqual([Math.max(...ttls(one, client, far, true)), Math.max(...ttls(two, client, far, true))], [64, 63])
    assert.deepEqual([Math.max(...ttls(two, far, client, true)), Math.max(...ttls(one, far, client, true))], [64, 63])
    assert.equal(await answers(far, 'tcp', 80), true)
  })

  test('of connections to the subject the order is theirs', async () => {
    await chain({ direction: 'ingress', through: [[one], [two]] })
    assert.equal(await far.pings('10.0.0.2'), true)
    for (const pod of [one, two]) await seesBoth(pod, far)
    assert.deepEqual([Math.max(...ttls(one, far, client, true)), Math.max(...ttls(two, far, client, true))], [64, 63])
  })

  test('what is not of its classifier goes by no function, and of several chains the first that matches counts', async () => {
    await chain(
      { through: [[one]], blocks: ['10.0.0.3/32'], transport: [{ protocol: 6, first: 80 }] },
      { through: [[three]], blocks: ['10.0.0.0/24'], transport: [{ protocol: 6 }] },
    )
    assert.equal(await client.pings('10.0.0.3'), true)
    assert.equal(await answers(far, 'udp', 80), true)
    assert.deepEqual([one, three].flatMap((pod) => [ttls(pod, client, far), ttls(pod, far, client)]).flat(), [])
    assert.equal(await answers(far, 'tcp', 80), true)
    await seesBoth(one, far)
    assert.deepEqual(ttls(three, client, far), [])
    assert.equal(await answers(far, 'tcp', 81), true)
    await seesBoth(three, far)
    assert.equal(await answers(near, 'tcp', 80), true)
    await seesBoth(three, near)
  })

  test('a function that nobody carries out is left out, or nothing passes, as its chain says', async () => {
    await chain({ through: ['pass', [one]] })
    assert.equal(await client.pings('10.0.0.3'), true)
    await seesBoth(one, far)
    await chain({ through: ['pass'] })
    assert.equal(await client.pings('10.0.0.3'), true)
    await chain({ through: [[one], 'drop'] })
    assert.equal(await client.pings('10.0.0.3'), false)
  })

  test('of several instances both ways of a connection go through one', async () => {
    await chain({ through: [[one, three]] })
    for (const server of [near, far]) {
      assert.equal(await client.pings(server.port.addresses[0]!), true)
      const seen = [one, three].filter((pod) => ttls(pod, client, server).length > 0)
      assert.equal(seen.length, 1)
      await sees(seen[0]!, server, client)
      assert.deepEqual(
        [one, three].filter((pod) => ttls(pod, server, client).length > 0),
        seen,
      )
    }
  })

  test('a function sends for others only what its chain is about, and nobody else says that it is one', async () => {
    await chain({ through: [[one]], blocks: ['10.0.0.3/32'] })
    const forged = (from: Pod, to: Pod, more: Partial<Parameters<typeof ipFrame>[0]> = {}): string =>
      ipFrame({
        source: one.port.mac,
        destination: to.port.mac,
        from: from.port.addresses[0]!,
        to: to.port.addresses[0]!,
        ...more,
      })
    const came = (to: Pod, data: string): boolean => ears.get(to)!.heard.some((frame) => frame.includes(data))
    const [allowed, otherPeer, notSubject, marked] = ['a1', 'b2', 'c3', 'd4'].map((byte) => byte.repeat(22)) as [
      string,
      string,
      string,
      string,
    ]
    await sendFrames(one.namespace, 'eth0', [
      forged(client, near, { data: otherPeer }),
      forged(near, far, { data: notSubject }),
      forged(client, far, { data: allowed }),
    ])
    await until(() => Promise.resolve(came(far, allowed)), 'what the chain is about comes')
    assert.deepEqual([came(near, otherPeer), came(far, notSubject)], [false, false])
    // Said by a bystander, it is believed of nobody.
    await sendFrames(near.namespace, 'eth0', [forged(far, client, { source: '02:4d:65:67:72:67', data: marked })])
    await sendFrames(three.namespace, 'eth0', [forged(client, far, { source: one.port.mac, data: marked })])
    assert.equal(await client.pings('10.0.0.3'), true)
    assert.deepEqual([came(client, marked), came(far, marked)], [false, false])
  })

  test('a function comes before another, and another in its place, while packets go on', async (t) => {
    await chain({ through: [[one]] })
    assert.equal(await client.pings('10.0.0.3'), true)
    const pinging = client.namespace.exec('ping', '-q', '-i', '0.01', '-c', '600', '10.0.0.3')
    await chain({ through: [[three], [one]] })
    await chain({ through: [[two], [one]] })
    await chain({ through: [[two]] })
    const { stdout } = await pinging
    const [, sent, received] = /(\d+) packets transmitted, (\d+) received/.exec(stdout) ?? []
    const lost = Number(sent) - Number(received)
    t.diagnostic(`${lost} of ${sent} packets lost in three changes, one in 10 ms`)
    assert.ok(lost < Number(sent) / 10, stdout)
    await seesBoth(two, far)
  })
})
