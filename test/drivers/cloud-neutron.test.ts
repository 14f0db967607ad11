// Neutron's driver on a Neutron in memory: the laws of clouds, each request a step on the way.
import type { CloudAction, CloudKind, CloudScope, CloudSeen, CloudThingDriver } from '../../core/contracts/cloud.ts'
import { driverLaws, type DriverWorld, type Want } from '../laws/driver.ts'
import { cloudJourneys, moveJourneys, qosJourneys, groupWants, networkWants, portWants, subnetWants, type Inside } from './cloud-wants.ts'
import { driverOn } from './neutron/driver.ts'
import type { Fields } from './neutron/answer.ts'
import { NeutronModel } from './neutron/model.ts'

type Wants<K extends CloudKind> = Readonly<Record<string, Want<CloudScope, CloudSeen<K>, CloudAction<K>>>>
const isMine = ({ description }: Fields): boolean => /\[megrez:(vpc|subnet|port|group)@cloud-uid\]$/.test(String(description))

const plurals = { network: 'networks', subnet: 'subnets', port: 'ports', group: 'security-groups' } as const

/** Rules have IDs of their own, and no order. */
const textOf = ({ security_group_rules: rules, ...rest }: Record<string, unknown>): string =>
  JSON.stringify([rest, ((rules ?? []) as readonly { id: string }[]).map(({ id: _, ...rule }) => JSON.stringify(rule)).sort()])

function world<K extends CloudKind>(kind: K, wantsOf: (inside: Inside) => Wants<K>, macs: 'ours' | 'cloud' = 'ours') {
  return (): Promise<DriverWorld<CloudScope, CloudSeen<K>, CloudAction<K>>> => {
    const model = new NeutronModel({ macs })
    const network = model.put('networks', { name: 'theirs', status: 'ACTIVE', mtu: 1500 })
    const subnet = model.put('subnets', { name: 'theirs', network_id: network.id, cidr: '10.0.0.0/24', ip_version: 4, gateway_ip: null })
    model.put('networks', { name: 'spare', status: 'ACTIVE', mtu: 9000 })
    for (const name of ['slow', 'fast']) model.put('policies', { name })
    for (const name of ['web', 'db']) model.put('security-groups', { name })
    for (const [name, address] of [
      ['theirs', '10.0.0.10'],
      ['spare', '10.0.0.11'],
    ] as const)
      model.put('ports', {
        name,
        network_id: network.id,
        status: 'DOWN',
        mac_address: `02:00:00:00:00:${address.slice(-2)}`,
        fixed_ips: [{ subnet_id: subnet.id, ip_address: address }],
      })
    const lines = (own: boolean): Promise<string[]> =>
      Promise.resolve(
        model
          .all(plurals[kind])
          .filter((each) => isMine(each) === own && (own || each.name !== 'spare'))
          .map(({ id, revision_number: _, ...rest }) => textOf({ ...rest, bindings: model.inactive.get(id) ?? [] })),
      )
    return Promise.resolve({
      instance: (through) =>
        Promise.resolve({
          driver: driverOn(model, through?.way, { macs })[kind] as CloudThingDriver<K>,
          wants: wantsOf({ network: network.id, subnet: subnet.id }),
        }),
      ours: () => lines(true),
      theirs: () => lines(false),
      close: () => Promise.resolve(),
    })
  }
}

driverLaws('Neutron in memory, networks', { open: world('network', networkWants), journeys: cloudJourneys.network })
driverLaws('Neutron in memory, subnets', { open: world('subnet', subnetWants), journeys: cloudJourneys.subnet })
driverLaws('Neutron in memory, ports', {
  open: world('port', portWants),
  journeys: [...cloudJourneys.port, ...qosJourneys, ...moveJourneys],
})
driverLaws('Neutron in memory that chooses MACs, ports', {
  open: world('port', portWants, 'cloud'),
  journeys: cloudJourneys.port.filter((journey) => !journey.some((name) => name === 'fixed')),
})
driverLaws('Neutron in memory, groups', { open: world('group', groupWants), journeys: cloudJourneys.group })
