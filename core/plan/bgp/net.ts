// What plans of BGP look at: the same for a group's report, a speaker and a lock, so that all three say the same.
import type { Resource } from '../../kinds/index.ts'
import { tableOf } from '../../net/route-table.ts'

export type SessionGroup = Resource<'BGPSessionGroup'>

/** All by `namespace/name`, or name. */
export interface BGPNet {
  readonly groups: readonly SessionGroup[]
  readonly vpc: (key: string) => Resource<'Vpc'> | undefined
  readonly subnet: (key: string) => Resource<'Subnet'> | undefined
  readonly prefixLock: (bucket: string) => Resource<'PrefixLock'> | undefined
}

const isOlder = (a: Resource, b: Resource): boolean => {
  const [at, than] = [Date.parse(a.metadata.creationTimestamp), Date.parse(b.metadata.creationTimestamp)]
  return at < than || (at === than && a.metadata.name < b.metadata.name)
}

/** The older group that has the route table that this one would have. */
export function tableHolder(group: SessionGroup, groups: Iterable<SessionGroup>): SessionGroup | undefined {
  const table = tableOf(group.metadata.name)
  for (const other of groups) if (tableOf(other.metadata.name) === table && isOlder(other, group)) return other
  return undefined
}

interface Labelled {
  readonly matchLabels?: Readonly<Record<string, string>>
}
export function selects({ matchLabels = {} }: Labelled = {}, node: Resource<'Node'>): boolean {
  const labels = node.metadata.labels ?? {}
  return Object.entries(matchLabels).every(([name, value]) => labels[name] === value)
}

export interface Addresses {
  readonly ipv4?: string
  readonly ipv6?: string
}
/** The node's own that sessions come from: the first InternalIP of each family. */
export function addressesOf({ status }: Resource<'Node'>): Addresses {
  const internal = (status?.addresses ?? []).filter(({ type }) => type === 'InternalIP').map(({ address }) => address)
  const ipv4 = internal.find((each) => !each.includes(':'))
  const ipv6 = internal.find((each) => each.includes(':'))
  return { ...(ipv4 !== undefined && { ipv4 }), ...(ipv6 !== undefined && { ipv6 }) }
}

/** Whether a node is one of a group that is there to stay. */
export const speaksIn = ({ metadata, spec }: SessionGroup, node: Resource<'Node'>): boolean =>
  metadata.deletionTimestamp === undefined && node.metadata.deletionTimestamp === undefined && selects(spec.nodes, node)

export const agrees = ({ spec }: Resource<'Vpc'>, group: SessionGroup): boolean =>
  spec.bgpSessionGroups?.includes(group.metadata.name) === true

/** Whether routes of a family are exchanged. */
export const hasFamily = ({ spec: { addressFamilies } }: SessionGroup, cidrOrAddress: string): boolean =>
  addressFamilies === undefined || addressFamilies.includes(cidrOrAddress.includes(':') ? 'ipv6-unicast' : 'ipv4-unicast')

/** Why no route of a Vpc goes anywhere by BGP; undefined: it may. */
export function whyNotVpc(key: string, vpc: Resource<'Vpc'> | undefined, group: SessionGroup): string | undefined {
  if (vpc === undefined) return `Vpc ${key} not found`
  if (vpc.metadata.deletionTimestamp !== undefined) return `Vpc ${key} is being deleted`
  if (agrees(vpc, group)) return undefined
  return `Vpc ${key} does not agree: its owner names ${group.metadata.name} in spec.bgpSessionGroups`
}
