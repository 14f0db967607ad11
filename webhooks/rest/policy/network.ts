// All Ports of a VNI as policies look at them, and all policies that are in force there: as we see it, whoever asks. What is answered of
// them is about Ports that the caller may read.
import type { Store, Within } from '../../../core/contracts/store.ts'
import { TooMany } from '../../../core/errors.ts'
import { inNamespaceOf, keyOfItem, type Kind, type Resource } from '../../../core/kinds/index.ts'
import { parseCidr } from '../../../core/net/cidr.ts'
import type { ForecastNetwork, ForecastPort } from '../../../core/policy/forecast.ts'
import { defaultGroup, memberOf } from '../../../core/policy/member.ts'
import type { PolicyKind } from '../../../core/policy/read.ts'
import { KindNotServed } from '../../../platform/kube/answers.ts'
import { gatheredMax } from '../across/gather.ts'

const pageSize = 1_000

/** Page by page. Of somebody else's kind that a cluster does not have there are none. @throws TooMany */
export async function everyOf<K extends Kind>(store: Store, kind: K, within: Within = {}): Promise<readonly Resource<K>[]> {
  const all: Resource<K>[] = []
  let place: { readonly continue?: string } = {}
  for (;;) {
    const page = await store.list(kind, { ...within, ...place, limit: pageSize }).catch((err: unknown) => {
      if (err instanceof KindNotServed) return { items: [], resourceVersion: '', continue: undefined }
      throw err
    })
    all.push(...page.items)
    if (all.length > gatheredMax) throw new TooMany({ kind, max: gatheredMax })
    if (page.continue === undefined) return all
    place = { continue: page.continue }
  }
}

export interface PolicedNetwork extends ForecastNetwork {
  readonly policies: readonly Resource<PolicyKind>[]
}

export interface NetworkQuestion {
  readonly vni: number
  /** Whether the caller may read Ports of a namespace. */
  readonly isShown: (namespace: string) => boolean
  /** Namespaces that have, or would have, a SecurityGroup `default`, beside those that are found to. */
  readonly withDefault: readonly string[]
}

export async function networkOf(store: Store, { vni, isShown, withDefault }: NetworkQuestion): Promise<PolicedNetwork> {
  const ports = await everyOf(store, 'Port', { fields: { '.status.vni': String(vni) } })
  const names = [...new Set(ports.map(({ metadata }) => metadata.namespace ?? ''))]
  const within = async <K extends Kind>(kind: K): Promise<readonly Resource<K>[]> =>
    (await Promise.all(names.map((namespace) => everyOf(store, kind, { namespace })))).flat()
  const [pods, groups, unified, network] = await Promise.all([
    within('Pod'),
    within('SecurityGroup'),
    within('UnifiedNetworkPolicy'),
    within('NetworkPolicy'),
  ])
  const [admin, baseline, cluster, namespaces] = await Promise.all([
    everyOf(store, 'AdminNetworkPolicy'),
    everyOf(store, 'BaselineAdminNetworkPolicy'),
    everyOf(store, 'ClusterNetworkPolicy'),
    everyOf(store, 'Namespace'),
  ])
  const subnets = (await everyOf(store, 'Subnet')).filter(({ status }) => status?.vni === vni)
  const defaults = groups.filter(({ metadata }) => metadata.name === defaultGroup).map(({ metadata }) => metadata.namespace ?? '')
  const around = { pods: byKey(pods), namespaces: byKey(namespaces), withDefault: new Set([...withDefault, ...defaults]) }
  return {
    vni,
    families: ([4, 6] as const).filter((family) => subnets.some(({ spec }) => spec[family === 4 ? 'ipv4' : 'ipv6'] !== undefined)),
    subnets: new Map(subnets.map((subnet) => [keyOfItem(subnet), blocksOf(subnet)])),
    pairsOf: (group) => ports.filter((port) => hasGroup(port, group)).flatMap(({ spec }) => (spec.allowedAddressPairs ?? []).map(blockOf)),
    ports: ports.map((port) => forecastPort(port, around, isShown)),
    policies: [...groups, ...unified, ...network, ...admin, ...baseline, ...cluster],
  }
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

const hasGroup = (port: Resource<'Port'>, group: string): boolean =>
  (port.spec.securityGroups ?? []).some((name) => inNamespaceOf(port, name) === group)
const blockOf = ({ ip }: { readonly ip: string }): string => (ip.includes('/') ? ip : `${ip}/${ip.includes(':') ? 128 : 32}`)
const blocksOf = ({ spec }: Resource<'Subnet'>): readonly string[] =>
  [spec.ipv4?.cidr, spec.ipv6?.cidr].filter((cidr): cidr is string => cidr !== undefined && parseCidr(cidr) !== undefined)
