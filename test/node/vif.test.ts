// Pods of a cloud on a real Open vSwitch: their interfaces are on the cloud's own bridge, by the ID that it knows them by, beside ours.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { pathOf } from '../../cli/demo/rest.ts'
import { noNamespaces } from '../../lab/namespaces.ts'
import { ovsCarrier, type OvsCarrier } from '../../lab/nodes/carriers.ts'
import type { Sandbox } from '../../lab/nodes/node.ts'
import { reaches } from '../../lab/nodes/ping.ts'
import { ovsMissing } from '../../lab/programs/ovs.ts'
import { until } from '../setup/until.ts'
import { ourLinks, startAgents, type Agents, type NodeWith } from './agents.ts'

const skip = (await noNamespaces()) ?? (await ovsMissing({ install: false, print: () => undefined })) ?? false
const apiVersion = 'megrez.io/v1alpha1'
const onCloud = { 'megrez.io/vpc': 'cloudy', 'megrez.io/nics': '[{"name":"eth0","subnet":"there"}]' }

interface PortOfCloud {
  readonly metadata: { readonly uid: string }
  readonly status: {
    readonly providerID: string
    readonly ifcName: string
    readonly mac: string
    readonly vni?: number
    readonly phase: string
  }
}

describe('pods of a cloud on Open vSwitch', { skip }, () => {
  let agents: Agents
  let node: NodeWith<OvsCarrier>
  const vsctl = (...args: readonly string[]): Promise<string> => node.carrier.ovs.vsctl(...args)

  before(async () => {
    agents = await startAgents()
    const { rest } = agents
    const make = async (kind: 'Cloud' | 'Vpc' | 'Subnet', path: string, name: string, spec: object): Promise<void> => {
      const answer = await rest.call('POST', path, { apiVersion, kind, metadata: { name }, spec })
      assert.equal(answer.status, 201, answer.body.detail)
    }
    await make('Cloud', '/v1/clouds', 'c', { provider: 'memory', endpoint: 'lab' })
    await make('Vpc', pathOf('Vpc', 'a'), 'cloudy', { provider: 'memory', cloud: 'c' })
    await make('Subnet', pathOf('Subnet', 'a'), 'there', { vpc: 'cloudy', ipv4: { cidr: '10.9.0.0/24' } })
    await until(
      async () => (await rest.call('GET', pathOf('Subnet', 'a', 'there'))).body.status?.phase === 'ready',
      'the Subnet is at the cloud',
      20_000,
    )
    node = await agents.node('n1', ovsCarrier)
    await vsctl('add-br', 'br-int', '--', 'set', 'bridge', 'br-int', 'datapath_type=netdev')
  })
  after(() => agents.close())

  const sandboxes: Sandbox[] = []
  async function podOn(name: string, annotations?: Readonly<Record<string, string>>): Promise<Sandbox> {
    const sandbox = await agents.pod(node, name, annotations)
    sandboxes.push(sandbox)
    return sandbox
  }

  const portOf = async (pod: string): Promise<PortOfCloud> => {
    const { items = [] } = (await agents.rest.call('GET', pathOf('Port', 'a'))).body
    const found = items.find((each) => (each as unknown as { spec: { claim?: { pod: string } } }).spec.claim?.pod === pod)
    assert.ok(found, `the Port of ${pod}`)
    return found as unknown as PortOfCloud
  }

  test('an interface is on the bridge of its cloud with its ID and MAC, without a number or a flow of ours, and packets pass', async () => {
    const [one, two, ours] = [await podOn('one', onCloud), await podOn('two', onCloud), await podOn('ours')]
    await agents.add(node, one)
    const address = await agents.add(node, two)
    const other = await agents.add(node, ours)
    const port = await portOf('one')
    assert.deepEqual([port.status.vni, port.status.phase], [undefined, 'ready'])
    assert.equal((await vsctl('port-to-br', port.status.ifcName)).trim(), 'br-int')
    const ids = await vsctl('get', 'Interface', port.status.ifcName, 'external_ids')
    for (const each of [`iface-id=${port.status.providerID}`, `attached-mac="${port.status.mac}"`, 'iface-status=active'])
      assert.ok(ids.includes(each), `${each} in ${ids}`)
    assert.equal((await vsctl('get', 'Interface', port.status.ifcName, 'ofport_request')).trim(), '[]')
    assert.equal(
      (await node.carrier.ovs.ofctl('dump-flows', 'br-int')).match(/actions=/g)?.length,
      1,
      'the one flow of a bridge that nobody programs',
    )
    assert.ok(await reaches(one.namespace, address, { tries: 10 }), 'by the switching of the bridge')
    assert.equal(await reaches(one.namespace, other, { tries: 1 }), false, 'ours is another network')
    // What its owner gives it stays: a VLAN, as the agent of Neutron does.
    await vsctl('set', 'Port', port.status.ifcName, 'tag=7')
    await vsctl('set', 'Port', (await portOf('two')).status.ifcName, 'tag=7')
    await agents.add(node, await podOn('three', onCloud))
    assert.equal((await vsctl('get', 'Port', port.status.ifcName, 'tag')).trim(), '7')
    assert.ok(await reaches(one.namespace, address, { tries: 10 }))
  })

  test('an agent that begins anew leaves it as it is, and what others take away comes back', async () => {
    const { status } = await portOf('one')
    await node.killAgent()
    await node.startAgent()
    assert.equal((await vsctl('port-to-br', status.ifcName)).trim(), 'br-int')
    await vsctl('del-port', status.ifcName)
    await until(async () => (await vsctl('list-ports', 'br-int')).includes(status.ifcName), 'it is there again', 20_000)
  })

  test('at the end nothing is left on the bridge, and the bridge is', async () => {
    for (const sandbox of sandboxes) await agents.del(node, sandbox)
    await until(
      async () => (await vsctl('list-ports', 'br-int')).trim() === '' && (await ourLinks(node)).length === 0,
      'nothing is left',
      30_000,
    )
    assert.ok((await vsctl('list-br')).includes('br-int'))
  })
})
