// Second bindings at Neutron: what is refused, what has landed late, and what is left when a request is cut off.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { CloudAction, CloudPort, CloudScope } from '../../core/contracts/cloud.ts'
import { plainPort } from './plain-port.ts'
import { driverOn } from './neutron/driver.ts'
import { NeutronModel } from './neutron/model.ts'

const signal = new AbortController().signal

async function world() {
  const model = new NeutronModel()
  const network = model.put('networks', { name: 'n', status: 'ACTIVE', mtu: 1400 })
  const subnet = model.put('subnets', { name: 's', network_id: network.id, cidr: '10.0.0.0/24', ip_version: 4, gateway_ip: '10.0.0.1' })
  const scope: CloudScope = {
    of: { kind: 'Port', namespace: 'a', name: 'vm', uid: 'vm' },
    existing: undefined,
    network: network.id,
    subnet: subnet.id,
    moves: true,
  }
  const { port: driver } = driverOn(model)
  const act = (action: CloudAction<'port'>): Promise<void> => driver.apply(action, signal)
  await act({ do: 'create', scope, wanted: { ...plainPort, securityGroups: undefined } })
  const there = async (): Promise<CloudPort> => (await driver.observe(scope, signal)).there!
  const bind = async (host: string | undefined): Promise<void> => act({ do: 'bind', scope, there: await there(), host })
  const expect = async (host: string | undefined): Promise<void> => act({ do: 'expect', scope, there: await there(), host })
  await bind('n1')
  const { id } = await there()
  const by = (method: string, path: string, body?: object): void =>
    void model.answer({ method, url: `/v2.0/ports/${id}/bindings${path}`, body })
  const hosts = async () => [(await there()).host, (await there()).second?.host, (model.inactive.get(id) ?? []).map(({ host }) => host)]
  return { model, id, scope, act, there, bind, expect, by, hosts }
}

describe('a port that moves at Neutron', () => {
  test('is told how the second node plugs it in, and is bound there by activation', async () => {
    const { model, id, bind, expect, there, hosts } = await world()
    await expect('n2')
    const { second, state, vif } = await there()
    assert.deepEqual([second?.host, second?.vif?.node, second?.vif?.bridge, vif?.node], ['n2', 'n2', 'br-int', 'n1'])
    assert.equal(state, 'active')
    await bind('n2')
    assert.deepEqual(await hosts(), ['n2', undefined, []])
    assert.deepEqual(model.all('ports').find((port) => port.id === id)?.['binding:profile'], {})
  })

  test('that a mechanism does not bind there stays as it was, with the words of Neutron', async () => {
    const { model, expect, there, hosts } = await world()
    model.hosts.delete('n2')
    const before = await there()
    await assert.rejects(expect('n2'), {
      code: 'cloud-refused',
      message: /refuses a binding of port .* to n2: 500 PortBindingError: Binding for port .* on host n2 could not be created/,
    })
    assert.deepEqual([await hosts(), await there()], [['n1', undefined, []], before])
  })

  test('is not expected on a node where Neutron has no second bindings', async () => {
    const { expect, model } = await world()
    const answer = model.answer.bind(model)
    model.answer = (request) =>
      request.url.includes('/bindings') ? [404, { message: 'The resource could not be found.' }] : answer(request)
    await assert.rejects(expect('n2'), { code: 'cloud-refused', message: /no extension binding-extended/ })
  })

  test('what lands late of a move that was given up is seen, and taken away', async () => {
    const { by, expect, hosts, there } = await world()
    await expect('n2')
    await expect(undefined)
    by('POST', '', { binding: { host: 'n2' } })
    assert.deepEqual([await hosts(), (await there()).second?.vif], [['n1', 'n2', ['n2']], undefined])
    await expect(undefined)
    assert.deepEqual(await hosts(), ['n1', undefined, []])
  })

  test('whose one binding was taken away is bound again', async () => {
    const { by, bind, hosts } = await world()
    by('DELETE', '/n1')
    assert.deepEqual(await hosts(), [undefined, undefined, []])
    await bind('n1')
    assert.deepEqual(await hosts(), ['n1', undefined, []])
  })

  test('goes to a third node without what was made ready on the second', async () => {
    const { model, expect, bind, hosts } = await world()
    model.hosts.add('n3')
    await expect('n2')
    await expect('n3')
    assert.deepEqual(await hosts(), ['n1', 'n3', ['n3']])
    await bind('n2')
    assert.deepEqual(await hosts(), ['n2', undefined, []])
  })

  test('that has changed since it was read is read again', async () => {
    const { model, id, scope, there, act } = await world()
    const before = await there()
    model.change('ports', id, { description: 'another' })
    await assert.rejects(act({ do: 'expect', scope, there: before, host: 'n2' }), { code: 'cloud-overtaken' })
    assert.deepEqual(model.inactive.get(id) ?? [], [])
  })
})
