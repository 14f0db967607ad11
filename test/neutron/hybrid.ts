// A host of Neutron's agent with iptables_hybrid: security groups are held by iptables on a Linux bridge between a pod and br-int, which
// our agent makes, as Neutron's vif details ask for it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pathOf } from '../../cli/demo/rest.ts'
import { connects, listens } from '../../lab/nodes/connections.ts'
import { reaches } from '../../lab/nodes/ping.ts'
import type { NeutronPort } from '../../lab/openstack/caller.ts'
import { until } from '../setup/until.ts'
import { namespace, onHost, type PodsOfCloud } from './pods.ts'

export function hybridTests(cloud: PodsOfCloud, settings: Readonly<Record<string, string>>): void {
  test('where its agent holds groups by iptables, a pod is behind a bridge of its own, and iptables filters what it is sent', async () => {
    const agents = cloud.agents()
    const host = await cloud.world().addHost('iptables_hybrid')
    const node = await agents.node(host.name, onHost(host), settings)
    const nics = JSON.stringify([{ name: 'eth0', subnet: 'there', securityGroups: ['shut'] }])
    const sandbox = await agents.pod(node, 'behind', { 'megrez.io/vpc': 'cloudy', 'megrez.io/nics': nics })
    const address = await agents.add(node, sandbox)
    const { status = {} } = (await cloud.ours()).find(({ spec }) => spec.claim?.pod === 'behind')!
    const at = (): Promise<NeutronPort> => cloud.world().admin.get<NeutronPort>(`ports/${status.providerID}`)
    assert.equal((await at())['binding:vif_details']['ovs_hybrid_plug'], true)

    const part = status.providerID!.slice(0, 11)
    const [tap, bridge, inner, outer] = ['tap', 'qbr', 'qvb', 'qvo'].map((word) => `${word}${part}`) as [string, string, string, string]
    const links = async (): Promise<string> => (await node.namespace.exec('ip', '-o', 'link')).stdout
    const seen = await links()
    for (const member of [tap, inner]) assert.match(seen, new RegExp(`${member}[@:].* master ${bridge} `))
    assert.equal((await node.carrier.ovs.vsctl('port-to-br', outer)).trim(), 'br-int')
    assert.match(await node.carrier.ovs.vsctl('get', 'interface', outer, 'external_ids:iface-id'), new RegExp(status.providerID!))
    await until(async () => (await at()).status === 'ACTIVE', 'its port is ACTIVE', 60_000)

    const [client] = cloud.pods
    const other = client!.sandbox.namespace
    assert.ok(await reaches(sandbox.namespace, cloud.pods.find((each) => each.sandbox.pod.name === 'server')!.address, { tries: 20 }))
    const stops = [await listens(sandbox.namespace)]
    assert.equal(await connects(other, address), false, 'its group lets nobody in')
    const rules = async (): Promise<string> => (await node.namespace.exec('iptables-save', '-c')).stdout
    const refused = new RegExp(`^\\[[1-9]\\d*:.* -A neutron-openvswi-i${part.slice(0, 10)} .*-j neutron-openvswi-sg-fallback`, 'm')
    assert.match(await rules(), refused, 'iptables has counted what it refused')
    const { rest } = agents
    const path = pathOf('Port', namespace, (await cloud.ours()).find(({ spec }) => spec.claim?.pod === 'behind')!.metadata.name)
    const { etag } = await rest.call('GET', path)
    const merge = { 'content-type': 'application/merge-patch+json', 'if-match': etag ?? '' }
    const changed = await rest.call('PATCH', path, { spec: { securityGroups: ['open'] } }, merge)
    assert.equal(changed.status, 200, changed.body.detail)
    await until(() => connects(other, address), 'its new group lets TCP in', 60_000)
    for (const stop of stops) await stop()

    await agents.del(node, sandbox)
    await rest.remove(pathOf('Pod', namespace, 'behind'))
    await until(async () => !new RegExp(`(tap|qbr|qvb|qvo)${part}`).test(await links()), 'nothing of it is left on the node', 30_000)
    await node.stop()
  })
}
