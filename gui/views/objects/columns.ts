// What the list of a kind says of each object, beside its name and phase.
import type { Item, Kind } from '../../contract/kinds.ts'
import { reportOf } from '../../contract/report.ts'

export interface Column {
  readonly name: string
  readonly of: (item: Item) => string
}

/** By their names. The compiler holds each against the contract: a column of a field that the kind has not does not compile. */
type Columns<K extends Kind> = Readonly<Record<string, (item: Item<K>) => unknown>>

const byKind: { readonly [K in Kind]?: Columns<K> } = {
  Pod: {
    Addresses: (item) => (reportOf(item).nics ?? []).flatMap(({ addresses = [] }) => addresses),
    Node: ({ spec }) => spec['nodeName'],
  },
  Port: {
    Addresses: ({ status }) => status?.addresses,
    Subnet: ({ spec }) => spec.subnet,
    Pod: ({ spec }) => spec.claim?.pod,
    Node: ({ spec }) => spec.node,
  },
  Subnet: {
    Vpc: ({ spec }) => spec.vpc,
    IPv4: ({ spec }) => spec.ipv4?.cidr,
    IPv6: ({ spec }) => spec.ipv6?.cidr,
    VNI: ({ status }) => status?.vni,
    VLAN: ({ status }) => status?.vlan?.id,
  },
  Vpc: { Provider: ({ spec }) => spec.provider, VNI: ({ status }) => status?.vni, VLAN: ({ status }) => status?.vlan?.id },
  IPLock: { Subnet: ({ spec }) => spec.subnet, Address: ({ spec }) => spec.address, Holder: ({ spec }) => spec.holder?.name },
  Subscription: { To: ({ spec }) => spec.sink },
  Notice: {
    Of: ({ spec }) => spec.of.name,
    Kind: ({ spec }) => spec.of.kind,
    Sequence: ({ spec }) => spec.sequence,
    Told: ({ spec }) => spec.phase,
  },
  Inquiry: { About: ({ spec }) => spec.about, Port: ({ spec }) => spec.port, Outcome: ({ status }) => status?.answer?.outcome },
  Event: {
    Of: ({ spec }) => (spec['regarding'] as { readonly name?: string } | undefined)?.name,
    Reason: ({ spec }) => spec['reason'],
    Note: ({ spec }) => spec['note'],
  },
  Fabric: { Switches: ({ spec }) => spec.switches.map(({ name }) => name) },
  L2Service: { Segment: ({ spec }) => spec.segmentationID, VRF: ({ spec }) => spec.vrf },
  L2BridgeDomain: { VLAN: ({ spec }) => spec.vlan, VRF: ({ spec }) => spec.vrf },
}

/** A list is shown with commas between. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(', ')
  return value === undefined || value === null || typeof value === 'object' ? '' : String(value)
}

const columns = new Map<string, readonly Column[]>(
  Object.entries(byKind).map(([kind, all]) => [
    kind,
    Object.entries(all as Columns<Kind>).map(([name, of]) => ({ name, of: (item) => textOf(of(item)) })),
  ]),
)
export const columnsOf = (kind: Kind): readonly Column[] => columns.get(kind) ?? []
