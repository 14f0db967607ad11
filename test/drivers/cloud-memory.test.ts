import type { CloudAction, CloudKind, CloudScope, CloudSeen, CloudThingDriver } from '../../core/contracts/cloud.ts'
import { memory } from '../../workers/drivers/cloud/memory.ts'
import { MemoryCloud } from '../../workers/drivers/cloud/memory-cloud.ts'
import { driverLaws, type DriverWorld, type Want } from '../laws/driver.ts'
import { cloudJourneys, moveJourneys, qosJourneys, groupWants, networkWants, portWants, subnetWants, type Inside } from './cloud-wants.ts'
import { plainSettings } from './plain-port.ts'

type Wants<K extends CloudKind> = Readonly<Record<string, Want<CloudScope, CloudSeen<K>, CloudAction<K>>>>
const mine = new Set(['vpc', 'subnet', 'port', 'group'])

/** @param takesMs of each thing asked for; between two looks a second passes */
function world<K extends CloudKind>(kind: K, wantsOf: (inside: Inside) => Wants<K>, takesMs: number) {
  return (): Promise<DriverWorld<CloudScope, CloudSeen<K>, CloudAction<K>>> => {
    let now = 0
    const cloud = new MemoryCloud({ now: () => now, takesMs, qosPolicies: ['slow', 'fast'] })
    const network = cloud.put('network', 'theirs', { mtu: 1500 })
    const subnet = cloud.put('subnet', 'theirs', { network: network.id, learned: { ipv4: { cidr: '10.0.0.0/24' } } })
    const port = (name: string, address: string) =>
      cloud.put('port', name, {
        network: network.id,
        subnet: subnet.id,
        port: { ...plainSettings, mac: `02:00:00:00:00:${address.slice(-2)}`, addresses: [address] },
      })
    port('theirs', '10.0.0.10')
    port('spare', '10.0.0.11')
    cloud.put('network', 'spare', { mtu: 9000 })
    cloud.put('group', 'theirs', { rules: [{ direction: 'egress', family: 4 }] })
    const lines = (own: boolean): Promise<string[]> =>
      Promise.resolve(
        cloud
          .all(kind)
          .filter(({ owner, name }) => (owner !== undefined && mine.has(owner)) === own && (own || name !== 'spare'))
          .map(({ id: _, revision: __, readyAt: ___, boundAt: ____, ...rest }) => JSON.stringify(rest)),
      )
    return Promise.resolve({
      instance(through) {
        now += 1_000
        const driver = memory(cloud, { ...(through && { way: through.way }) })[kind] as CloudThingDriver<K>
        return Promise.resolve({ driver, wants: wantsOf({ network: network.id, subnet: subnet.id }) })
      },
      ours: () => lines(true),
      theirs: () => lines(false),
      close: () => Promise.resolve(),
    })
  }
}

for (const [how, takesMs] of [
  ['at once', 0],
  ['half a second later', 500],
] as const) {
  driverLaws(`memory cloud, networks ${how}`, { open: world('network', networkWants, takesMs), journeys: cloudJourneys.network })
  driverLaws(`memory cloud, subnets ${how}`, { open: world('subnet', subnetWants, takesMs), journeys: cloudJourneys.subnet })
  driverLaws(`memory cloud, ports ${how}`, {
    open: world('port', portWants, takesMs),
    journeys: [...cloudJourneys.port, ...qosJourneys, ...moveJourneys],
  })
  driverLaws(`memory cloud, groups ${how}`, { open: world('group', groupWants, takesMs), journeys: cloudJourneys.group })
}
