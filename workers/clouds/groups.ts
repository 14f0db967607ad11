// SecurityGroups at clouds: which of them a Port has there, and who needs one there.
import type { Draft } from '../../core/contracts/store.ts'
import { cloudSecurityGroupFinalizer } from '../../core/kinds/annotations.ts'
import { readyCondition } from '../../core/kinds/meta.ts'
import { inNamespaceOf, keyOfItem, resolveReference, type Resource } from '../../core/kinds/index.ts'
import { cloudSecurityGroupName } from '../../core/kinds/vpc/cloud-security-group.ts'
import type { PortGroups } from '../../core/plan/cloud/port.ts'
import { groupsInRules } from '../../core/plan/vpc/security-group.ts'
import type { Env } from '../controller-env.ts'
import { networkOf } from '../gather/port.ts'

type Group = Resource<'SecurityGroup'>
type AtCloud = Resource<'CloudSecurityGroup'>
type Port = Resource<'Port'>

/** What a Port names and what is no SecurityGroup of its namespace is the cloud's own; what is adopted keeps what it has. */
export function groupsOfPort(port: Port, { cloud, isMade }: { cloud: string; isMade: boolean }, { caches }: Env): PortGroups {
  const names = port.spec.securityGroups
  const isOne = (name: string): boolean =>
    port.spec.portID === undefined && caches.SecurityGroup.get(inNamespaceOf(port, name)) !== undefined
  const isOurs = (name: string): boolean => isMade && isOne(name)
  const ours = [...new Set((names ?? []).filter(isOurs))].map((name) => caches.SecurityGroup.get(inNamespaceOf(port, name))!)
  const seen = ours.map((group) => ({ group, at: atCloud(group, cloud, { caches }) }))
  return {
    named: names?.filter((name) => !isOurs(name)),
    unmade: isMade ? [] : (names ?? []).filter(isOne),
    ids: seen.flatMap(({ at }) => usableID(at) ?? []),
    awaited: seen.flatMap(({ group, at }) => (usableID(at) === undefined ? [awaitedText(group, at, cloud)] : [])),
    drafts: seen.flatMap(({ group, at }) => (at === undefined ? [draftOf(group, cloud)] : [])),
  }
}

export const atCloud = (group: Group, cloud: string, { caches }: Pick<Env, 'caches'>): AtCloud | undefined =>
  caches.CloudSecurityGroup.get(inNamespaceOf(group, cloudSecurityGroupName(group.metadata.uid, cloud)))

const usableID = (at: AtCloud | undefined): string | undefined => (at?.status?.usable === true ? at.status.providerID : undefined)

function awaitedText({ metadata: { name } }: Group, at: AtCloud | undefined, cloud: string): string {
  const why = at?.status?.phase === 'error' ? `: ${readyCondition(at.status.conditions)?.message ?? ''}` : ''
  return `SecurityGroup ${name} is not at cloud ${cloud} yet${why}`
}

/** Its name follows from both: who makes it first has made it. */
export const draftOf = (group: Group, cloud: string): Draft<'CloudSecurityGroup'> => ({
  kind: 'CloudSecurityGroup',
  metadata: {
    namespace: group.metadata.namespace ?? '',
    name: cloudSecurityGroupName(group.metadata.uid, cloud),
    finalizers: [cloudSecurityGroupFinalizer],
  },
  spec: { group: group.metadata.name, groupUID: group.metadata.uid, cloud },
})

/** Where the caches know of nobody, the store itself is asked: a Port may be told of later than the group's end is planned. */
export async function isNeeded(item: AtCloud, env: Env): Promise<boolean> {
  const { caches, store } = env
  const known = reaches(item, env, {
    ports: (key) => caches.Port.by('securityGroup', key),
    namers: (key) => caches.SecurityGroup.by('remoteGroup', key),
  })
  const named = caches.SecurityGroup.get(inNamespaceOf(item, item.spec.group))
  if (known && named?.metadata.uid === item.spec.groupUID) return true
  const { namespace = '' } = item.metadata
  const [ports, groups] = await Promise.all([store.list('Port', { namespace }), store.list('SecurityGroup', { namespace })])
  if (!groups.items.some(({ metadata }) => metadata.uid === item.spec.groupUID)) return false
  return reaches(item, env, {
    ports: (key) => ports.items.filter((port) => (port.spec.securityGroups ?? []).some((name) => inNamespaceOf(port, name) === key)),
    namers: (key) => groups.items.filter((group) => groupsInRules(group).some((name) => inNamespaceOf(group, name) === key)),
  })
}

interface Users {
  readonly ports: (key: string) => Iterable<Port>
  readonly namers: (key: string) => Iterable<Group>
}

/** Groups that name each other keep each other there no longer than a Port has one of them. */
function reaches(item: AtCloud, env: Env, { ports, namers }: Users): boolean {
  const found = new Set([inNamespaceOf(item, item.spec.group)])
  for (const key of found) {
    for (const port of ports(key)) if (isAt(port, item.spec.cloud, env)) return true
    for (const group of namers(key)) found.add(keyOfItem(group))
  }
  return false
}

/** Of one whose network nobody knows yet nobody knows that it is not. */
function isAt(port: Port, cloud: string, env: Env): boolean {
  if (port.spec.portID !== undefined) return false
  const { subnet, vpc } = networkOf(port, resolveReference(port.spec.subnet, port.metadata.namespace ?? ''), env)
  return (port.status?.cloud ?? vpc?.spec.cloud ?? (subnet === undefined || vpc === undefined ? cloud : undefined)) === cloud
}

/** Of the SecurityGroups that a group's rules name: their IDs at the cloud, and what is to be made of them. */
export function remotesOf(
  group: Group,
  cloud: string,
  env: Env,
): Pick<PortGroups, 'drafts'> & { readonly ids: Map<string, string | undefined> } {
  const there = groupsInRules(group).flatMap((name) => env.caches.SecurityGroup.get(inNamespaceOf(group, name)) ?? [])
  const seen = there.map((remote) => ({ remote, at: atCloud(remote, cloud, env) }))
  return {
    ids: new Map(seen.map(({ remote, at }) => [keyOfItem(remote), at?.status?.providerID])),
    drafts: seen.flatMap(({ remote, at }) => (at === undefined ? [draftOf(remote, cloud)] : [])),
  }
}

/** `namespace/name` of a Port's SecurityGroups, and of all that their rules name, and theirs. */
export function closureOf(keys: readonly string[], { caches }: Pick<Env, 'caches'>): readonly string[] {
  const found = new Set(keys)
  for (const key of found) {
    const group = caches.SecurityGroup.get(key)
    for (const name of group === undefined ? [] : groupsInRules(group)) found.add(inNamespaceOf(group!, name))
  }
  return [...found]
}

/** Keys of what stands at clouds of these SecurityGroups. */
export const keysAtClouds = (keys: readonly string[], { caches }: Pick<Env, 'caches'>): readonly string[] =>
  keys.flatMap((key) => [...caches.CloudSecurityGroup.by('group', key)].map(keyOfItem))
