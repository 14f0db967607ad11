// Vpcs that send outside, from the objects to packets: under agents that have nothing to do with BGP, on Linux and on Open vSwitch.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { pathOf } from '../../cli/demo/rest.ts'
import { linuxCarrier, ovsCarrier } from '../../lab/nodes/carriers.ts'
import type { StatusOf } from '../../core/kinds/index.ts'
import { labPrefix, makeNamespace, type Namespace } from '../../lab/namespaces.ts'
import type { AgentNode, Sandbox } from '../../lab/nodes/node.ts'
import { reaches } from '../../lab/nodes/ping.ts'
import { ovsSkip } from '../setup/ovs.ts'
import { until } from '../setup/until.ts'
import type { Running } from './conversations.ts'
import { startAgents, type Agents } from './agents.ts'
import { answers, startFlow, startNamed } from './named-servers.ts'

const apiVersion = 'megrez.io/v1alpha1'
const [gateway, outside] = ['192.168.50.200', '198.51.100.9']
const l4Port = 7070
interface Pod {
  readonly sandbox: Sandbox
  readonly address: string
  readonly node: AgentNode
}

describe('Vpcs that send outside', { skip: ovsSkip }, () => {
  let agents: Agents
  let world: Namespace
  let server: Running
  /** On each node one of each of two Vpcs, with the same addresses. */
  let pods: Pod[]
  before(async () => {
    agents = await startAgents()
    world = await makeNamespace(`${labPrefix()}w`)
    await agents.underlay.joinPlain(world, gateway)
    await world.ip('link', 'set', 'lo', 'up')
    await world.ip('address', 'add', `${outside}/32`, 'dev', 'lo')
    // A server of all its addresses answers from the one that a route names.
    for (const n of [1, 2]) await world.ip('route', 'add', `192.168.50.${n}/32`, 'dev', 'phy0', 'src', outside)
    server = await startNamed(world, 'world', [l4Port])
    const nodes = [await agents.node('l', linuxCarrier), await agents.node('o', ovsCarrier)]
    for (const { namespace } of nodes) {
      await namespace.exec('sysctl', '-qw', 'net.ipv4.ip_forward=1')
      await namespace.ip('route', 'add', 'default', 'via', gateway)
    }
    for (const vpc of ['red', 'blue']) {
      await make('Vpc', vpc, { egressClass: 'internet' })
      await make('Subnet', vpc, { vpc, ipv4: { cidr: '10.1.0.0/24' } })
      await until(async () => (await statusOf('Subnet', vpc))?.phase === 'ready', `Subnet ${vpc} is ready`)
    }
    pods = []
    for (const [i, node] of nodes.entries()) for (const vpc of ['red', 'blue']) pods.push(await pod(node, vpc, `10.1.0.${10 + i}`))
  })
  after(async () => {
    await server.close()
    await agents.close()
    await world.remove()
  })

  const namespaceOf = (kind: string): string => (kind === 'EgressClass' ? '' : 'a')
  const make = async (kind: 'Vpc' | 'Subnet' | 'EgressClass', name: string, spec: object): Promise<void> => {
    const answer = await agents.rest.call('POST', pathOf(kind, namespaceOf(kind)), { apiVersion, kind, metadata: { name }, spec })
    assert.equal(answer.status, 201, answer.body.detail)
  }
  const statusOf = async (kind: 'Vpc' | 'Subnet' | 'EgressClass', name: string): Promise<StatusOf<'Vpc'> | undefined> =>
    (await agents.rest.call('GET', pathOf(kind, namespaceOf(kind), name))).body.status as StatusOf<'Vpc'> | undefined
  const pod = async (node: AgentNode, vpc: string, ip: string): Promise<Pod> => {
    const nics = JSON.stringify([{ name: 'eth0', subnet: vpc, ip }])
    const sandbox = await agents.pod(node, `${vpc}-${node.name}`, { 'megrez.io/vpc': vpc, 'megrez.io/nics': nics })
    return { sandbox, address: await agents.add(node, sandbox), node }
  }
  const pings = ({ sandbox }: Pod, to: string): Promise<boolean> => reaches(sandbox.namespace, to, { tries: 1 })

  const flowsOf = (all: readonly Pod[]): Promise<readonly Running[]> =>
    Promise.all(all.map(({ sandbox }) => startFlow(sandbox.namespace, outside, l4Port)))
  const isBroken = (flow: Running): boolean => /broken/.test(flow.printed())
  const lines = (flow: Running): number => flow.printed().split('\n').length
  const goOn = async (flows: readonly Running[]): Promise<void> => {
    const before = flows.map(lines)
    await until(() => flows.every((flow, i) => lines(flow) > before[i]! + 2), 'flows go on')
    assert.ok(!flows.some(isBroken))
  }
  /** Whom a server sees, asked by all at once. */
  const seenBy = async (kind: 'tcp' | 'udp'): Promise<readonly string[]> => {
    // The same port of the same address, where that can be.
    const ownL4Port = kind === 'udp' ? 4_444 : 0
    const asked = pods.map(({ sandbox }) => answers(sandbox.namespace, { kind, to: outside, l4Port, times: 3, ownL4Port }))
    return (await Promise.all(asked)).map((each) => [...new Set(each)].join())
  }

  test('reach the world once both have said so, which sees the node, and no node', async () => {
    assert.deepEqual(
      pods.map(({ address }) => address),
      ['10.1.0.10', '10.1.0.10', '10.1.0.11', '10.1.0.11'],
    )
    for (const each of pods) assert.equal(await pings(each, outside), false, 'one side is no consent')
    await make('EgressClass', 'internet', { vpcs: ['a/red', 'a/blue'], to: ['198.51.100.0/24', '192.168.50.0/24'] })
    for (const each of pods) await until(() => pings(each, outside), `${each.address} of ${each.node.name} reaches the world`)
    assert.deepEqual((await statusOf('Vpc', 'red'))?.egress?.nodes, [
      { node: 'l', addresses: ['192.168.50.1'] },
      { node: 'o', addresses: ['192.168.50.2'] },
    ])
    const seen = ['192.168.50.1', '192.168.50.1', '192.168.50.2', '192.168.50.2'].map((each) => `world ${each}`)
    for (const kind of ['tcp', 'udp'] as const) assert.deepEqual(await seenBy(kind), seen, kind)
    for (const each of pods) {
      assert.ok(await pings(each, gateway), 'what is beside the nodes')
      for (const node of ['192.168.50.1', '192.168.50.2']) assert.equal(await pings(each, node), false, `node ${node}`)
    }
  })

  test('go on while their agent is away, and end when the operator takes back its word', async () => {
    const flows = await flowsOf(pods)
    const nodes = [pods[0]!.node, pods[2]!.node]
    for (const node of nodes) await node.killAgent()
    await goOn(flows)
    for (const node of nodes) await node.startAgent()
    await goOn(flows)
    const ended = await agents.rest.call('DELETE', pathOf('EgressClass', '', 'internet'), undefined, { 'if-match': '*' })
    assert.ok(ended.status < 300, ended.body.detail)
    await until(() => flows.every(isBroken), 'flows end')
    for (const flow of flows) await flow.close()
    for (const { namespace } of nodes) {
      const kernel = async (): Promise<string> =>
        (await namespace.exec('ip', 'rule')).stdout + (await namespace.exec('nft', 'list', 'table', 'inet', 'megrez-egress')).stdout
      await until(async () => !/1977|"mggx\w+"/.test(await kernel()), 'nothing of it is in the kernel')
    }
    await until(async () => (await agents.rest.call('GET', pathOf('EgressClass', '', 'internet'))).status === 404, 'the class is gone')
  })
})
