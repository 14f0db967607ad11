// Ports at Neutron: many in one request, what is refused of them, and what a binding says.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CloudAction, CloudScope, PortWanted } from '../../core/contracts/cloud.ts'
import type { SpecOf } from '../../core/kinds/index.ts'
import { realClock } from '../../platform/clock.ts'
import { silentLog } from '../../platform/log.ts'
import { alcor } from '../../workers/drivers/cloud/alcor/alcor.ts'
import { neutron } from '../../workers/drivers/cloud/neutron/neutron.ts'
import { bindingOf } from '../../workers/drivers/cloud/neutron/vif.ts'
import { plainPort } from './plain-port.ts'
import { cloudAt, countedDriverOn, driverOn } from './neutron/driver.ts'
import { NeutronModel } from './neutron/model.ts'

const signal = new AbortController().signal
/** Groups are Neutron's to choose. */
const wanted: PortWanted = { ...plainPort, securityGroups: undefined }

function world(options?: ConstructorParameters<typeof NeutronModel>[0]) {
  const model = new NeutronModel(options)
  const network = model.put('networks', { name: 'n', status: 'ACTIVE', mtu: 1400 })
  const subnet = model.put('subnets', { name: 's', network_id: network.id, cidr: '10.0.0.0/24', ip_version: 4, gateway_ip: '10.0.0.1' })
  const scope = (uid: string): CloudScope => ({
    of: { kind: 'Port', namespace: 'a', name: uid, uid },
    existing: undefined,
    network: network.id,
    subnet: subnet.id,
  })
  const create = (uid: string, more: Partial<PortWanted> = {}): CloudAction<'port'> => ({
    do: 'create',
    scope: scope(uid),
    wanted: { ...wanted, ...more },
  })
  return { model, scope, create, ...countedDriverOn(model) }
}
const names = Array.from({ length: 25 }, (_, i) => `p${i}`)

test('twenty-five that are asked for at once are made in few requests, and seen in fewer', async () => {
  const { model, driver, asked, create, scope } = world()
  await Promise.all(names.map((name) => driver.port.apply(create(name), signal)))
  assert.equal(model.all('ports').length, 25)
  assert.ok(asked('POST') < 5, `${asked('POST')} requests`)
  const before = asked('GET')
  const seen = await Promise.all(names.map((name) => driver.port.observe(scope(name), signal)))
  assert.deepEqual(
    seen.map(({ there }) => there?.owner),
    names,
  )
  assert.ok(asked('GET') - before < 6, `${asked('GET') - before} lists`)
})

test('one that Neutron refuses keeps no other from being made, and has its words', async () => {
  const { model, driver, create } = world()
  const made = await Promise.allSettled(
    names.map((name, i) => driver.port.apply(create(name, i === 7 ? { addresses: ['192.0.2.7'] } : {}), signal)),
  )
  const refused = made.flatMap((each, i) => (each.status === 'rejected' ? [[i, (each.reason as Error).message] as const] : []))
  assert.deepEqual(refused, [
    [7, 'cloud c refuses a port: 400 InvalidIpForSubnet: IP address 192.0.2.7 is not a valid IP for the specified subnet.'],
  ])
  assert.equal(model.all('ports').length, 24)
})

test('a quota lets through as many as it has room for', async () => {
  const { model, driver, create } = world({ portsMax: 10 })
  assert.deepEqual(await driver.quota!(signal), { used: 0, limit: 10 })
  const made = await Promise.allSettled(names.map((name) => driver.port.apply(create(name), signal)))
  assert.deepEqual([made.filter(({ status }) => status === 'fulfilled').length, model.all('ports').length], [10, 10])
  assert.deepEqual(await driver.quota!(signal), { used: 10, limit: 10 })
})

test('what a request that nobody heard of has made is taken for done', async () => {
  const { model, driver, create } = world()
  await Promise.all([driver.port.apply(create('p'), signal), driver.port.apply(create('q'), signal)])
  await Promise.all([driver.port.apply(create('p'), signal), driver.port.apply(create('r'), signal)])
  assert.equal(model.all('ports').length, 3)
})

test('where Neutron chooses MACs, one process makes one port of a Port, and of those of several each is seen', async () => {
  const { model, driver: ours, scope, create } = world({ macs: 'cloud' })
  await assert.rejects(ours.port.apply(create('p'), signal), /403 PolicyNotAuthorized: .*create_port:mac_address/)
  const nextTick = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))
  const drivers = [1, 2].map(() => driverOn(model, nextTick, { macs: 'cloud' }))
  const [one, other] = drivers as [(typeof drivers)[0], (typeof drivers)[0]]
  await Promise.all([one.port.apply(create('p'), signal), one.port.apply(create('p'), signal), one.port.apply(create('q'), signal)])
  await one.port.apply(create('p'), signal)
  assert.deepEqual(
    model
      .all('ports')
      .map(({ name }) => name)
      .sort(),
    ['megrez-p', 'megrez-q'],
  )
  await Promise.all([one, other].map(({ port }) => port.apply(create('r'), signal)))
  const { there, doubles } = await one.port.observe(scope('r'), signal)
  assert.deepEqual([there?.owner, doubles?.map(({ owner }) => owner)], ['r', ['r']])
  assert.equal(new Set(model.all('ports').map((port) => port['mac_address'])).size, 4)
})

test('a host that no mechanism binds to is told, and another one is bound to', async () => {
  const { model, driver, create, scope } = world()
  await driver.port.apply(create('p'), signal)
  const there = async () => (await driver.port.observe(scope('p'), signal)).there!
  await driver.port.apply({ do: 'bind', scope: scope('p'), there: await there(), host: 'n9' }, signal)
  const [port] = model.all('ports')
  assert.match((await there()).unbound ?? '', new RegExp(`^binding_failed: .* port ${port!.id} to host n9$`))
  await driver.port.apply({ do: 'bind', scope: scope('p'), there: await there(), host: 'n1' }, signal)
  const { host, vif, unbound, mtu } = await there()
  assert.deepEqual([host, vif?.plug, vif?.bridge, vif?.interfaceID, unbound, mtu], ['n1', 'bridge', 'br-int', port!.id, undefined, 1400])
})

test('a QoS policy is named by its name or its ID, one that is not there is told of, and one that others have chosen is left', async () => {
  const { model, driver, create, scope } = world()
  const [gold, ...twins] = ['gold', 'twin', 'twin'].map((name) => model.put('policies', { name }))
  await driver.port.apply(create('p', { qosPolicy: 'gold' }), signal)
  await driver.port.apply(create('q', { qosPolicy: twins[1]!.id }), signal)
  const qosOf = async (uid: string) => (await driver.port.observe(scope(uid), signal)).there!.settings.qosPolicy
  assert.deepEqual(
    [await qosOf('p'), await qosOf('q')],
    [
      { id: gold!.id, name: 'gold' },
      { id: twins[1]!.id, name: 'twin' },
    ],
  )
  await assert.rejects(driver.port.apply(create('r', { qosPolicy: 'silver' }), signal), /c refuses a port: there is no QoS policy silver$/)
  await assert.rejects(driver.port.apply(create('r', { qosPolicy: 'twin' }), signal), /there is more than one QoS policy twin$/)
  const change = async (qosPolicy: PortWanted['qosPolicy']): Promise<void> =>
    driver.port.apply(
      { do: 'update', scope: scope('p'), there: (await driver.port.observe(scope('p'), signal)).there!, wanted: { ...wanted, qosPolicy } },
      signal,
    )
  await change(undefined)
  assert.equal((await qosOf('p'))?.name, 'gold')
  await change(null)
  assert.equal(await qosOf('p'), undefined)
})

test('what is adopted keeps what it says, or is not adopted', async () => {
  const { model, driver, scope } = world()
  const description = 'x'.repeat(255)
  const { id } = model.put('networks', { name: 'spare', description, status: 'ACTIVE' })
  const of = { ...scope('v'), existing: 'spare' }
  const adopt = async (): Promise<void> =>
    driver.network.apply({ do: 'adopt', scope: of, there: (await driver.network.observe(of, signal)).there! }, signal)
  await assert.rejects(adopt(), /c refuses the adoption of network-\d+: its description leaves no room .*: shorten it by 21 characters$/)
  assert.equal(model.all('networks').find((each) => each.id === id)?.['description'], description)
  model.change('networks', id, { description: description.slice(21) })
  await adopt()
  const there = (await driver.network.observe(of, signal)).there!
  assert.equal(there.owner, 'v')
  await driver.network.apply({ do: 'release', scope: of, there }, signal)
  assert.equal(model.all('networks').find((each) => each.id === id)?.['description'], description.slice(21))
})

test('everything of this installation is listed, and what nobody has', async () => {
  const { model, driver, create } = world()
  await driver.port.apply(create('p'), signal)
  model.put('ports', { name: 'dhcp', network_id: 'network-2', mac_address: 'x', fixed_ips: [], device_owner: 'network:dhcp' })
  const kindsOf = async (of: 'ours' | 'nobodys') =>
    (await driver.inventory(of, signal)).map(({ kind, there, isMade }) => `${kind} ${there.name} ${isMade}`)
  assert.deepEqual(await kindsOf('ours'), ['port megrez-p true'])
  assert.deepEqual(await kindsOf('nobodys'), ['network n false', 'subnet s false'])
})

test('each kind of binding is what a node plugs in, or is told by its name', () => {
  const port = { id: '0123456789abcdef', network_id: 'abcdef0123456789', 'binding:host_id': 'n1' }
  const of = (type: string, details: Record<string, unknown> = {}) =>
    bindingOf({ ...port, 'binding:vif_type': type, 'binding:vif_details': details })
  assert.deepEqual(of('ovs', { ovs_hybrid_plug: true, bridge_name: 'br-x' }).vif, {
    node: 'n1',
    plug: 'bridge',
    bridge: 'br-x',
    interfaceID: port.id,
    hybrid: true,
    type: 'ovs',
    details: { ovs_hybrid_plug: 'true', bridge_name: 'br-x' },
  })
  assert.equal(of('bridge').vif?.bridge, 'brqabcdef01234')
  assert.deepEqual([of('tap').vif?.plug, of('tap').vif?.interface], ['tap', 'tap0123456789a'])
  assert.match(of('vhostuser').unbound ?? '', /as vhostuser, which Megrez does not plug in$/)
  assert.deepEqual(of('unbound'), { host: 'n1', vif: undefined })
})

test('what was asked may land for as long as two requests may take', () => {
  const of = (spec: Partial<SpecOf<'Cloud'>>, make: typeof neutron | typeof alcor): number =>
    make(cloudAt('http://cloud/project/p', spec), { credentials: {}, clock: realClock, random: Math.random, log: silentLog() })
      .landsWithinMs
  assert.deepEqual(
    [neutron, alcor].flatMap((make) => [of({}, make), of({ timeoutSeconds: 15 }, make)]),
    [100_000, 30_000, 100_000, 30_000],
  )
})
