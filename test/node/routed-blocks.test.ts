// A router in a pod, from the objects to packets: under agents that have nothing to do with BGP, on Linux and on Open vSwitch.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { pathOf } from '../../cli/demo/rest.ts'
import { makeNamespace, type Namespace } from '../../lab/namespaces.ts'
import { linuxCarrier, ovsCarrier } from '../../lab/nodes/carriers.ts'
import type { AgentNode, Sandbox } from '../../lab/nodes/node.ts'
import { reaches } from '../../lab/nodes/ping.ts'
import { ovsSkip } from '../setup/ovs.ts'
import { until } from '../setup/until.ts'
import { startAgents, type Agents } from './agents.ts'

interface Pod {
  readonly node: AgentNode
  readonly sandbox: Sandbox
  readonly address: string
}
interface Router extends Pod {
  readonly block: string
  /** A host behind it, which has no interface but that one. */
  readonly host: Namespace
  readonly hostAddress: string
}

describe('a router in a pod', { skip: ovsSkip }, () => {
  let agents: Agents
  let nodes: readonly AgentNode[]
  let routers: readonly Router[]
  let clients: readonly Pod[]
  const stops: (() => Promise<unknown>)[] = []
  before(async () => {
    agents = await startAgents()
    nodes = [await agents.node('l', linuxCarrier), await agents.node('o', ovsCarrier)]
    for (const { namespace } of nodes) await namespace.exec('sysctl', '-qw', 'net.ipv4.ip_forward=1')
    await allow([{ cidr: '10.9.0.0/16' }])
    routers = [await router(nodes[0]!, 1), await router(nodes[1]!, 2)]
    clients = [await pod(nodes[0]!, 'c-l'), await pod(nodes[1]!, 'c-o')]
  })
  after(async () => {
    await agents.close()
    for (const stop of stops) await stop()
  })

  const allow = async (allowedRoutedBlocks: readonly object[]): Promise<void> => {
    const answer = await agents.rest.call(
      'PATCH',
      pathOf('Subnet', 'a', 'all'),
      { spec: { allowedRoutedBlocks } },
      { 'content-type': 'application/merge-patch+json', 'if-match': '*' },
    )
    assert.equal(answer.status, 200, answer.body.detail)
  }
  async function pod(node: AgentNode, name: string, nic: object = {}): Promise<Pod> {
    const nics = JSON.stringify([{ name: 'eth0', subnet: 'all', defaultRoute: true, ...nic }])
    const sandbox = await agents.pod(node, name, { 'megrez.io/nics': nics })
    return { node, sandbox, address: await agents.add(node, sandbox) }
  }
  async function router(node: AgentNode, net: number): Promise<Router> {
    const block = `10.9.${net}.0/24`
    const made = await pod(node, `fw-${node.name}`, { routedBlocks: [block] })
    const host = await makeNamespace(`${agents.lab.id}-h${net}`)
    stops.push(() => host.remove())
    const inside = made.sandbox.namespace
    await inside.exec('sysctl', '-qw', 'net.ipv4.ip_forward=1')
    await inside.ip('link', 'add', 'inner', 'type', 'veth', 'peer', 'name', 'eth0', 'netns', host.name)
    await inside.ip('addr', 'add', `10.9.${net}.1/24`, 'dev', 'inner')
    await inside.ip('link', 'set', 'inner', 'up')
    await host.ip('addr', 'add', `10.9.${net}.5/24`, 'dev', 'eth0')
    await host.ip('link', 'set', 'eth0', 'up')
    await host.ip('route', 'add', 'default', 'via', `10.9.${net}.1`)
    return { ...made, block, host, hostAddress: `10.9.${net}.5` }
  }

  const once = { tries: 1 } as const

  test('is reached by what is behind it, and hosts behind two routers reach each other, on one node and between two', async () => {
    for (const { host, hostAddress } of routers)
      for (const client of clients) {
        await until(() => reaches(client.sandbox.namespace, hostAddress, once), `${client.node.name} reaches ${hostAddress}`)
        assert.ok(await reaches(host, client.address, once), `${hostAddress} reaches ${client.address}`)
      }
    const [one, two] = routers
    await until(() => reaches(one!.host, two!.hostAddress, once), 'by both routers')
    await nodes[0]!.killAgent()
    await nodes[0]!.startAgent()
    assert.ok(await reaches(clients[0]!.sandbox.namespace, two!.hostAddress, once), 'also while its agent begins again')
    assert.equal(await reaches(clients[0]!.sandbox.namespace, '10.9.3.5', once), false, 'what is behind nobody')
  })

  test('says nothing from a block that is not its own, and is led nothing once the owner of its Vpc takes that back', async () => {
    const [one, two] = routers
    await one!.host.ip('addr', 'add', '10.9.2.77/32', 'dev', 'eth0')
    const { code } = await one!.host.exec('ping', '-c', '1', '-W', '1', '-I', '10.9.2.77', clients[0]!.address)
    assert.notEqual(code, 0)
    await allow([{ cidr: '10.9.2.0/24' }])
    for (const client of clients)
      await until(async () => !(await reaches(client.sandbox.namespace, one!.hostAddress, once)), 'nobody reaches it')
    assert.equal(await reaches(one!.host, clients[0]!.address, once), false, 'nor does it send')
    assert.ok(await reaches(clients[0]!.sandbox.namespace, two!.hostAddress, once), 'the other one is as it was')
    await agents.del(two!.node, two!.sandbox)
    const gone = await agents.rest.call('DELETE', pathOf('Pod', 'a', `fw-${two!.node.name}`), undefined, { 'if-match': '*' })
    assert.ok(gone.status < 300, gone.body.detail)
    for (const { namespace } of nodes)
      await until(async () => !/1977/.test((await namespace.exec('ip', 'rule')).stdout), 'nothing of it is in the kernel')
  })
})
