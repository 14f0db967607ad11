// megrez import neutron, of what was made by OpenStack's API before Megrez came.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pathOf } from '../../cli/demo/rest.ts'
import type { NeutronPort } from '../../lab/openstack/caller.ts'
import { until } from '../setup/until.ts'
import { megrez } from './megrez.ts'
import { namespace, type PodsOfCloud } from './pods.ts'

interface Thing {
  readonly id: string
  readonly name: string
  readonly description: string
}
const plurals = ['networks', 'subnets', 'ports'] as const
const kinds = ['Port', 'Subnet', 'Vpc'] as const

export function importTests(cloud: PodsOfCloud): void {
  test('megrez import neutron adopts a network, its subnet and its ports; made twice it makes nothing twice, and all of it stays', async () => {
    const user = await cloud.world().as('tenant-a')
    const { rest } = cloud.agents()
    const { id: network } = await user.post<Thing>('networks', { network: { name: 'blue' } })
    const { id: subnet } = await user.post<Thing>('subnets', {
      subnet: { network_id: network, name: 'blue', cidr: '10.13.0.0/24', ip_version: 4 },
    })
    const ports: string[] = []
    for (const name of ['blue-1', 'blue-2']) ports.push((await user.post<NeutronPort>('ports', { port: { network_id: network, name } })).id)
    const ids = [network, subnet, ...ports]
    const things = async (): Promise<readonly Thing[]> => {
      const all = await Promise.all(plurals.map((plural) => user.get<readonly Thing[]>(plural)))
      return all.flat().filter(({ id, name }) => ids.includes(id) || name.startsWith('blue'))
    }
    const texts = async (): Promise<readonly string[]> => (await things()).map((each) => `${each.id} ${each.name} ${each.description}`)
    const before = await texts()
    assert.equal(before.length, 4)

    const dry = await megrez(cloud, 'import', 'neutron', 'c', 'blue', '-n', namespace)
    assert.equal(dry.exit, 0, dry.err)
    assert.deepEqual([...dry.out.matchAll(/^kind: (\w+)$/gm)].map(([, kind]) => kind).sort(), ['Port', 'Port', 'Subnet', 'Vpc'])
    assert.deepEqual(await texts(), before, 'it was only printed')

    const applied = await megrez(cloud, 'import', 'neutron', 'c', 'blue', '-n', namespace, '--apply')
    assert.equal(applied.exit, 0, applied.err)
    interface Imported {
      readonly metadata: { readonly name: string; readonly uid: string }
      readonly status?: { readonly phase?: string; readonly providerID?: string }
    }
    const imported = async (): Promise<readonly (readonly [(typeof kinds)[number], Imported])[]> => {
      const lists = await Promise.all(
        kinds.map(async (kind) => [kind, (await rest.call('GET', pathOf(kind, namespace))).body.items] as const),
      )
      return lists.flatMap(([kind, items = []]) =>
        (items as unknown as readonly Imported[])
          .filter(({ metadata }) => metadata.name.startsWith('blue'))
          .map((item) => [kind, item] as const),
      )
    }
    await until(async () => (await imported()).filter(([, { status }]) => status?.phase === 'ready').length === 4, 'all are ready', 60_000)
    const objects = await imported()
    assert.deepEqual(objects.map(([, { status }]) => status?.providerID).sort(), [...ids].sort())
    for (const [, { metadata, status }] of objects)
      assert.match((await things()).find(({ id }) => id === status?.providerID)!.description, new RegExp(metadata.uid))

    const again = await megrez(cloud, 'import', 'neutron', 'c', 'blue', '-n', namespace, '--apply')
    assert.equal(again.exit, 0, again.err)
    assert.deepEqual([(await imported()).length, (await things()).length], [4, 4])

    for (const [kind, { metadata }] of objects) await rest.remove(pathOf(kind, namespace, metadata.name))
    await until(async () => (await imported()).length === 0, 'their objects are gone', 60_000)
    assert.deepEqual(await texts(), before, 'each was let go as it was')
    for (const id of ports) await user.delete(`ports/${id}`)
    await user.delete(`networks/${network}`)
  })
}
