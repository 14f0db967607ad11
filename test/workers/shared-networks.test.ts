// A network of Neutron that is for everybody: any number of Vpcs are it, and Subnets are its subnets, and nothing is written on either.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TurnedClock } from '../../platform/clock.ts'
import { driverOn } from '../drivers/neutron/driver.ts'
import { NeutronModel } from '../drivers/neutron/model.ts'
import { isReason, until } from './cloud-site.ts'
import { openTestCluster } from './test-cluster.ts'

test('Subnets of two namespaces are one subnet of a shared network, which stays as it was, and stays when they go', async () => {
  const model = new NeutronModel({ macs: 'cloud' })
  const { id: network_id } = model.put('networks', { name: 'of-others', shared: true })
  const subnet = model.put('subnets', { name: 'of-others', network_id, ip_version: 4, cidr: '10.17.0.0/24', gateway_ip: null })
  const clock = new TurnedClock(Date.parse('2026-01-01T00:00:00Z'))
  const cluster = await openTestCluster({
    clock,
    config: { agents: false },
    cloudRegistry: { neutron: ({ spec }) => driverOn(model, undefined, spec) },
  })
  await cluster.make('Cloud', 'c', { provider: 'neutron', endpoint: 'http://neutron', macs: 'cloud' })
  for (const namespace of ['a', 'b']) {
    await cluster.make('Vpc', `${namespace}/shared`, { provider: 'neutron', cloud: 'c', existing: 'of-others' })
    await cluster.make('Subnet', `${namespace}/shared`, { vpc: 'shared', existing: 'of-others' })
    await cluster.make('Port', `${namespace}/p`, { subnet: 'shared' })
    await until(cluster, isReason({ cluster }, 'Port', `${namespace}/p`, 'Made'))
    const { status } = (await cluster.get('Subnet', `${namespace}/shared`))!
    assert.deepEqual([status?.providerID, status?.learned?.ipv4?.cidr], [subnet.id, '10.17.0.0/24'])
  }
  assert.equal(model.all('ports').length, 2)
  assert.deepEqual(model.all('subnets'), [subnet])
  for (const kind of ['Port', 'Subnet', 'Vpc'] as const)
    for (const namespace of ['a', 'b']) {
      const name = kind === 'Port' ? 'p' : 'shared'
      await cluster.store.delete({ kind, namespace, name })
      await until(cluster, async () => (await cluster.get(kind, `${namespace}/${name}`)) === undefined, 300)
    }
  assert.deepEqual([model.all('subnets'), model.all('ports')], [[subnet], []])
  await cluster.close()
})

test('a subnet of a network that is not for everybody is one Subnet alone', async () => {
  const model = new NeutronModel()
  const { id: network_id } = model.put('networks', { name: 'ours' })
  model.put('subnets', { name: 'ours', network_id, ip_version: 4, cidr: '10.17.0.0/24', gateway_ip: null })
  const clock = new TurnedClock(Date.parse('2026-01-01T00:00:00Z'))
  const cluster = await openTestCluster({
    clock,
    config: { agents: false },
    cloudRegistry: { neutron: ({ spec }) => driverOn(model, undefined, spec) },
  })
  await cluster.make('Cloud', 'c', { provider: 'neutron', endpoint: 'http://neutron' })
  await cluster.make('Vpc', 'a/ours', { provider: 'neutron', cloud: 'c', existing: 'ours' })
  for (const name of ['one', 'two']) await cluster.make('Subnet', `a/${name}`, { vpc: 'ours', existing: 'ours' })
  const reasons = async (): Promise<readonly unknown[]> =>
    (await cluster.all('Subnet')).map(({ status }) => status?.conditions?.find(({ type }) => type === 'Ready')?.reason).sort()
  await until(cluster, async () => (await reasons()).includes('TakenAtCloud'))
  assert.equal((await reasons()).filter((reason) => reason === 'TakenAtCloud').length, 1)
  await cluster.close()
})
