// OpenStack's Neutron behind the contract of clouds: Vpc ↔ network, Subnet ↔ subnet, Port ↔ port,
// SecurityGroup ↔ security group.
import type { CloudDriver } from '../../../../core/contracts/cloud.ts'
import { CloudUnreachable } from '../../../../core/errors.ts'
import type { Resource } from '../../../../core/kinds/index.ts'
import { timeoutMsOf } from '../../../../core/kinds/vpc/cloud.ts'
import { OpenStackClient, type OpenStackOptions } from '../../openstack/client.ts'
import type { CloudDeps } from '../cloud-deps.ts'
import { NeutronApi, type Caller } from './api.ts'
import { groupDriver } from './groups/group.ts'
import { inventory } from './inventory.ts'
import { Mtus } from './known/mtus.ts'
import { networkDriver } from './network.ts'
import { portDriver, portSeer } from './port.ts'
import { QosPolicies } from './known/qos-policies.ts'
import { portQuota } from './quota.ts'
import { SecurityGroups } from './groups/security-groups.ts'
import { subnetDriver } from './subnet.ts'

/** In place of HTTP. */
export type NeutronWay = Pick<OpenStackOptions, 'ask'>

/** Who asks about all of it. */
const everybody = ''

export function neutron(cloud: Resource<'Cloud'>, deps: CloudDeps, way: NeutronWay = {}): CloudDriver {
  const { spec, metadata } = cloud
  const timeoutMs = timeoutMsOf(cloud)
  const { credentials, bindingCredentials, clock, random } = deps
  const client = (of: CloudDeps['credentials']): OpenStackClient =>
    new OpenStackClient({
      unreachable: (reason, cause) => new CloudUnreachable({ cloud: metadata.name, reason, ...(cause !== undefined && { cause }) }),
      service: 'network',
      endpoint: spec.endpoint,
      credentials: of,
      endpoints: { region: spec.region, interface: spec.interface ?? 'public' },
      clock,
      timeoutMs,
      random,
      ...way,
    })
  const clients = [client(credentials), ...(bindingCredentials === undefined ? [] : [client(bindingCredentials)])]
  const [project, binding] = [clients[0]!, clients.at(-1)!].map(
    (each) => new NeutronApi({ cloud: metadata.name, installation: metadata.uid, client: each, clock }),
  ) as [NeutronApi, NeutronApi]
  const seer = { groups: new SecurityGroups(project, clock), qos: new QosPolicies(project, clock), mtus: new Mtus(project, clock) }
  const callerOf = (signal: AbortSignal): Caller => ({ tenant: everybody, signal })
  return {
    network: networkDriver(project),
    subnet: subnetDriver(project),
    port: portDriver({ project, binding, clock, timeoutMs, macs: spec.macs ?? 'ours', ...seer }),
    group: groupDriver(project),
    // Neutron does what it was asked though nobody waits any more, and within the time in which it would have answered.
    landsWithinMs: 2 * timeoutMs,
    inventory: (of, signal) => inventory({ api: project, portSeen: portSeer(seer) }, of, callerOf(signal)),
    quota: (signal) => portQuota(project, callerOf(signal)),
    bearer: (token, signal) => clients[0]!.bearer(token, signal),
    async close() {
      await Promise.all(clients.map((each) => each.close()))
    },
  }
}
