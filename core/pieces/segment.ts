// A VNI with at least one Port on this node.
import { segmentItems as graphItems } from '../graph/items.ts'
import { segmentItems as linuxItems } from '../linux/items.ts'
import type { Item } from '../node/item.ts'
import type { Segment } from '../node/wanted.ts'
import { segmentFlows } from '../pipeline/features/segment.ts'
import { segmentRoutes } from '../routing/items.ts'
import type { PieceKind } from './kind.ts'
import { memoryItem } from './memory-item.ts'
import { nameIn } from './names.ts'
import { transitName } from './transit.ts'

export const segmentKey = (vni: number): string => String(vni)

export const segmentPiece: PieceKind<Segment> = {
  name: 'Segment',
  key: ({ vni }) => segmentKey(vni),
  sources: ['segments', 'locks', 'speaker', 'peerings', 'vpcs'],
  /** A port that goes to another VNI takes its number along, and so a meter. */
  names: ({ vni, subnets, numbers: [lowest], router }) => [
    ...(router?.blocks ?? []).map(({ cidr }) => transitName(cidr)),
    ...subnets.flatMap(({ gateway }) => (gateway === undefined ? [] : [nameIn(vni, gateway)])),
    ...(lowest === undefined ? [] : [`broadcast of port ${lowest}`]),
  ],
  routes: (segment) => segmentRoutes(segment),
  planes: {
    ovs: { items: (segment, _, settings) => segmentFlows(settings, segment) },
    bess: { items: (segment, _, options) => graphItems(segment, options) },
    linux: { items: (segment, _, options) => linuxItems(segment, options) },
    memory: { items: inMemory },
  },
}

function inMemory({ vni, subnets, flood, hosts, numbers, loose = [] }: Segment): readonly Item<string>[] {
  const because = { rule: 'a VNI with a port here', of: { kind: 'SegmentLock', name: `vni-${vni}` } } as const
  const gateways = subnets.flatMap(({ gateway }) =>
    gateway === undefined ? [] : [memoryItem(`gateway/${vni}/${gateway}`, 'answered', because)],
  )
  const known = hosts.map((host) => memoryItem(`known/${vni}/${host}`, 'may tunnel', because))
  return flood
    ? [
        ...known,
        ...gateways,
        memoryItem(`flood/${vni}`, `to ${hosts.join(' ')} and ${numbers.join(' ')}, unknown ones to ${loose.join(' ')}`, because),
      ]
    : [...known, ...gateways]
}
