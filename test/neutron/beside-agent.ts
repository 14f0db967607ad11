// Our agent and Neutron's on one Open vSwitch: Neutron's tunnels have UDP port 4789, ours another.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pathOf } from '../../cli/demo/rest.ts'
import type { AlkaidStage } from '../../cli/story/alkaid/stage.ts'
import { endOfAlkaid, tellAlkaid } from '../../cli/story/alkaid/sentences.ts'
import { reaches } from '../../lab/nodes/ping.ts'
import { namespace, type PodsOfCloud } from './pods.ts'
import { alcorTests } from './three-clouds.ts'

export const besideNeutron = { MEGREZ_TUNNEL_L4PORT: '4790' }

const stageOf = async (cloud: PodsOfCloud): Promise<AlkaidStage> => ({
  rest: cloud.agents().rest,
  node: cloud.nodes()[0]!,
  user: await cloud.world().as('tenant-a'),
  admin: cloud.world().admin,
  namespace: 'alkaid',
  cloud: 'c',
})

/** Once nothing that was asked of Neutron can be under way. */
export const alkaidsEnd = (cloud: PodsOfCloud): void =>
  void test("and what Alkaid's pods had is gone, what its users have made is as it was", async () => {
    for (const { says, wrong } of await endOfAlkaid(await stageOf(cloud))) assert.deepEqual(wrong, [], says)
  })

export function builtinTests(cloud: PodsOfCloud): void {
  test('pods of a builtin Vpc reach each other beside it, and nobody of the cloud with the same addresses', async () => {
    const [agents, [node]] = [cloud.agents(), cloud.nodes()]
    await cloud.make('Vpc', pathOf('Vpc', namespace), 'own', { provider: 'builtin' })
    await cloud.make('Subnet', pathOf('Subnet', namespace), 'beside', { vpc: 'own', ipv4: { cidr: '10.7.0.0/24' } })
    const add = async (name: string) => {
      const nics = JSON.stringify([{ name: 'eth0', subnet: 'beside' }])
      const sandbox = await agents.pod(node!, name, { 'megrez.io/vpc': 'own', 'megrez.io/nics': nics })
      return { sandbox, address: await agents.add(node!, sandbox) }
    }
    const [one, other] = [await add('own-1'), await add('own-2')]
    assert.ok(await reaches(one.sandbox.namespace, other.address, { tries: 10 }), 'through our own bridge')
    const [client, server] = cloud.pods
    assert.ok(await reaches(client!.sandbox.namespace, server!.address, { tries: 10 }), "through Neutron's")
    // What only one of the two has: whoever answers there would be of the other network.
    const strangers = cloud.pods.filter(({ address }) => ![one.address, other.address].includes(address))
    for (const { address } of strangers) assert.equal(await reaches(one.sandbox.namespace, address, { tries: 1 }), false, address)
    for (const { sandbox } of [one, other]) {
      await agents.del(node!, sandbox)
      await agents.rest.remove(pathOf('Pod', namespace, sandbox.pod.name))
    }
    for (const [kind, name] of [
      ['Subnet', 'beside'],
      ['Vpc', 'own'],
    ] as const)
      await agents.rest.remove(pathOf(kind, namespace, name))
  })

  alcorTests(cloud)

  test("Alkaid's story: its five pods, each sentence looked up at Neutron or on the node", async () => {
    for (const { says, wrong } of await tellAlkaid(await stageOf(cloud))) assert.deepEqual(wrong, [], says)
  })

  test("an agent that is to have Neutron's UDP port says whose it is, and touches nothing", async () => {
    const [node] = cloud.nodes()
    const { ovs } = node!.carrier
    // As Neutron's agent does once there is a second host.
    await ovs.vsctl(
      'add-port',
      'br-tun',
      'vxlan-test',
      '--',
      'set',
      'interface',
      'vxlan-test',
      'type=vxlan',
      'options:remote_ip=192.168.50.9',
    )
    const bridges = await ovs.vsctl('list-br')
    await node!.killAgent()
    await assert.rejects(
      node!.startAgent({ MEGREZ_TUNNEL_L4PORT: '4789' }),
      /UDP port 4789 for tunnels belongs to vxlan-test on bridge br-tun of this Open vSwitch/,
    )
    assert.equal(await ovs.vsctl('list-br'), bridges)
    await ovs.vsctl('del-port', 'br-tun', 'vxlan-test')
    await node!.killAgent().catch(() => undefined)
    await node!.startAgent()
    const [client, server] = cloud.pods
    assert.ok(await reaches(client!.sandbox.namespace, server!.address, { tries: 10 }))
  })
}
