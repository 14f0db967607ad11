// The laws of a cloud's driver on a real Neutron: few ways and few seeds, as each request takes its time. The many are in memory.
import { before } from 'node:test'
import type { CloudAction, CloudKind, CloudScope, CloudSeen, CloudThingDriver } from '../../core/contracts/cloud.ts'
import { people, type Person } from '../../lab/openstack/keystone.ts'
import { realClock } from '../../platform/clock.ts'
import { HttpClient } from '../../platform/http/client.ts'
import { silentLog } from '../../platform/log.ts'
import type { Credentials } from '../../workers/drivers/credentials.ts'
import { neutron } from '../../workers/drivers/cloud/neutron/neutron.ts'
import { groupWants, networkWants, portWants, subnetWants, type Inside } from '../drivers/cloud-wants.ts'
import { cloudAt } from '../drivers/neutron/driver.ts'
import { driverLaws, type DriverWorld, type Through, type Want } from '../laws/driver.ts'
import type { Caller } from '../../lab/openstack/caller.ts'
import type { NeutronWorld } from './lab.ts'

type Wants<K extends CloudKind> = Readonly<Record<string, Want<CloudScope, CloudSeen<K>, CloudAction<K>>>>
type Thing = Readonly<Record<string, unknown>> & { readonly id: string; readonly name: string; readonly description: string }

const isMine = ({ description }: Thing): boolean => /\[megrez:(vpc|subnet|port|group)@cloud-uid\]$/.test(description)
/** What is another one each time: Neutron chooses the addresses of a port, and the tunnel of a network. */
const chosen = [
  'id',
  'revision_number',
  'created_at',
  'updated_at',
  'fixed_ips',
  'provider:segmentation_id',
  'subnets',
  'network_id',
  'status',
  'security_group_rules',
]
/** Rules have IDs, times and no order of their own. */
const textOf = (each: Thing): string =>
  JSON.stringify([Object.entries(each).filter(([field]) => !chosen.includes(field)), rulesIn(each).map(ruleText).sort()])
const rulesIn = (each: Thing): readonly Rule[] => (each['security_group_rules'] ?? []) as readonly Rule[]
type Rule = Readonly<Record<string, unknown>>
const ruleText = ({ direction, ethertype, protocol, port_range_min, port_range_max, remote_ip_prefix }: Rule): string =>
  JSON.stringify([direction, ethertype, protocol, port_range_min, port_range_max, remote_ip_prefix])

/** Ports first: what is in use is not deleted. */
const plurals = ['ports', 'subnets', 'networks', 'security-groups'] as const
const pluralOf = { network: 'networks', subnet: 'subnets', port: 'ports', group: 'security-groups' } as const

/** Tests in the suite around, on a world with Keystone: a tenant's rights make ports, and those of an admin bind them. */
export function cloudLaws(world: () => NeutronWorld): void {
  const http = new HttpClient({ clock: realClock, timeoutMs: 50_000, answerMaxBytes: 1 << 24 })
  let inside: Inside
  let tenant: Caller
  /** IDs of what others have made for them: what else stands in the project, of the pods beside, comes and goes. */
  const theirs = new Set<string>()
  before(async () => {
    tenant = await world().as(person)
    const made = async (plural: string, kind: string, body: object): Promise<string> => {
      const { id } = await tenant.post<Thing>(plural, { [kind]: body })
      theirs.add(id)
      return id
    }
    const network = await made('networks', 'network', { name: 'theirs' })
    const subnet = await made('subnets', 'subnet', { name: 'theirs', network_id: network, cidr: '10.0.0.0/24', ip_version: 4 })
    await made('networks', 'network', { name: 'spare' })
    for (const name of ['web', 'db']) await made('security-groups', 'security_group', { name })
    for (const name of ['theirs', 'spare']) await made('ports', 'port', { name, network_id: network, fixed_ips: [{ subnet_id: subnet }] })
    inside = { network, subnet }
  })

  const all = (kind: CloudKind): Promise<readonly Thing[]> => tenant.get(pluralOf[kind])
  async function reset(): Promise<void> {
    const { admin } = world()
    for (const plural of plurals)
      for (const each of (await tenant.get<readonly Thing[]>(plural)).filter(isMine))
        if (each.name.startsWith('megrez-')) await admin.delete(`${plural}/${each.id}`)
        else await admin.put(`${plural}/${each.id}`, { [plural.slice(0, -1)]: { description: '', ...(plural === 'ports' && unbound) } })
  }

  function on<K extends CloudKind>(kind: K, wantsOf: (inside: Inside) => Wants<K>) {
    return async (): Promise<DriverWorld<CloudScope, CloudSeen<K>, CloudAction<K>>> => {
      await reset()
      const lines = async (own: boolean): Promise<string[]> =>
        (await all(kind))
          .filter((each) => isMine(each) === own && (own || (theirs.has(each.id) && each.name !== 'spare')))
          .map((each) => textOf(each))
          .sort()
      return {
        instance: (through) => Promise.resolve({ driver: driverTo(through)[kind] as CloudThingDriver<K>, wants: wantsOf(inside) }),
        ours: () => lines(true),
        theirs: () => lines(false),
        close: () => Promise.resolve(),
      }
    }
  }
  /** By what was asked: an instance is new, and its token need not be. */
  const tokens = new Map<string, ReturnType<HttpClient['ask']>>()
  const ask: HttpClient['ask'] = (request, signal) => {
    if (!request.url.endsWith('/auth/tokens')) return http.ask(request, signal)
    const answer = tokens.get(request.body!) ?? http.ask(request, signal)
    tokens.set(request.body!, answer)
    return answer
  }
  const driverTo = (through: Through | undefined): ReturnType<typeof neutron> =>
    neutron(
      cloudAt(world().keystone!.url),
      {
        credentials: credentialsOf(person),
        bindingCredentials: credentialsOf('admin'),
        clock: realClock,
        random: Math.random,
        log: silentLog(),
      },
      {
        async ask(request, signal) {
          await through?.way()
          const answer = await ask(request, signal)
          await through?.way()
          return answer
        },
      },
    )

  const few = { seeds: 1, cutEach: 12 }
  driverLaws('a real Neutron, networks', { open: on('network', networkWants), journeys: [['made']], ...few })
  driverLaws('a real Neutron, subnets', { open: on('subnet', subnetWants), journeys: [['made', 'gone']], ...few })
  driverLaws('a real Neutron, groups', { open: on('group', groupWants), journeys: [['made', 'changed']], ...few })
  driverLaws('a real Neutron, ports', { open: on('port', portWants), journeys: [['bound', 'moved']], ...few })
}

const person = 'tenant-a'
const credentialsOf = (of: Person): Credentials => ({ username: of, password: people[of].password, project: people[of].project })
const unbound = { 'binding:host_id': '', device_id: '', device_owner: '' }
