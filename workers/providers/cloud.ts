// The provider of every cloud: the same planners, behind the driver of the Cloud that a Vpc names.
import { inNamespaceOf, resolveReference, type Resource } from '../../core/kinds/index.ts'
import { planCloudSubnet, planNetwork, type NetworkDesired, type SubnetDesired } from '../../core/plan/cloud/network.ts'
import { planCloudPort, type CloudPortAction, type CloudPortDesired } from '../../core/plan/cloud/port.ts'
import type { CloudSession } from '../clouds/cloud-sessions.ts'
import type { Env } from '../controller-env.ts'
import { hostIPOf, isCreatedByUs, isToLeave, networkOf } from '../gather/port.ts'
import { learnGroups } from '../gather/absent-groups.ts'
import { groupsOfPort } from '../clouds/groups.ts'
import { closingAtCloud } from '../policy/ports-of-clouds.ts'
import { offerFor } from '../gather/warm-entry.ts'
import { around, cloudController, type CloudDesired } from './cloud-controller.ts'
import { portsInSubnet, subnetsIn } from '../gather/network-deletion-blockers.ts'
import type { Provider } from './provider.ts'

type Vpc = Resource<'Vpc'>

export function cloudProvider(env: Env): Provider {
  const { caches } = env
  const vpcs = cloudController<'network', NetworkDesired & CloudDesired>(env, 'network', planNetwork, async (key, made) => {
    const item = (made as Vpc | undefined) ?? caches.Vpc.get(key)
    return item && { ...around(item, item, env), item, blockers: await subnetsIn(item, env) }
  })
  const subnets = cloudController<'subnet', SubnetDesired & CloudDesired>(env, 'subnet', planCloudSubnet, async (key, made) => {
    const item = (made as Resource<'Subnet'> | undefined) ?? caches.Subnet.get(key)
    const vpc = item && caches.Vpc.get(inNamespaceOf(item, item.spec.vpc ?? ''))
    return item && { ...around(item, vpc, env), item, vpc, blockers: await portsInSubnet(item, env) }
  })
  const ports = cloudController<'port', PortDesired, CloudPortAction>(env, 'port', planCloudPort, (key, made) => {
    const item = (made as Resource<'Port'> | undefined) ?? caches.Port.get(key)
    return item && portDesired(item, env)
  })
  return { Vpc: vpcs, Subnet: subnets, Port: ports }
}

type PortDesired = CloudPortDesired & CloudDesired & { readonly item: Resource<'Port'> }

async function portDesired(item: Resource<'Port'>, env: Env): Promise<PortDesired> {
  await learnGroups(item, env)
  const named = resolveReference(item.spec.subnet, item.metadata.namespace ?? '')
  const { subnet, vpc } = networkOf(item, named, env)
  const { scope, ...rest } = around(item, vpc, env)
  const waitsFor = { kind: 'address', namespace: named.namespace, subnet: named.name } as const
  const pod = item.spec.podUID ?? item.spec.claim?.podUID
  return {
    ...rest,
    item,
    subnet,
    scope: {
      ...scope,
      ...(pod !== undefined && { pod }),
      ...(item.spec.type === 'tap' && { moves: true }),
      ...(subnet?.status?.providerID !== undefined && { subnet: subnet.status.providerID }),
    },
    hostIP: hostIPOf(item, env),
    createdByUs: isCreatedByUs(item),
    room: { waitsFor, cameAt: env.waiting.lastCame(waitsFor) },
    isToLeave: isToLeave(item, named, env),
    agents: env.config.agents,
    offer: offerFor(item, env),
    closedBy: closedBy(item, env),
    isClaimed: env.caches.Cloud.get(rest.cloud)?.spec.macs === 'cloud',
    groups: groupsOfPort(item, { cloud: rest.cloud, isMade: makesGroups(rest.session) }, env),
  }
}

function closedBy(port: Resource<'Port'>, env: Env): string | undefined {
  const { kind, namespace = '', name } = closingAtCloud(port, env)?.of ?? {}
  return kind && `${kind} ${namespace}/${name ?? ''}`
}

/** Of a cloud that is not known now nobody knows that it makes none: what there is of ours stays ours. */
const makesGroups = (session: CloudSession): boolean => !('driver' in session) || session.driver.group !== undefined
