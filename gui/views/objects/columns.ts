// What the list of a kind says of each object, beside its name and phase.
import type { Item, Kind } from '../../contract/kinds.ts'
import { reportOf } from '../../contract/report.ts'

export interface Column {
  readonly name: string
  readonly of: (item: Item) => string
}

/** By path: a list is shown with commas between. */
function at(item: Item, path: string): string {
  let value: unknown = item
  for (const step of path.split('.')) value = (value as Readonly<Record<string, unknown>> | undefined)?.[step]
  if (Array.isArray(value)) return value.map((each) => (typeof each === 'object' ? '' : String(each))).join(', ')
  return value === undefined || value === null || typeof value === 'object' ? '' : String(value)
}
const column = (name: string, path: string): Column => ({ name, of: (item) => at(item, path) })

const byKind: Readonly<Partial<Record<Kind, readonly Column[]>>> = {
  Pod: [
    { name: 'Addresses', of: (item) => (reportOf(item).nics ?? []).flatMap(({ addresses = [] }) => addresses).join(', ') },
    column('Node', 'spec.nodeName'),
  ],
  Port: [
    column('Addresses', 'status.addresses'),
    column('Subnet', 'spec.subnet'),
    column('Pod', 'spec.claim.pod'),
    column('Node', 'spec.node'),
  ],
  Subnet: [column('Vpc', 'spec.vpc'), column('IPv4', 'spec.ipv4.cidr'), column('IPv6', 'spec.ipv6.cidr'), column('VNI', 'status.vni')],
  Vpc: [column('Provider', 'spec.provider'), column('VNI', 'status.vni')],
  IPLock: [column('Subnet', 'spec.subnet'), column('Address', 'spec.address'), column('Holder', 'spec.holder.name')],
  Subscription: [column('To', 'spec.callbackURL')],
  Notice: [column('Of', 'spec.of.name'), column('Kind', 'spec.of.kind'), column('Sequence', 'spec.sequence'), column('Told', 'spec.phase')],
  Inquiry: [column('About', 'spec.about'), column('Port', 'spec.port'), column('Outcome', 'status.answer.outcome')],
  Event: [column('Of', 'spec.regarding.name'), column('Reason', 'spec.reason'), column('Note', 'spec.note')],
  Fabric: [column('Driver', 'spec.driver'), column('Physical network', 'spec.physicalNetwork')],
  L2Service: [column('Segment', 'spec.segmentationID')],
}

export const columnsOf = (kind: Kind): readonly Column[] => byKind[kind] ?? []
