// From objects to packets: pods of an l3 Subnet on three nodes, Linux and Open vSwitch, and a gateway of somebody else's.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { pathOf } from '../../cli/demo/rest.ts'
import type { Resource } from '../../core/kinds/index.ts'
import { bgpMissing } from '../../lab/programs/bgp.ts'
import type { OvsCarrier } from '../../lab/nodes/carriers.ts'
import type { Namespace } from '../../lab/namespaces.ts'
import { ovsSkip } from '../setup/ovs.ts'
import { until } from '../setup/until.ts'
import { answers, startFlow, startNamed, tally } from '../node/named-servers.ts'
import { dropInvalid } from '../node/l3-nodes.ts'
import { outside, startL3Nodes, type L3Nodes } from './nodes.ts'
import { makePooledVpcs, type PooledPod } from './pooled-vpcs.ts'
import { routedPods } from './routed-pods.ts'
import { serve, type ServedPod } from './served-pods.ts'

const skip = ovsSkip || ((await bgpMissing({ install: false, print: () => undefined })) ?? false)

/** Of the second pod, on Open vSwitch. */
const behind = { block: '10.9.1.0/24', host: '10.9.1.5' }

type From = readonly [namespace: Namespace, ...more: readonly string[]]
const reaches = async ([from, ...more]: From, to: string): Promise<boolean> =>
  (await from.exec('ping', '-c', '1', '-W', '1', ...more, to)).code === 0
/** Of so many, a twentieth of a second apart. */
const lost = async ([from, ...more]: From, to: string, count: number): Promise<number> => {
  const { stdout } = await from.exec('ping', ...more, '-q', '-i', '0.05', '-W', '1', '-c', String(count), to)
  return count - Number(/(\d+) received/.exec(stdout)?.[1] ?? 0)
}

describe('an l3 Subnet', { skip }, () => {
  let lab: L3Nodes
  const pods: ServedPod[] = []

  /** Behind the gateway: of its own address on the wire the pods have no route. */
  const host = (): From => [lab.gateway, '-I', outside]

  before(async () => {
    lab = await startL3Nodes()
    pods.push(...(await routedPods(lab, [behind.block])))
  })
  after(() => lab.close())

  const advertise = async (subnets: readonly string[]): Promise<void> => {
    const { rest } = lab.agents
    const { body, etag } = await rest.call('GET', pathOf('BGPSessionGroup', '', 'dc'))
    const group = body as unknown as Resource<'BGPSessionGroup'>
    const named = subnets.map((name) => ({ namespace: 'a', name, ...(name === 'pods' && { routedBlocks: ['10.9.0.0/16'] }) }))
    const changed = { ...group, spec: { ...group.spec, advertise: { subnets: named } } }
    const { status } = await rest.call('PUT', pathOf('BGPSessionGroup', '', 'dc'), changed, { 'if-match': etag ?? '' })
    assert.equal(status, 200)
  }

  test('pods reach each other across nodes without a tunnel, and the gateway and what is behind it; it reaches them', async () => {
    for (const { sandbox: from } of pods)
      for (const to of [...pods.map(({ address }) => address), outside])
        await until(() => reaches([from.namespace], to), `a pod reaches ${to}`)
    for (const { address } of pods) assert.ok(await reaches(host(), address), `the gateway reaches ${address}`)
    for (const { namespace } of lab.nodes) {
      const { stdout } = await namespace.exec('ip', 'route', 'show', 'table', 'main', 'proto', 'bird')
      assert.equal(stdout, '', 'main is not touched')
    }
  })

  test('what is behind a pod is announced by its node alone, and reached from the others and from outside; it sends from there', async () => {
    const [one, two, three] = pods
    const inside = two!.sandbox.namespace
    await inside.ip('addr', 'add', `${behind.host}/32`, 'dev', 'lo')
    for (const from of [[one!.sandbox.namespace], [three!.sandbox.namespace], host()] as const)
      await until(() => reaches(from, behind.host), `${from[0].name} reaches ${behind.host}`)
    for (const to of [one!.address, three!.address, outside]) assert.ok(await reaches([inside, '-I', behind.host], to), `it reaches ${to}`)
    const { stdout } = await lab.gateway.exec('ip', 'route', 'show', 'proto', 'bgp')
    assert.deepEqual(
      [...stdout.matchAll(/^(10\.\S+)/gm)].map(([, prefix]) => prefix).sort(),
      [...pods.map(({ address }) => address), behind.block].sort(),
      'and nothing that leads nowhere',
    )
    for (const from of [[one!.sandbox.namespace], host()] as const) assert.equal(await reaches(from, '10.9.2.5'), false, 'behind nobody')
  })

  test('the group says who speaks with whom, and each node its own sessions', async () => {
    const { rest } = lab.agents
    const group = async (): Promise<Resource<'BGPSessionGroup'>> =>
      (await rest.call('GET', pathOf('BGPSessionGroup', '', 'dc'))).body as unknown as Resource<'BGPSessionGroup'>
    await until(async () => (await group()).status?.established === 9, 'three sessions on each node are established')
    const { phase, nodes = [] } = (await group()).status!
    assert.equal(phase, 'ready')
    assert.deepEqual(nodes.map(({ node }) => node).sort(), ['n1', 'n2', 'n3'])
  })

  test('no packet is lost when an agent or a daemon is killed', async () => {
    const [one, , three] = pods
    const [node] = lab.nodes
    const count = 120
    const running = Promise.all([lost([one!.sandbox.namespace], three!.address, count), lost(host(), one!.address, count)])
    await node.killAgent()
    const { stdout } = await node.namespace.exec('cat', `${node.folder}/bird.pid`)
    process.kill(Number(stdout), 'SIGKILL')
    await node.startAgent()
    assert.deepEqual(await running, [0, 0])
    await until(() => reaches([one!.sandbox.namespace], outside), 'all goes on')
  })

  test('Open vSwitch that is killed carries what is routed again, by the routes that stayed', async (t) => {
    const [one, two] = pods
    const { namespace, carrier } = lab.nodes[1]
    const { ovs } = carrier as OvsCarrier
    const routesToPods = async (): Promise<readonly string[]> =>
      [...(await namespace.exec('ip', 'route', 'show', 'table', 'all', 'proto', 'bird')).stdout.matchAll(/^(10\.1\.\S+)/gm)]
        .map(([, to]) => to!)
        .sort()
    const before = await routesToPods()
    assert.equal(before.length, 2)
    const pinging = one!.sandbox.namespace.exec('timeout', '8', 'ping', '-D', '-i', '0.02', two!.address)
    await pause(1_000)
    const killed = Date.now()
    await ovs.restartSwitch()
    const restarted = Date.now()
    assert.deepEqual(await routesToPods(), before, "what the node's link has lost meanwhile is no reason to forget who is where")
    await until(() => reaches([one!.sandbox.namespace], two!.address), 'a pod on the node is reached')
    const answered = [...(await pinging).stdout.matchAll(/^\[(\d+\.\d+)\].* ttl=/gm)].map(([, seconds]) => Number(seconds) * 1_000)
    assert.ok(answered.some((at) => at < killed) && answered.some((at) => at > restarted))
    const back = answered.find((at) => at > killed + 100)!
    t.diagnostic(`${Math.round(back - restarted)} ms after it took changes in again, ${Math.round(back - killed)} after it was killed`)
  })

  test('one service address is served from three nodes, and from those that are left; who is outside is seen as who it is', async (t) => {
    const served = await serve(lab, pods, 'Local')
    try {
      const ask = (times: number, from = lab.gateway, source: string | undefined = outside): Promise<readonly string[]> =>
        answers(from, { kind: 'tcp', to: served.address, l4Port: 80, times, ...(source !== undefined && { source }) })
      await served.by('ready', 'ready', 'ready')
      await until(async () => (await served.ways()) === 3, 'the gateway has three ways')
      const all = await ask(60)
      assert.deepEqual(Object.keys(tally(all)).sort(), ['web-0', 'web-1', 'web-2'])
      assert.ok(
        all.every((each) => each.endsWith(` ${outside}`)),
        all[0],
      )
      const inside = pods.map(({ sandbox }) => sandbox.namespace)
      for (const [i, from] of inside.entries()) {
        const said = await answers(from, { kind: 'tcp', to: served.address, l4Port: 80, times: 4 })
        assert.deepEqual(tally(said), { [`web-${i}`]: 4 }, 'a pod is served by its own node')
      }
      const flows = await Promise.all(inside.slice(0, 2).map((from) => startFlow(from, served.address, 80)))
      try {
        await served.by('ready', 'ready', 'draining')
        await until(async () => (await served.ways()) === 2, 'the gateway prefers the other two')
        assert.match(await lab.gatewaySays(`show bgp ipv4 unicast ${served.address}/32`), /graceful-shutdown/)
        assert.deepEqual(Object.keys(tally(await ask(40))).sort(), ['web-0', 'web-1'])
        const began = performance.now()
        await served.by('ready', 'ready', undefined)
        const third = (): Promise<readonly string[]> => answers(inside[2]!, { kind: 'tcp', to: served.address, l4Port: 80, times: 2 })
        await until(
          async () => !(await third()).some((each) => !/^web-[01]/.test(each)),
          'a node without endpoints leads to those that have some',
        )
        t.diagnostic(`${Math.round(performance.now() - began)} ms until all answers are from others`)
        assert.doesNotMatch(await lab.gatewaySays(`show bgp ipv4 unicast ${served.address}/32`), /graceful-shutdown/)
        for (const [i, flow] of flows.entries())
          assert.deepEqual([...new Set(flow.printed().split('\n').filter(Boolean))], [`web-${i}`], 'its connection is where it was')
      } finally {
        for (const flow of flows) await flow.close()
      }
      await served.by(undefined, undefined, undefined)
      await until(async () => (await served.ways()) === 0, 'nobody announces it')
      assert.deepEqual(tally(await ask(1)), { silent: 1 })
    } finally {
      await served.close()
    }
  })

  test('Vpcs that are peered with it, an l2 and an l3 one, reach it on all nodes, and are reached; who takes its word back does not', async () => {
    const { agents, nodes } = lab
    const { rest } = agents
    const make = async (kind: 'Vpc' | 'Subnet' | 'VpcPeering', name: string, spec: object): Promise<void> => {
      const body = { apiVersion: 'megrez.io/v1alpha1', kind, metadata: { name }, spec }
      const answer = await rest.call('POST', pathOf(kind, 'a'), body)
      assert.equal(answer.status, 201, answer.body.detail)
    }
    const peered = async (name: string): Promise<Resource<'VpcPeering'>> =>
      (await rest.call('GET', pathOf('VpcPeering', 'a', name))).body as unknown as Resource<'VpcPeering'>
    for (const { namespace } of nodes) await dropInvalid(namespace)
    await make('Vpc', 'flat', {})
    await make('Vpc', 'far', { bgpSessionGroups: ['dc'] })
    await make('Subnet', 'flat', { vpc: 'flat', ipv4: { cidr: '10.3.0.0/24' } })
    await make('Subnet', 'far', { vpc: 'far', mode: 'l3', ipv4: { cidr: '10.4.0.0/24' } })
    for (const name of ['flat', 'far']) {
      await until(
        async () => (await rest.call('GET', pathOf('Subnet', 'a', name))).body.status?.phase === 'ready',
        `Subnet ${name} is ready`,
      )
      await make('VpcPeering', name, { vpc: name, peer: 'a/routed' })
      await make('VpcPeering', `to-${name}`, { vpc: 'routed', peer: `a/${name}` })
    }
    const why = async (name: string): Promise<string> => JSON.stringify((await peered(name)).status?.refused ?? [])
    await until(async () => (await why('to-far')).includes('no BGPSessionGroup advertises 10.4.0.0/24'), 'it is named')
    await advertise(['pods', 'far'])
    const guests: From[] = []
    for (const [i, vpc] of [
      [0, 'flat'],
      [1, 'flat'],
      [1, 'far'],
    ] as const) {
      const nics = { 'megrez.io/vpc': vpc, 'megrez.io/nics': JSON.stringify([{ name: 'eth0', subnet: vpc }]) }
      const sandbox = await agents.pod(nodes[i], `${vpc}-${i}`, nics)
      const address = await agents.add(nodes[i], sandbox)
      guests.push([sandbox.namespace])
      for (const pod of pods) {
        await until(() => reaches([sandbox.namespace], pod.address), `${vpc} on ${nodes[i].name} reaches ${pod.address}`)
        await until(() => reaches([pod.sandbox.namespace], address), `${pod.address} reaches ${vpc} on ${nodes[i].name}`)
      }
    }
    assert.equal(await reaches(guests[0]!, outside), false, 'the routes of a peer are not its own')
    const { status } = await rest.call('DELETE', pathOf('VpcPeering', 'a', 'to-flat'), undefined, { 'if-match': '*' })
    assert.ok(status < 300)
    for (const pod of pods) await until(async () => !(await reaches(guests[0]!, pod.address)), 'it is over')
    assert.ok(await reaches(guests[2]!, pods[0]!.address), 'the other one goes on')
    await advertise(['pods'])
    await until(async () => (await why('far')).includes('Subnet a/far'), 'it is out of the peering')
    await until(async () => !(await reaches([pods[0]!.sandbox.namespace], '10.4.0.2')), 'nobody leads there')
  })

  test('two Vpcs with the same addresses leave by addresses of a pool, one of each on each node, which come back to that node', async () => {
    const { gateway, agents } = lab
    const { pods: senders, sourceOf, takeBack } = await makePooledVpcs(lab)
    const server = await startNamed(gateway, 'world', [7070])
    try {
      const routes = async (): Promise<string> => (await gateway.exec('ip', 'route', 'show', 'proto', 'bgp')).stdout
      const isSeen = async (pod: PooledPod, source: string): Promise<void> => {
        const asked = { kind: 'tcp', to: outside, l4Port: 7070, times: 1 } as const
        await until(
          async () => (await answers(pod.namespace, asked))[0] === `world ${source}`,
          `${pod.vpc} of ${pod.node.name} is ${source}`,
        )
      }
      const told = async (pod: PooledPod, but?: string): Promise<string> => {
        const known = async (): Promise<boolean> => ![undefined, but].includes(await sourceOf(pod))
        await until(known, `${pod.vpc} has an address on ${pod.node.name}`)
        return (await sourceOf(pod))!
      }
      const sources = await Promise.all(senders.map((pod) => told(pod)))
      assert.equal(new Set(sources).size, 4)
      for (const [i, pod] of senders.entries()) {
        await until(
          async () => new RegExp(`^${sources[i]} .*via 192.168.50.${lab.nodes.indexOf(pod.node) + 1} `, 'm').test(await routes()),
          `a way to ${sources[i]}`,
        )
        await isSeen(pod, sources[i]!)
      }
      const ssh = await startNamed(lab.nodes[0].namespace, 'node', [7071])
      const asked = await answers(gateway, { kind: 'tcp', to: sources[0]!, l4Port: 7071, times: 1, source: outside })
      await ssh.close()
      assert.deepEqual(asked, ['refused'], 'what listens on all addresses of the node')

      const lostNode = lab.nodes[1]
      const lost = senders.flatMap((pod, i) => (pod.node === lostNode ? [{ pod, source: sources[i]! }] : []))
      await lostNode.killAgent()
      process.kill(Number((await lostNode.namespace.exec('cat', `${lostNode.folder}/bird.pid`)).stdout), 'SIGKILL')
      const gone = await agents.rest.call('DELETE', pathOf('Node', '', lostNode.name), undefined, { 'if-match': '*' })
      assert.ok(gone.status < 300, gone.body.detail)
      // The gateway keeps the way for as long as graceful restart says, which is less than an address rests.
      for (const { pod, source } of lost) await until(async () => (await sourceOf(pod)) === undefined, `${source} is given back`)
      for (const [i, pod] of senders.entries()) if (pod.node !== lostNode) await isSeen(pod, sources[i]!)
      await lostNode.startAgent()
      for (const { pod, source } of lost) await isSeen(pod, await told(pod, source))
      await takeBack()
      for (const pod of senders) {
        const asked = { kind: 'tcp', to: outside, l4Port: 7070, times: 1 } as const
        await until(async () => !(await answers(pod.namespace, asked))[0]!.startsWith('world'), `${pod.vpc} of ${pod.node.name} is silent`)
      }
      await until(async () => !/203\.0\.113\./.test(await routes()), 'nothing of the pool is announced')
    } finally {
      await server.close()
    }
  })

  test('with externalTrafficPolicy Cluster what comes to one node is answered by endpoints of all, and comes back by that node', async (t) => {
    const served = await serve(lab, pods, 'Cluster')
    try {
      const ask = (from: Namespace, times: number, source?: string): Promise<readonly string[]> =>
        answers(from, { kind: 'tcp', to: served.address, l4Port: 80, times, ...(source !== undefined && { source }) })
      const all = ['web-0', 'web-1', 'web-2']
      await served.by('ready', 'ready', 'ready')
      for (const [i, { sandbox }] of pods.entries()) {
        await until(async () => !(await ask(sandbox.namespace, 8)).includes('silent'), 'all nodes know the way back')
        const said = await ask(sandbox.namespace, 60)
        assert.deepEqual(Object.keys(tally(said)).sort(), all, `a pod of n${i + 1} is served by all`)
        const others = said.filter((each) => !each.startsWith(`web-${i} `)).map((each) => each.split(' ')[1])
        assert.deepEqual([...new Set(others)], [served.sources[i]], 'and seen elsewhere as from its node')
      }
      await until(async () => (await served.ways()) === 3, 'the gateway has three ways')
      await served.by('ready', 'ready', 'draining')
      await until(async () => (await served.ways()) === 2, 'the gateway prefers the other two')
      assert.deepEqual(Object.keys(tally(await ask(lab.gateway, 60, outside))).sort(), ['web-0', 'web-1'])
      const [, , third] = pods.map(({ sandbox }) => sandbox.namespace)
      assert.deepEqual(Object.keys(tally(await ask(third!, 40))).sort(), ['web-0', 'web-1'], 'whose own endpoint drains sends to others')
      await served.by('ready', undefined, 'ready')
      await until(async () => (await served.ways()) === 2, 'the node of a pod that is gone announces nothing')
      const said = await ask(lab.gateway, 60, outside)
      assert.deepEqual(Object.keys(tally(said)).sort(), ['web-0', 'web-2'])
      const seen = new Set(said.map((each) => each.split(' ')[1]!))
      assert.ok(
        [...seen].every((each) => [outside, served.sources[0], served.sources[2]].includes(each)),
        [...seen].join(),
      )
      assert.ok(seen.has(served.sources[0]!) && seen.has(served.sources[2]!), `each of both has sent on: ${[...seen].join()}`)
      t.diagnostic(JSON.stringify(tally(said)))
    } finally {
      await served.close()
    }
  })

  test('a pod that goes is announced no more; a Vpc that takes its word back is reached no more, and its packets go nowhere', async () => {
    const [one, two, three] = pods
    const { agents, nodes, gateway } = lab
    await agents.del(nodes[2], three!.sandbox)
    await agents.rest.call('DELETE', pathOf('Pod', 'a', 'web-2'))
    const routes = async (): Promise<string> => (await gateway.exec('ip', 'route', 'show', 'proto', 'bgp')).stdout
    const hasRoute = async (): Promise<boolean> => (await routes()).split(/\s/).includes(three!.address)
    await until(async () => !(await hasRoute()), 'its route has left the gateway').catch(async (err: unknown) => {
      throw new Error(`${three!.address} is among\n${await routes()}`, { cause: err })
    })
    const { body, etag } = await agents.rest.call('GET', pathOf('Vpc', 'a', 'routed'))
    const vpc = body as unknown as Resource<'Vpc'>
    const changed = { ...vpc, spec: { ...vpc.spec, bgpSessionGroups: [] } }
    const { status } = await agents.rest.call('PUT', pathOf('Vpc', 'a', 'routed'), changed, { 'if-match': etag ?? '' })
    assert.equal(status, 200)
    await until(async () => !/10\.1\.0\./.test(await routes()), 'none of its routes is at the gateway')
    await until(async () => !(await reaches([one!.sandbox.namespace], two!.address)), 'no packet goes on')
    for (const { namespace } of nodes)
      await until(async () => !/1977[78]|10\.1\.0\.0/.test((await namespace.exec('ip', 'rule')).stdout), 'nothing of it is in the kernel')
  })
})
