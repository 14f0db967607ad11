// Vpcs that are peered, from the objects to packets: under agents that have nothing to do with BGP, on Linux and on Open vSwitch.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { pathOf } from '../../cli/demo/rest.ts'
import { linuxCarrier, ovsCarrier } from '../../lab/nodes/carriers.ts'
import type { AgentNode, Sandbox } from '../../lab/nodes/node.ts'
import { reaches } from '../../lab/nodes/ping.ts'
import { ovsSkip } from '../setup/ovs.ts'
import { until } from '../setup/until.ts'
import { startAgents, type Agents } from './agents.ts'
import { dropInvalid } from './l3-nodes.ts'

const apiVersion = 'megrez.io/v1alpha1'
interface Pod {
  readonly sandbox: Sandbox
  readonly address: string
}

describe('Vpcs that are peered', { skip: ovsSkip }, () => {
  let agents: Agents
  let nodes: readonly AgentNode[]
  /** On the first node, in both on either, and in one that nobody agreed to. */
  let red: Pod, blues: readonly Pod[], green: Pod
  before(async () => {
    agents = await startAgents()
    nodes = [await agents.node('l', linuxCarrier), await agents.node('o', ovsCarrier)]
    for (const { namespace } of nodes) {
      await namespace.exec('sysctl', '-qw', 'net.ipv4.ip_forward=1')
      await dropInvalid(namespace)
    }
    for (const [i, vpc] of ['red', 'blue', 'green'].entries()) {
      await make('Vpc', vpc, {})
      await make('Subnet', vpc, { vpc, ipv4: { cidr: `10.${i + 1}.0.0/24` } })
      await until(async () => (await phaseOf('Subnet', vpc)) === 'ready', `Subnet ${vpc} is ready`)
    }
    red = await pod(nodes[0]!, 'red')
    blues = [await pod(nodes[0]!, 'blue'), await pod(nodes[1]!, 'blue')]
    green = await pod(nodes[1]!, 'green')
  })
  after(() => agents.close())

  const make = async (kind: 'Vpc' | 'Subnet' | 'VpcPeering', name: string, spec: object): Promise<void> => {
    const answer = await agents.rest.call('POST', pathOf(kind, 'a'), { apiVersion, kind, metadata: { name }, spec })
    assert.equal(answer.status, 201, answer.body.detail)
  }
  const phaseOf = async (kind: 'Subnet' | 'VpcPeering', name: string): Promise<unknown> =>
    (await agents.rest.call('GET', pathOf(kind, 'a', name))).body.status?.phase
  const pod = async (node: AgentNode, vpc: string): Promise<Pod> => {
    const nics = JSON.stringify([{ name: 'eth0', subnet: vpc }])
    const sandbox = await agents.pod(node, `${vpc}-${node.name}`, { 'megrez.io/vpc': vpc, 'megrez.io/nics': nics })
    return { sandbox, address: await agents.add(node, sandbox) }
  }
  const answers = (from: Pod, to: Pod): Promise<boolean> => reaches(from.sandbox.namespace, to.address, { tries: 1 })

  test('reach each other once both have said so, and nobody else; and not any more when one takes that back', async () => {
    await make('VpcPeering', 'red-blue', { vpc: 'red', peer: 'a/blue' })
    await make('VpcPeering', 'green-red', { vpc: 'green', peer: 'a/red' })
    await until(async () => (await phaseOf('VpcPeering', 'red-blue')) === 'pending', 'one side is no consent')
    for (const blue of blues) assert.equal(await answers(red, blue), false)
    await make('VpcPeering', 'blue-red', { vpc: 'blue', peer: 'a/red' })
    for (const blue of blues) {
      await until(() => answers(red, blue), `red reaches ${blue.address}`)
      await until(() => answers(blue, red), `${blue.address} reaches red`)
    }
    assert.equal(await answers(green, red), false)
    await nodes[0]!.killAgent()
    await nodes[0]!.startAgent()
    for (const blue of blues) assert.ok(await answers(red, blue), 'also while its agent begins again')
    const ended = await agents.rest.call('DELETE', pathOf('VpcPeering', 'a', 'blue-red'), undefined, { 'if-match': '*' })
    assert.ok(ended.status < 300, ended.body.detail)
    for (const blue of blues) await until(async () => !(await answers(red, blue)) && !(await answers(blue, red)), 'it is over')
    for (const { namespace } of nodes)
      await until(async () => !/1977/.test((await namespace.exec('ip', 'rule')).stdout), 'nothing of it is in the kernel')
  })
})
