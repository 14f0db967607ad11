// What holds between Neutron and a node whatever carries its ports, with interfaces that are plugged in by hand: what our own node's side
// builds on.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Namespace } from '../../lab/namespaces.ts'
import { connects, listens } from '../../lab/nodes/connections.ts'
import { until } from '../setup/until.ts'
import type { NeutronPort } from '../../lab/openstack/caller.ts'
import { project, type Host, type NeutronWorld } from './lab.ts'

interface Network {
  readonly id: string
  readonly mtu: number
}

/** Tests in the suite around, on the world that its `before` starts. */
export function pluggedByHand(world: () => NeutronWorld): void {
  let network: Network
  /** IDs: one lets nobody in, the other ICMP and TCP. */
  let [shut, open] = ['', '']
  before(async () => {
    const { admin } = world()
    network = await admin.post<Network>('networks', { network: { name: 'net', project_id: project } })
    await admin.post('subnets', { subnet: { network_id: network.id, ip_version: 4, cidr: '10.9.0.0/24', project_id: project } })
    const group = async (name: string): Promise<string> =>
      (await admin.post<{ readonly id: string }>('security-groups', { security_group: { name, project_id: project } })).id
    shut = await group('shut')
    open = await group('open')
    for (const protocol of ['icmp', 'tcp'])
      await admin.post('security-group-rules', {
        security_group_rule: { security_group_id: open, direction: 'ingress', protocol, project_id: project },
      })
  })
  const portOn = (host: string, group = open): Promise<NeutronPort> =>
    world().admin.post<NeutronPort>('ports', {
      port: {
        network_id: network.id,
        project_id: project,
        security_groups: [group],
        device_owner: 'compute:k8s',
        'binding:host_id': host,
      },
    })
  const statusOf = async ({ id }: NeutronPort): Promise<string> => (await world().admin.get<NeutronPort>(`ports/${id}`)).status

  test('a port that is bound to a host says how it is plugged in there; to a host that nobody knows it is not bound', async () => {
    const port = await portOn(world().hosts[0].name)
    assert.deepEqual([port['binding:vif_type'], port.status], ['ovs', 'DOWN'])
    assert.equal(port['binding:vif_details']['port_filter'], true)
    assert.equal((await portOn('nobody'))['binding:vif_type'], 'binding_failed')
  })

  test('an interface with the id of a port makes it ACTIVE, and Neutron carries and filters what its pod sends', async (t) => {
    const podOn = async (host: Host, group: string): Promise<{ readonly namespace: Namespace; readonly address: string }> => {
      const port = await portOn(host.name, group)
      const namespace = await world().plug(host, port, network.mtu)
      const began = performance.now()
      await until(async () => (await statusOf(port)) === 'ACTIVE', `port on ${host.name} is ACTIVE`, 30_000)
      t.diagnostic(`ACTIVE ${Math.round(performance.now() - began)} ms after it was plugged in on ${host.name}`)
      return { namespace, address: port.fixed_ips[0]!.ip_address }
    }
    const client = await podOn(world().hosts[0], shut)
    const server = await podOn(world().hosts.at(-1)!, open)
    const pings = async (from: typeof client, to: typeof client): Promise<boolean> =>
      (await from.namespace.exec('ping', '-c', '1', '-W', '1', to.address)).code === 0
    await until(() => pings(client, server), 'the server answers the client', 30_000)
    const stops = [await listens(server.namespace), await listens(client.namespace)]
    assert.deepEqual(
      [await connects(client.namespace, server.address), await connects(server.namespace, client.address), await pings(server, client)],
      [true, false, false],
    )
    for (const stop of stops) await stop()
  })

  test('without its interface a port is DOWN again', async () => {
    const host: Host = world().hosts[0]
    const port = await portOn(host.name)
    await world().plug(host, port, network.mtu)
    await until(async () => (await statusOf(port)) === 'ACTIVE', 'it is ACTIVE', 30_000)
    await host.ovs.vsctl('del-port', 'br-int', `tap${port.id.slice(0, 11)}`)
    await until(async () => (await statusOf(port)) === 'DOWN', 'it is DOWN', 30_000)
  })
}
