// Ports that are made ahead at a real Neutron, and taken by pods.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pathOf } from '../../cli/demo/rest.ts'
import { reaches } from '../../lab/nodes/ping.ts'
import type { NeutronPort } from '../../lab/openstack/caller.ts'
import { until } from '../setup/until.ts'
import { cloudSpec, namespace, type OurPort, type PodsOfCloud } from './pods.ts'

const ahead = 'ahead'
const groups = ['open']

/** What a Port and its port have in common. */
const marksOf = ({ status = {} }: OurPort): readonly unknown[] => [status.providerID, status.addresses, status.mac]

export function warmPoolTests(cloud: PodsOfCloud): void {
  const { make, world } = cloud
  const ofPool = async (): Promise<readonly OurPort[]> => (await cloud.ours()).filter(({ spec }) => spec.subnet === ahead)

  test('pods take ports that were made ahead at Neutron, with their addresses and MACs', async () => {
    const [{ rest, pod, add, del }, nodes] = [cloud.agents(), cloud.nodes()]
    await make('Cloud', '/v1/clouds', ahead, { ...cloudSpec(world()), warmPools: { min: 2, max: 3 } })
    await make('Vpc', pathOf('Vpc', namespace), ahead, { provider: 'neutron', cloud: ahead })
    await make('Subnet', pathOf('Subnet', namespace), ahead, { vpc: ahead, ipv4: { cidr: '10.12.0.0/24' } })
    await make('Port', pathOf('Port', namespace), 'first', { subnet: ahead, securityGroups: groups })
    const entries = async (): Promise<readonly OurPort[]> =>
      (await ofPool()).filter(({ spec, status }) => spec.warm !== undefined && status?.phase === 'ready')
    await until(async () => (await entries()).length >= 2, 'two Ports are made ahead', 60_000)
    const before = await entries()
    const nics = JSON.stringify([{ name: 'eth0', subnet: ahead, securityGroups: groups }])
    const annotations = { 'megrez.io/vpc': ahead, 'megrez.io/nics': nics }
    const names = ['swift-1', 'swift-2']
    const sandboxes = await Promise.all(names.map((name, i) => pod(nodes[i]!, name, annotations)))
    const addresses = await Promise.all(sandboxes.map((sandbox, i) => add(nodes[i]!, sandbox)))
    for (const [i, name] of names.entries()) {
      const port = (await ofPool()).find(({ spec }) => spec.claim?.pod === name)!
      const entry = before.find(({ status }) => status?.providerID === port.status?.providerID)
      assert.deepEqual(entry && marksOf(entry), marksOf(port), `${name} has what one of ${before.length} was`)
      assert.deepEqual(port.status?.addresses, [addresses[i]])
      const there = await world().admin.get<NeutronPort>(`ports/${port.status?.providerID}`)
      assert.deepEqual(
        [there.name, there.mac_address, there.device_id, there['binding:host_id']],
        [`megrez-${port.metadata.uid}`, port.status?.mac, sandboxes[i]!.pod.uid, nodes[i]!.name],
      )
      assert.match((await sandboxes[i]!.namespace.exec('ip', 'link', 'show', 'eth0')).stdout, new RegExp(there.mac_address))
    }
    assert.ok(await reaches(sandboxes[0]!.namespace, addresses[1]!, { tries: 20 }), 'as Neutron carries it')
    for (const [i, sandbox] of sandboxes.entries()) {
      await del(nodes[i]!, sandbox)
      await rest.remove(pathOf('Pod', namespace, sandbox.pod.name))
    }
  })

  test('a pool that nobody wants any more is given back', async () => {
    const { rest } = cloud.agents()
    const { etag } = await rest.call('GET', `/v1/clouds/${ahead}`)
    const merge = { 'content-type': 'application/merge-patch+json', 'if-match': etag ?? '' }
    const changed = await rest.call('PATCH', `/v1/clouds/${ahead}`, { spec: { warmPools: null } }, merge)
    assert.equal(changed.status, 200, changed.body.detail)
    const entries = async (): Promise<readonly OurPort[]> => (await ofPool()).filter(({ spec }) => spec.warm !== undefined)
    await until(async () => (await entries()).every(({ status }) => status?.phase === 'terminating'), 'each entry is at its end', 30_000)
    const there = await world().admin.get<readonly NeutronPort[]>('ports')
    const left = await entries()
    await until(
      async () => {
        const names = (await world().admin.get<readonly NeutronPort[]>('ports')).map(({ name }) => name)
        return left.every(({ metadata }) => !names.includes(`megrez-${metadata.uid}`))
      },
      `none of ${left.length} of the pool is among ${there.length} ports of Neutron`,
      30_000,
    )
    await rest.remove(pathOf('Port', namespace, 'first'))
    await rest.remove(pathOf('Subnet', namespace, ahead))
    await rest.remove(pathOf('Vpc', namespace, ahead))
  })
}
