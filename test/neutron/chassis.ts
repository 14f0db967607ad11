// What OVN's chassis have beside pods: a VM, and ports whose neutron-server is killed while it makes them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pathOf } from '../../cli/demo/rest.ts'
import { reaches } from '../../lab/nodes/ping.ts'
import { bootVm, machineSkip } from '../node/machines.ts'
import { until } from '../setup/until.ts'
import { apiVersion, namespace, type OurPort, type PodsOfCloud } from './pods.ts'

export function chassisTests(cloud: PodsOfCloud): void {
  test(
    "a VM boots on a TAP that is a port of Neutron, made before, and Neutron's DHCP tells it its address",
    { skip: machineSkip },
    async () => {
      const created = await cloud.agents().rest.call('POST', pathOf('Port', namespace), {
        apiVersion,
        kind: 'Port',
        metadata: { name: 'of-vm' },
        spec: { subnet: 'there', securityGroups: ['open'] },
      })
      assert.equal(created.status, 201, created.body.detail)
      const vm = await bootVm(cloud.agents(), cloud.nodes()[0]!, 'vm', { vpc: 'cloudy', nics: [{ portID: created.body.metadata.uid }] })
      const { status } = vm.ports[0]!
      const { ovs } = cloud.nodes()[0]!.carrier
      assert.equal((await ovs.vsctl('port-to-br', status.node!.tap!)).trim(), 'br-int')
      const { providerID } = (await cloud.ours()).find(({ metadata }) => metadata.name === 'of-vm')!.status!
      assert.match(await ovs.vsctl('get', 'interface', status.node!.tap!, 'external_ids:iface-id'), new RegExp(providerID!))
      assert.match(
        (await vm.machine.exec('ip addr')).output,
        new RegExp(`mtu 1442 [^]* link/ether ${status.mac} [^]* inet ${status.addresses[0]}/24`),
      )
      const server = cloud.pods.find(({ sandbox }) => sandbox.pod.name === 'server')!
      const { code, output } = await vm.machine.exec(`ping -c 5 -W 3 ${server.address}`)
      assert.equal(code, 0, output)
      assert.ok(await reaches(server.sandbox.namespace, status.addresses[0]!, { tries: 5 }), 'a pod of the other node reaches the VM')
      await vm.machine.stop()
      await cloud.agents().del(cloud.nodes()[0]!, vm.sandbox)
      await until(
        async () => !(await cloud.nodes()[0]!.namespace.exec('ip', '-o', 'link')).stdout.includes(status.node!.tap!),
        'the TAP is gone',
      )
      await cloud.agents().rest.remove(pathOf('Pod', namespace, 'vm'))
      await cloud.agents().rest.remove(pathOf('Port', namespace, 'of-vm'))
    },
  )

  test('neutron-server killed in the middle of a burst: each Port is ready once it is back, and none is there twice', async () => {
    const names = Array.from({ length: 8 }, (_, i) => `burst-${i}`)
    const before = (await cloud.theirs()).length
    for (const name of names) await cloud.make('Port', pathOf('Port', namespace), name, { subnet: 'there' })
    await until(async () => (await cloud.theirs()).length > before, 'the first are at Neutron', 60_000)
    await cloud.world().server.kill()
    await cloud.world().server.start()
    const burst = async (): Promise<readonly OurPort[]> => (await cloud.ours()).filter(({ metadata }) => names.includes(metadata.name))
    await until(async () => (await burst()).every(({ status }) => status?.phase === 'ready'), 'all are ready', 120_000)
    const wanted = (await burst()).map(({ metadata: { uid } }) => `megrez-${uid}`).toSorted()
    const made = (await cloud.theirs()).filter((name) => wanted.includes(name)).toSorted()
    assert.deepEqual([wanted.length, made], [names.length, wanted])
    for (const name of names) await cloud.agents().rest.remove(pathOf('Port', namespace, name))
  })
}
