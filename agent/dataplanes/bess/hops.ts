// The MAC behind which each host of the tunnel is: from the kernel's neighbours, as rules of one table. The kernel keeps the tunnel
// address and asks for it; BESS has no module that could.
import { createHash } from 'node:crypto'
import type { Uplink } from '../../../core/graph/base.ts'
import { hexOfMac, hexOfV4 } from '../../../core/graph/bytes.ts'
import { tunnelDestination } from '../../../core/graph/endpoints.ts'
import { classText, itemOfElement, type ModuleElement, type Element, type RuleElement } from '../../../core/graph/elements.ts'
import type { NodeChange } from '../../../core/contracts/dataplane.ts'
import { hopRole, hopTable, isHop } from './names.ts'
import type { Graph, SeenModule } from './read-graph.ts'

/** The network under the tunnel, as the node's kernel has it. */
export interface Underlay {
  readonly uplink: Uplink
  /** The MAC of each host, or of the router on the way to it; none while nobody answers. */
  macsOf(hosts: readonly string[], signal: AbortSignal): Promise<Macs>
  /** Takes the tunnel's UDP port, so that nobody else does and the kernel refuses no frame; the answer gives it back. @throws InUse */
  claim(): Promise<() => Promise<void>>
}

/** By host. */
export type Macs = ReadonlyMap<string, string>

const because = { rule: 'a host of the tunnel', of: { kind: 'Node', name: 'here' } } as const
/** Of the anchor. */
const nobody = '00000000'
const destination = new RegExp(`\\b${tunnelDestination}=([0-9a-f]{8})\\b`)

/** The host that a module sends to, as an address; undefined for others. */
export function hostOf({ mclass, made }: Pick<SeenModule, 'mclass' | 'made'>): string | undefined {
  const hex = mclass === 'SetMetadata' ? destination.exec(made)?.[1] : undefined
  return hex === undefined || hex === nobody ? undefined : [...Buffer.from(hex, 'hex')].join('.')
}

export const hostsOf = ({ modules }: Graph): readonly string[] => [...new Set(modules.flatMap((module) => hostOf(module) ?? []))].sort()

function hopElement({ uplink }: Underlay, host: string, mac: string): ModuleElement {
  return {
    kind: 'module',
    role: hopRole(host),
    args: {
      mclass: 'SetMetadata',
      attrs: [
        { name: 'ether_src', value: hexOfMac(uplink.mac) },
        { name: 'ether_dst', value: hexOfMac(mac) },
      ],
    },
    next: ['etherencap'],
  }
}
const hopRule = (host: string): RuleElement => ({ kind: 'rule', table: hopTable, values: [hexOfV4(host)], to: hopRole(host) })

/** Whether frames to this host leave towards this MAC. */
function leads({ modules }: Graph, wanted: ModuleElement, host: string): boolean {
  const hop = modules.find(({ role, made }) => role === wanted.role && made === classText(wanted.args))
  const rules = modules.find(({ role }) => role === hopTable)
  const rule = rules?.table?.rules.find(({ values }) => values[0] === hexOfV4(host))
  return (
    hop !== undefined &&
    [...hop.outs.values()].some((name) => name.startsWith('mgz:etherencap ')) &&
    rule !== undefined &&
    rules?.outs.get(rule.gate) === hop.name
  )
}

/** Hosts in use whose way is not as it should be. */
export const misplacedHosts = (graph: Graph, underlay: Underlay, macs: Macs): readonly string[] =>
  hostsOf(graph).filter((host) => {
    const mac = macs.get(host)
    return mac === undefined || !leads(graph, hopElement(underlay, host, mac), host)
  })

/** The hosts that a change leads to. */
export const hostsPut = ({ put }: NodeChange<Element>): readonly string[] => [
  ...new Set(
    put.flatMap(({ value }) => (value.kind === 'module' ? (hostOf({ mclass: value.args.mclass, made: classText(value.args) }) ?? []) : [])),
  ),
]

/**
 * Ways to the hosts that have just been led to, and none to those that nobody leads to any more.
 *
 * @param there modules that are there now: their names say enough
 */
export function hopChange(
  there: readonly Pick<SeenModule, 'role' | 'mclass' | 'made'>[],
  underlay: Underlay,
  macs: Macs,
): NodeChange<Element> {
  const used = new Set(there.flatMap((module) => hostOf(module) ?? []))
  const gone = there
    .filter(({ role }) => isHop(role))
    .map(({ role }) => role.slice(hopRole('').length))
    .filter((host) => !used.has(host))
  return {
    drop: gone.flatMap((host) => [
      itemOfElement(hopRule(host), because),
      itemOfElement(hopElement(underlay, host, '00:00:00:00:00:00'), because),
    ]),
    put: [...macs].flatMap(([host, mac]) => [
      itemOfElement(hopElement(underlay, host, mac), because),
      itemOfElement(hopRule(host), because),
    ]),
  }
}

export const digestOf = (lines: readonly string[]): string => createHash('sha256').update(lines.join('\n')).digest('hex')
