import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SwitchRefused } from '../../core/errors.ts'
import type { VlanId } from '../../core/net/segment.ts'
import { NeutronApi } from '../../workers/drivers/fabric/neutron-api.ts'
import { neutronTrunk } from '../../workers/drivers/fabric/neutron-trunk.ts'
import { driverLaws } from '../laws/driver.ts'
import { journeys, linesOf, scope, through, wants } from './fabric-wants.ts'
import { neutronDouble } from './neutron-double.ts'

const signal = new AbortController().signal

driverLaws('neutron-trunk', {
  journeys,
  async open() {
    const double = await neutronDouble({ names: ['a', 'b', 'c', 'theirs'] })
    double.trunks.get('id-theirs')!.sub_ports.push({ port_id: 'foreign', segmentation_type: 'vlan', segmentation_id: 100 })
    double.trunks.get('id-b')!.sub_ports.push({ port_id: 'foreign-b', segmentation_type: 'vlan', segmentation_id: 7 })
    const driver = neutronTrunk(new NeutronApi({ url: double.url }), { owner: 'megrez' })
    return {
      instance: (way) => Promise.resolve({ driver: way === undefined ? driver : through(driver, way.way), wants }),
      ours: async () => linesOf(await driver.observe(scope, signal)),
      theirs: () => Promise.resolve([...double.trunks.values()].flatMap((trunk) => trunk.sub_ports.filter((each) => each.port_id.startsWith('foreign')).map((each) => `${trunk.name} ${each.segmentation_id}`))),
      close: () => double.close(),
    }
  },
})

test('neutron-trunk leaves no port behind, and gets a token where one is needed', async () => {
  const double = await neutronDouble({ names: ['a'], password: 'secret' })
  try {
    const identity = { url: double.url, username: 'megrez', password: 'secret', project: 'infra', domain: 'Default' }
    const driver = neutronTrunk(new NeutronApi({ url: double.url, identity }), { owner: 'megrez' })
    const change = { on: 'a', vlan: 100 as VlanId, of: 't' }
    await driver.apply({ do: 'setVlans', changes: [{ do: 'open', ...change }] }, signal)
    assert.equal(double.ports.size, 1)
    double.tokens.clear()
    await driver.apply({ do: 'setVlans', changes: [{ do: 'close', ...change }] }, signal)
    assert.deepEqual([double.ports.size, double.trunks.get('id-a')!.sub_ports], [0, []])
  } finally {
    await double.close()
  }
})

test('neutron-trunk refuses a VLAN that no network has, by its number', async () => {
  const double = await neutronDouble({ names: ['a'], without: [100] })
  try {
    const driver = neutronTrunk(new NeutronApi({ url: double.url }), { owner: 'megrez' })
    await assert.rejects(driver.apply({ do: 'setVlans', changes: [{ do: 'open', on: 'a', vlan: 100 as VlanId, of: 't' }] }, signal), (problem) => problem instanceof SwitchRefused && /no network with VLAN 100/.test(problem.message))
  } finally {
    await double.close()
  }
})
