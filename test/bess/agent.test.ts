// Agents as processes of their own, one on the real bessd and one on a real Open vSwitch, called by the real shim.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { ourName } from '../../agent/dataplanes/bess/names.ts'
import { daemonOn } from '../../agent/dataplanes/bess/daemon.ts'
import { pathOf } from '../../cli/demo/rest.ts'
import { bessCarrier, ovsCarrier, type BessCarrier, type OvsCarrier } from '../../lab/nodes/carriers.ts'
import type { AgentNode, Sandbox } from '../../lab/nodes/node.ts'
import { reaches } from '../../lab/nodes/ping.ts'
import type { Resource } from '../../core/kinds/index.ts'
import { openChannel } from '../../platform/grpc/channel.ts'
import { outputOf } from '../cli/command-output.ts'
import { accessVlans } from '../node/access-vlans.ts'
import { everybody, groupFrame, heardBy, makeNetwork, vrrpGroup, type NetworkPod } from '../node/broadcast-network.ts'
import { ourLinks, startAgents, type Agents, type NodeWith } from '../node/agents.ts'
import { held } from '../setup/held.ts'
import { until } from '../setup/until.ts'
import { bessd, bessSkip } from './test-nodes.ts'

/** What a pod has in the graph, by the number of its port. */
const ofPods = /^(?:in|out|meta|guard)\.\d+$/

describe('an agent on bessd beside one on Open vSwitch', { skip: bessSkip }, () => {
  let agents: Agents
  let bess: NodeWith<BessCarrier>
  let ovs: NodeWith<OvsCarrier>

  before(async () => {
    agents = await startAgents()
    bess = await agents.node('nb', async (place) => {
      const carrier = await bessCarrier(bessd!)(place)
      await carrier.namespace.ip('link', 'add', 'up0', 'up', 'type', 'veth', 'peer', 'name', 'wire0')
      return { ...carrier, settings: { ...carrier.settings, MEGREZ_UPLINKS: '{"physnet1":"up0"}' } }
    })
    ovs = await agents.node('no', ovsCarrier)
  })
  after(() => agents.close())

  /** Modules and ports of pods that the daemon has. */
  async function inGraph(): Promise<string[]> {
    const channel = openChannel({ target: bess.carrier.bessd.target, reconnectMs: 200 })
    try {
      await channel.ready(5_000)
      const daemon = daemonOn(channel, AbortSignal.timeout(5_000))
      const names = [...(await daemon.modules()), ...(await daemon.ports())].map(({ name }) => ourName(name)?.role ?? '')
      return names.filter((role) => ofPods.test(role))
    } finally {
      channel.close()
    }
  }
  const answers = (from: Sandbox, address: string, withinMs = 20_000): Promise<void> =>
    until(() => reaches(from.namespace, address, { tries: 1 }), `${address} answers`, withinMs)

  /** What `megrez explain --live` says on the node. */
  async function explained(node: AgentNode, { pod }: Sandbox, plane: string): Promise<void> {
    const ports = ((await agents.rest.call('GET', pathOf('Port', 'a'))).body.items ?? []) as unknown as readonly Resource<'Port'>[]
    const { name } = ports.find(({ spec }) => spec.podUID === pod.uid)!.metadata
    const whole = new RegExp(`\\nOn ${node.name}, with ${plane}, (\\d+) of \\1 are there:\\n`)
    // Open vSwitch adds up what its cache has passed a moment later.
    await until(
      async () => {
        const { out } = await outputOf(
          ['explain', `port/${name}`, '-n', 'a', '--live', '--socket', join(agents.lab.folder, node.name, 'cni.sock')],
          {},
        )
        return whole.test(out) && /\n {4}there, [1-9]\d* packets?\n/.test(out)
      },
      `all of ${name} is there on ${node.name}, and has counted packets`,
      10_000,
    )
  }

  test('pods reach each other on the node and over VXLAN, also after the daemon and the agent were killed, and DEL leaves nothing', async (t) => {
    const [one, two, far] = [await agents.pod(bess, 'one'), await agents.pod(bess, 'two'), await agents.pod(ovs, 'far')]
    const [first, second, third] = [await agents.add(bess, one), await agents.add(bess, two), await agents.add(ovs, far)]
    await answers(one, second)
    await answers(one, third)
    await answers(far, first)
    assert.equal((await bess.cni('CHECK', one)).code, 0)
    for (const [node, sandbox, plane] of [
      [bess, one, 'BESS'],
      [ovs, far, 'Open vSwitch'],
    ] as const)
      await explained(node, sandbox, plane)

    const killed = performance.now()
    await bess.carrier.bessd.restart()
    await answers(far, first)
    t.diagnostic(`${Math.round(performance.now() - killed)} ms from kill -9 of bessd to an answer over VXLAN`)
    await answers(one, second)

    await bess.killAgent()
    await answers(far, second)
    // A daemon that ends while its agent is away too is filled from what the agent remembers.
    await bess.carrier.bessd.restart()
    assert.deepEqual(await inGraph(), [])
    await bess.startAgent()
    await answers(one, third)
    await answers(far, second)

    for (const [node, sandbox] of [
      [bess, one],
      [bess, two],
      [ovs, far],
    ] as const)
      await agents.del(node, sandbox)
    await until(async () => (await inGraph()).length + (await ourLinks(bess)).length === 0, 'nothing of a pod is left in bessd and kernel')
  })

  test('bessd that hangs is named by STATUS, and what was asked for meanwhile is served once it goes on', async (t) => {
    const pod = await agents.pod(bess, 'hung')
    const { pid } = bess.carrier.bessd
    process.kill(pid, 'SIGSTOP')
    t.after(() => process.kill(pid, 'SIGCONT'))
    const added = agents.add(bess, pod)
    added.catch(() => undefined)
    const isNamed = async (): Promise<boolean> => /bessd\.sock does not answer/.test((await bess.cni('STATUS', pod)).said.msg ?? '')
    await until(isNamed, 'STATUS names it', 30_000)
    await held()
    assert.ok(await isNamed())
    process.kill(pid, 'SIGCONT')
    // Where it has taken longer than a call may, the runtime asks again.
    await added.catch(() => agents.add(bess, pod))
    await until(async () => !(await isNamed()), 'STATUS names it no more', 30_000)
    await agents.del(bess, pod)
    await until(async () => (await inGraph()).length === 0, 'nothing of it is left in bessd')
  })

  test('our own plugin makes interfaces in VLANs of a physical network: those of one VLAN reach each other, and DEL leaves nothing', async () => {
    const confs = await accessVlans(agents, ['nb'], 100, 101)
    const made: (readonly [Sandbox, object])[] = []
    for (const [i, vlan] of [100, 100, 101].entries()) {
      const pod = await agents.pod(bess, `vlan-${i}`, { 'megrez.io/nics': '[]' })
      const conf = confs.get(vlan)!
      const { code, said: answer } = await bess.cni('ADD', pod, conf, 'net1')
      assert.equal(code, 0, answer.msg)
      await pod.namespace.ip('addr', 'add', `10.9.0.${i + 1}/24`, 'dev', 'net1')
      made.push([pod, conf])
    }
    const [one, , other] = made.map(([pod]) => pod)
    await answers(one!, '10.9.0.2')
    assert.equal(await reaches(other!.namespace, '10.9.0.2', { tries: 2 }), false, 'another VLAN')
    for (const [pod, conf] of made) assert.equal((await bess.cni('DEL', pod, conf, 'net1')).code, 0)
    await until(async () => (await inGraph()).length === 0, 'nothing of them is left in bessd')
  })

  test('what bessd cannot do for a pod is said on its Port', async () => {
    const { rest } = agents
    const metadata = { name: 'six' }
    assert.equal(
      (
        await rest.call('POST', pathOf('Subnet', 'a'), {
          apiVersion: 'megrez.io/v1alpha1',
          kind: 'Subnet',
          metadata,
          spec: { vpc: 'net', ipv6: { cidr: '2001:db8::/64' } },
        })
      ).status,
      201,
    )
    await until(
      async () => (await rest.call('GET', pathOf('Subnet', 'a', 'six'))).body.status?.phase === 'ready',
      'the Subnet is validated',
    )
    const pod = await agents.pod(bess, 'six', { 'megrez.io/nics': '[{"name":"eth0","subnet":"six"}]' })
    await agents.add(bess, pod)
    const told = async (): Promise<readonly string[]> => {
      const ports = ((await rest.call('GET', pathOf('Port', 'a'))).body.items ?? []) as unknown as readonly Resource<'Port'>[]
      return ports
        .filter(({ spec }) => spec.podUID === pod.pod.uid)
        .flatMap(({ status }) => (status?.node?.conditions ?? []).map(({ reason, message }) => `${reason}: ${message}`))
    }
    await until(async () => (await told()).some((line) => line.startsWith('NotByBess: neighbour-discovery: ')), 'the Port says it')
    await agents.del(bess, pod)
  })

  test('in a Vpc that is a VLAN pods reach each other, by their own addresses alone, and one that a policy judges is closed and told', async () => {
    const make = async (kind: 'Vpc' | 'Subnet' | 'UnifiedNetworkPolicy', namespace: string, name: string, spec: object): Promise<void> => {
      const item = { apiVersion: 'megrez.io/v1alpha1', kind, metadata: { name }, spec }
      const answer = await agents.rest.call('POST', pathOf(kind, namespace), item)
      assert.equal(answer.status, 201, answer.body.detail)
    }
    await make('Vpc', 'b', 'tagged', { sharedWith: ['a'], vlan: { physicalNetwork: 'physnet1', id: 300 } })
    await make('Subnet', 'b', 't', { vpc: 'tagged', ipv4: { cidr: '10.7.0.0/24' } })
    const isThere = async (): Promise<boolean> => (await agents.rest.call('GET', pathOf('Subnet', 'b', 't'))).body.status?.phase === 'ready'
    await until(isThere, 'its Subnet is there')
    const annotations = { 'megrez.io/vpc': 'b/tagged', 'megrez.io/nics': '[{"name":"eth0","subnet":"t"}]' }
    const [one, two] = [await agents.pod(bess, 'v-one', annotations), await agents.pod(bess, 'v-two', annotations)]
    const [first, second] = [await agents.add(bess, one), await agents.add(bess, two)]
    await answers(one, second)
    await one.namespace.ip('addr', 'add', '10.7.0.200/24', 'dev', 'eth0')
    await one.namespace.ip('route', 'replace', '10.7.0.0/24', 'dev', 'eth0', 'src', '10.7.0.200')
    assert.equal(await reaches(one.namespace, second, { tries: 2 }), false, 'from an address that is not its own')
    await one.namespace.ip('route', 'replace', '10.7.0.0/24', 'dev', 'eth0', 'src', first)
    await answers(one, second)
    await make('UnifiedNetworkPolicy', 'a', 'door', { podSelector: {} })
    const ports = async (): Promise<string> => JSON.stringify((await agents.rest.call('GET', pathOf('Port', 'a'))).body.items)
    await until(async () => /Unsupported.{0,400}a\/door[^"]*the Port is closed/.test(await ports()), 'its Port says that it is closed')
    // Its node says so as soon as it is wanted.
    await until(async () => !(await reaches(one.namespace, second, { tries: 1 })), 'it is closed')
    await agents.rest.remove(pathOf('UnifiedNetworkPolicy', 'a', 'door'))
    await answers(one, second)
    for (const each of [one, two]) await agents.del(bess, each)
  })

  test('in a Vpc that carries broadcast IPv6 reaches pods on the node and on another, and VRRP all of them; without it nobody', async () => {
    const net = await makeNetwork(agents, 'fabric')
    const [one, two] = [await net.pod(bess, 'b-one'), await net.pod(bess, 'b-two', { portSecurity: false })]
    const far = await net.pod(ovs, 'b-far')
    const sixOf = async ({ sandbox: { namespace } }: NetworkPod): Promise<string> =>
      /inet6 (2001:db8:1:[0-9a-f:]+)/.exec((await namespace.exec('ip', '-6', 'addr', 'show', 'dev', 'eth0')).stdout)![1]!
    const [near6, far6] = [await sixOf(two), await sixOf(far)]
    assert.equal(await reaches(one.sandbox.namespace, near6, { tries: 1 }), false)
    assert.deepEqual(await heardBy(one, groupFrame(one, vrrpGroup), [two, far], 400), [false, false])
    await net.broadcast(true)
    await answers(one.sandbox, near6)
    await answers(one.sandbox, far6)
    await answers(far.sandbox, near6)
    assert.deepEqual(await heardBy(one, groupFrame(one, vrrpGroup), [two, far]), [true, true])
    assert.deepEqual(await heardBy(far, groupFrame(far, vrrpGroup), [one, two]), [true, true])
    assert.deepEqual(await heardBy(far, groupFrame(far, '06:aa:00:00:00:01'), [one, two], 600), [false, true])
    await net.broadcast(false)
    await until(async () => !(await heardBy(one, groupFrame(one, everybody), [two, far], 300)).some(Boolean), 'nothing floods any more')
    for (const { sandbox } of [one, two]) await agents.del(bess, sandbox)
    await agents.del(ovs, far.sandbox)
  })

  test("a source that is not the pod's own does not get out", async () => {
    const [one, far] = [await agents.pod(bess, 'honest'), await agents.pod(ovs, 'target')]
    const own = await agents.add(bess, one)
    const address = await agents.add(ovs, far)
    await answers(one, address)
    const notOurs = ['10.0.0.222', '10.0.0.223', '10.0.0.224'].find((each) => ![own, address].includes(each))!
    await one.namespace.ip('addr', 'add', `${notOurs}/32`, 'dev', 'eth0')
    assert.equal((await one.namespace.exec('ping', '-c', '3', '-i', '0.2', '-W', '1', '-I', notOurs, address)).code, 1)
    await agents.del(bess, one)
    await agents.del(ovs, far)
  })
})
