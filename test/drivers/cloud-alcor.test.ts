import type { CloudAction, CloudScope, CloudSeen, CloudThingDriver } from '../../core/contracts/cloud.ts'
import type { AlcorKind } from '../../workers/drivers/cloud/alcor/entities.ts'
import { apiVersion } from '../../core/kinds/meta.ts'
import type { Resource } from '../../core/kinds/index.ts'
import { realClock } from '../../platform/clock.ts'
import { alcor } from '../../workers/drivers/cloud/alcor/alcor.ts'
import { driverLaws, type DriverWorld, type Want } from '../laws/driver.ts'
import { AlcorDouble, type AlcorFaults } from './alcor-double.ts'
import { cloudJourneys, networkWants, portWants, subnetWants, type Inside } from './cloud-wants.ts'

type Wants<K extends AlcorKind> = Readonly<Record<string, Want<CloudScope, CloudSeen<K>, CloudAction<K>>>>
const cloud: Resource<'Cloud'> = {
  apiVersion,
  kind: 'Cloud',
  metadata: { name: 'c', uid: 'cloud', resourceVersion: '1', generation: 1, creationTimestamp: '2026-01-01T00:00:00Z' },
  spec: { provider: 'alcor', endpoint: 'http://alcor.example/project/p' },
}
const plurals = { network: 'vpcs', subnet: 'subnets', port: 'ports' } as const
const isOwn = (tags: unknown): boolean => Array.isArray(tags) && tags.includes('megrez-cloud=cloud')

/** Whose sender is gone tells nobody that the cloud did not answer. */
function cutOff(err: unknown): never {
  throw err instanceof Error && err.cause instanceof Error && err.cause.message === 'cut off' ? err.cause : err
}

function world<K extends AlcorKind>(kind: K, wantsOf: (inside: Inside) => Wants<K>, faults: AlcorFaults) {
  return (): Promise<DriverWorld<CloudScope, CloudSeen<K>, CloudAction<K>>> => {
    const double = new AlcorDouble()
    double.put('vpcs', { id: 'network-1', name: 'theirs', mtu: 1500 })
    double.put('vpcs', { id: 'network-2', name: 'spare', mtu: 9000 })
    double.put('subnets', { id: 'subnet-2', name: 'theirs', network_id: 'network-1', cidr: '10.0.0.0/24' })
    const port = (name: string, nth: number): void =>
      double.put('ports', {
        id: `port-${nth}`,
        name,
        mac_address: `02:00:00:00:00:${nth}`,
        network_id: 'network-1',
        fixed_ips: [{ subnet_id: 'subnet-2', ip_address: `10.0.0.${nth}` }],
        tags: ['rack=7'],
      })
    port('theirs', 10)
    port('spare', 11)
    Object.assign(double.faults, faults)
    const lines = (own: boolean): Promise<string[]> =>
      Promise.resolve(
        double
          .all(plurals[kind])
          .filter(({ tags, name }) => isOwn(tags) === own && (own || name !== 'spare'))
          .map(({ revision_number: _, ...rest }) => JSON.stringify(rest, Object.keys(rest).sort())),
      )
    return Promise.resolve({
      instance(through) {
        const ask: Parameters<typeof alcor>[2] = async (request) => {
          await through?.way()
          const answer = double.ask(request)
          await through?.way()
          return answer
        }
        const of = alcor(cloud, { credentials: {}, clock: realClock }, ask)[kind] as CloudThingDriver<K>
        const driver: CloudThingDriver<K> = {
          ...of,
          observe: (scope, signal) => of.observe(scope, signal).catch(cutOff),
          apply: (action, signal) => of.apply(action, signal).catch(cutOff),
        }
        return Promise.resolve({ driver, wants: wantsOf({ network: 'network-1', subnet: 'subnet-2' }) })
      },
      ours: () => lines(true),
      theirs: () => lines(false),
      close: () => Promise.resolve(),
    })
  }
}

for (const [how, faults] of [
  ['as it is', {}],
  ['with lists that lag', { listsLag: 3 }],
] as const) {
  driverLaws(`Alcor, VPCs, ${how}`, { open: world('network', networkWants, faults), journeys: cloudJourneys.network })
  driverLaws(`Alcor, subnets, ${how}`, { open: world('subnet', subnetWants, faults), journeys: cloudJourneys.subnet })
  driverLaws(`Alcor, ports, ${how}`, { open: world('port', portWants, faults), journeys: cloudJourneys.port })
}
