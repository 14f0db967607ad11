// An agent whose uplink names an interface that is not there.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { noNamespaces } from '../../lab/namespaces.ts'
import { ovsCarrier, type OvsCarrier } from '../../lab/nodes/carriers.ts'
import { ovsMissing } from '../../lab/programs/ovs.ts'
import { until } from '../setup/until.ts'
import { startAgents, type Agents, type NodeWith } from './agents.ts'

const skip = (await noNamespaces()) ?? (await ovsMissing({ install: false, print: () => undefined })) ?? false

describe('an uplink whose interface is not there', { skip }, () => {
  let agents: Agents
  let node: NodeWith<OvsCarrier>
  before(async () => {
    agents = await startAgents()
    // Started: this is the first thing that is shown.
    node = await agents.node('n1', ovsCarrier, { MEGREZ_UPLINKS: '{"physnet1":"eth9"}' })
  })
  after(() => agents.close())

  const said = async (sentence: string): Promise<number> => (await node.log()).split(sentence).length - 1
  const missing = 'the interface of an uplink is not there'
  const there = 'the interface of an uplink is there'
  const number = async (): Promise<string> => (await node.carrier.ovs.vsctl('get', 'Interface', 'eth9', 'ofport')).trim()

  test('is told of, and pods are wired all the same', async () => {
    assert.equal(await said(missing), 1)
    const sandbox = await agents.pod(node, 'pod')
    await agents.add(node, sandbox)
    await agents.del(node, sandbox)
    assert.equal(await number(), '-1')
  })

  test('is an uplink as soon as the interface comes, and that is told too', async () => {
    await node.namespace.ip('link', 'add', 'eth9', 'type', 'veth', 'peer', 'name', 'peer9')
    await until(async () => (await number()) === '65001', 'the switch has it under its number', 30_000)
    await until(async () => (await said(there)) === 1, 'the agent tells', 30_000)
  })

  test('is told of by the next agent as well, which starts without it', async () => {
    await node.killAgent()
    await node.namespace.ip('link', 'del', 'eth9')
    await node.startAgent()
    assert.equal(await said(missing), 2)
    const sandbox = await agents.pod(node, 'later')
    await agents.add(node, sandbox)
    await agents.del(node, sandbox)
    await node.namespace.ip('link', 'add', 'eth9', 'type', 'veth', 'peer', 'name', 'peer9')
    await until(async () => (await number()) === '65001', 'the switch has it again', 30_000)
  })
})
