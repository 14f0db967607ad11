// All Ports of a VNI, or of a VLAN, as policies look at them, and all policies that are in force there: as we see it, whoever asks. What is
// answered of them is about Ports that the caller may read.
import { inNamespaceOf, keyOfItem, type Kind, type Resource } from '../../../core/kinds/index.ts'
import { segmentField, segmentOf } from '../../../core/kinds/vpc/segment.ts'
import type { ForecastNetwork, ForecastPort } from '../../../core/policy/forecast.ts'
import { defaultGroup, memberOf } from '../../../core/policy/member.ts'
import { pairBlocks, segmentAround } from '../../../core/policy/network.ts'
import type { PolicyKind } from '../../../core/policy/read.ts'
import { everyOf } from '../across/gather.ts'
import type { RestDeps } from '../deps.ts'

export interface PolicedNetwork extends ForecastNetwork {
  readonly policies: readonly Resource<PolicyKind>[]
}

export interface NetworkQuestion {
  /** Or the number of a VLAN. */
  readonly vni: number
  /** Whether the caller may read Ports of a namespace. */
  readonly isShown: (namespace: string) => boolean
  /** Namespaces that have, or would have, a SecurityGroup `default`, beside those that are found to. */
  readonly withDefault: readonly string[]
}

export async function networkOf(deps: RestDeps, { vni, isShown, withDefault }: NetworkQuestion): Promise<PolicedNetwork> {
  const ports = await everyOf(deps, undefined, 'Port', { fields: { [segmentField(vni)]: String(vni) } })
  const names = [...new Set(ports.map(({ metadata }) => metadata.namespace ?? ''))]
  const [pods, groups] = await Promise.all([within(deps, 'Pod', names), within(deps, 'SecurityGroup', names)])
  const [policies, namespaces] = await Promise.all([policiesOf(deps, names), everyOf(deps, undefined, 'Namespace')])
  const subnets = (await everyOf(deps, undefined, 'Subnet')).filter((subnet) => segmentOf(subnet) === vni)
  const defaults = groups.filter(({ metadata }) => metadata.name === defaultGroup).map(({ metadata }) => metadata.namespace ?? '')
  const around = { pods: byKey(pods), namespaces: byKey(namespaces), withDefault: new Set([...withDefault, ...defaults]) }
  const all = ports.map((port) => forecastPort(port, around, isShown))
  return {
    vni,
    ...segmentAround(vni, subnets),
    pairsOf: (group) => pairBlocks(all.filter(({ member }) => member.securityGroups.includes(group)).map(({ port }) => port)),
    ports: all,
    policies: [...groups, ...policies],
  }
}

export const within = async <K extends Kind>(deps: RestDeps, kind: K, names: readonly string[]): Promise<readonly Resource<K>[]> =>
  (await Promise.all(names.map((namespace) => everyOf(deps, undefined, kind, { namespace })))).flat()

/** All that may judge pods of some namespaces, save SecurityGroups. */
export async function policiesOf(deps: RestDeps, names: readonly string[]): Promise<readonly Resource<PolicyKind>[]> {
  const found = await Promise.all([
    within(deps, 'UnifiedNetworkPolicy', names),
    within(deps, 'NetworkPolicy', names),
    everyOf(deps, undefined, 'AdminNetworkPolicy'),
    everyOf(deps, undefined, 'BaselineAdminNetworkPolicy'),
    everyOf(deps, undefined, 'ClusterNetworkPolicy'),
  ])
  return found.flat()
}

const byKey = <K extends Kind>(items: readonly Resource<K>[]): ReadonlyMap<string, Resource<K>> =>
  new Map(items.map((item) => [keyOfItem(item), item]))

interface AroundPorts {
  readonly pods: ReadonlyMap<string, Resource<'Pod'>>
  readonly namespaces: ReadonlyMap<string, Resource<'Namespace'>>
  readonly withDefault: ReadonlySet<string>
}

function forecastPort(
  port: Resource<'Port'>,
  { pods, namespaces, withDefault }: AroundPorts,
  isShown: (namespace: string) => boolean,
): ForecastPort {
  const { namespace = '' } = port.metadata
  const pod = port.spec.claim && pods.get(inNamespaceOf(port, port.spec.claim.pod))
  const hasDefaultGroup = withDefault.has(namespace)
  return { port, member: memberOf(port, { pod, namespace: namespaces.get(namespace), hasDefaultGroup }), isShown: isShown(namespace) }
}
