// The fabric driver of OpenStack trunks on a real Neutron with Keystone, and frames that a machine sends through one.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { VlanId } from '../../core/net/segment.ts'
import type { Namespace } from '../../lab/namespaces.ts'
import { people } from '../../lab/openstack/keystone.ts'
import { realClock } from '../../platform/clock.ts'
import { NeutronApi } from '../../workers/drivers/fabric/neutron-api.ts'
import { neutronTrunk } from '../../workers/drivers/fabric/neutron-trunk.ts'
import { linesOf, scope, through, wants } from '../drivers/fabric-wants.ts'
import { driverLaws } from '../laws/driver.ts'
import { arpFrame, listen, sendFrames } from '../node/raw-frames.ts'
import { until } from '../setup/until.ts'
import type { NeutronPort } from '../../lab/openstack/caller.ts'
import { project, type NeutronWorld } from './lab.ts'

interface Trunk {
  readonly id: string
  readonly name: string
  readonly sub_ports: readonly { readonly port_id: string; readonly segmentation_id: number }[]
}
const signal = new AbortController().signal
const owner = 'megrez'
const names = ['a', 'b', 'c', 'theirs']

/** Tests in the suite around, on a world with Keystone. */
export function trunkTests(world: () => NeutronWorld): void {
  const networks = new Map<number, string>()
  /** Ports of the machines, by the name of their trunk. */
  const parents = new Map<string, NeutronPort>()
  const subPort = (vlan: number): object => ({ network_id: networks.get(vlan), name: 'foreign', project_id: project })
  const trunks = (): Promise<readonly Trunk[]> => world().admin.get('trunks')
  const ports = (): Promise<readonly NeutronPort[]> => world().admin.get(`ports?description=${encodeURIComponent(`VLAN of ${owner}`)}`)
  const newDriver = (): ReturnType<typeof neutronTrunk> => {
    const { password, project: of } = people.admin
    const credentials = { username: 'admin', password, project: of, domain: 'Default' }
    const identity = world().keystone!.url.replace(/\/v3$/, '')
    const api = new NeutronApi({ url: world().server.url, identity, credentials, clock: realClock, random: Math.random })
    return neutronTrunk(api, { owner, physicalNetwork: 'physnet1' })
  }

  before(async () => {
    const { admin } = world()
    for (const vlan of [7, 100, 101, 200, 300]) {
      const network = {
        name: `vlan-${vlan}`,
        'provider:network_type': 'vlan',
        'provider:physical_network': 'physnet1',
        'provider:segmentation_id': vlan,
        // A sub-port has no address, and whoever is behind it has MACs of his own.
        port_security_enabled: false,
      }
      networks.set(vlan, (await admin.post<{ readonly id: string }>('networks', { network })).id)
    }
    for (const name of names) {
      const parent = await admin.post<NeutronPort>('ports', { port: { network_id: networks.get(7), name: `${name}-machine` } })
      parents.set(name, parent)
      const { id } = await admin.post<Trunk>('trunks', { trunk: { name, port_id: parent.id } })
      const vlan = { b: 7, theirs: 100 }[name]
      if (vlan === undefined) continue
      const { id: foreign } = await admin.post<NeutronPort>('ports', { port: { ...subPort(vlan), name: `foreign-${name}` } })
      await admin.ask('PUT', `trunks/${id}/add_subports`, {
        sub_ports: [{ port_id: foreign, segmentation_type: 'vlan', segmentation_id: vlan }],
      })
    }
  })

  async function reset(): Promise<void> {
    const mine = new Set((await ports()).map(({ id }) => id))
    for (const { id, sub_ports: sub } of await trunks()) {
      const joined = sub.filter((each) => mine.has(each.port_id)).map(({ port_id: each }) => ({ port_id: each }))
      if (joined.length > 0) await world().admin.ask('PUT', `trunks/${id}/remove_subports`, { sub_ports: joined })
    }
    for (const id of mine) await world().admin.delete(`ports/${id}`)
  }

  driverLaws('neutron-trunk on a real Neutron', {
    journeys: [['open']],
    seeds: 1,
    cutEach: 6,
    async open() {
      await reset()
      const driver = newDriver()
      return {
        instance: (way) => Promise.resolve({ driver: way === undefined ? driver : through(driver, way.way), wants }),
        ours: async () => [...linesOf(await driver.observe(scope, signal)), `${(await ports()).length} ports`],
        async theirs() {
          const mine = new Set((await ports()).map(({ id }) => id))
          return (await trunks()).flatMap((trunk) =>
            trunk.sub_ports.filter((each) => !mine.has(each.port_id)).map((each) => `${trunk.name} ${each.segmentation_id}`),
          )
        },
        close: () => Promise.resolve(),
      }
    },
  })

  test('a machine behind a trunk is in a VLAN that is open, and in no other', async () => {
    await reset()
    const [host] = world().hosts
    const driver = newDriver()
    const opened = { do: 'open' as const, on: 'a', vlan: 100 as VlanId, of: 't' }
    await driver.apply({ do: 'setVlans', changes: [opened] }, signal)
    const machine = await world().admin.put<NeutronPort>(`ports/${parents.get('a')!.id}`, {
      port: { 'binding:host_id': host.name, device_owner: 'compute:nova' },
    })
    const bridge = String(machine['binding:vif_details']['bridge_name'])
    assert.match(bridge, /^tbr-/)
    await host.ovs.vsctl('--may-exist', 'add-br', bridge, '--', 'set', 'bridge', bridge, 'datapath_type=netdev')
    const inMachine = await world().plug(host, machine, 1450, bridge)
    const inVlan: Namespace[] = []
    for (const vlan of [100, 200]) {
      const port = await world().admin.post<NeutronPort>('ports', {
        port: { network_id: networks.get(vlan), 'binding:host_id': host.name, device_owner: 'compute:nova' },
      })
      inVlan.push(await world().plug(host, port, 1450))
      await until(async () => (await world().admin.get<NeutronPort>(`ports/${port.id}`)).status === 'ACTIVE', `in VLAN ${vlan}`, 30_000)
    }
    const mac = '02:00:00:00:00:aa'
    const frames = [100, 200].map((tag) => arpFrame({ from: '192.0.2.1', mac, asks: '192.0.2.9', tag }))
    const ears = await Promise.all(inVlan.map((each) => listen(each, 'eth0')))
    const heard = (i: number): boolean => ears[i]!.heard.some((frame) => frame.includes(mac.replaceAll(':', '')))
    await until(
      async () => {
        await sendFrames(inMachine, 'eth0', frames)
        return heard(0)
      },
      'what is tagged with the VLAN reaches it',
      60_000,
    )
    assert.equal(heard(1), false)
    await driver.apply({ do: 'setVlans', changes: [{ ...opened, do: 'close' }] }, signal)
    await until(
      async () => {
        const before = ears[0]!.heard.length
        await sendFrames(inMachine, 'eth0', frames)
        await new Promise((resolve) => setTimeout(resolve, 500))
        return ears[0]!.heard.length === before
      },
      'nothing does once it is closed',
      60_000,
    )
    for (const ear of ears) await ear.close()
  })
}
