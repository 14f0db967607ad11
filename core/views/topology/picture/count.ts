// Ports by node, by Subnet and by what their Subnet is of, from counts that are kept: however many Ports there are, none is looked at.
import { keyOf, resolveReference } from '../../../kinds/index.ts'
import { Tally, type Bundle, type Cell } from '../bundle.ts'
import { vertexId } from '../graph.ts'
import type { NetworkIndex } from '../network-index.ts'
import type { PictureFilter } from './question.ts'

/** Cells that are gone through at a time: others are let in between. */
export const cellsAtOnce = 20_000

export class Count {
  ports = 0
  readonly phases = new Tally()

  add({ ports, phases }: Cell, phase: string | undefined): void {
    this.ports += phase === undefined ? ports : phases.of(phase)
    for (const [each, count] of phases.entries()) if (phase === undefined || each === phase) this.phases.add(each, count)
  }
}

/** A bundle some of whose Ports are wanted, and what it is drawn in. */
export interface Counted {
  readonly bundle: Bundle
  readonly card: string
}
export interface Counts {
  ports: number
  /** By id, `Node/` where they are on none. */
  readonly nodes: Map<string, Count>
  readonly cards: Map<string, Count>
  /** By key. */
  readonly subnets: Map<string, Count>
  readonly cardOfSubnet: Map<string, string>
  readonly bundles: Counted[]
}

/** What a Subnet, and the Ports in it, are of: its Vpc or L2Service; where that is not seen the segment. */
export function cardOf({ objects }: NetworkIndex, subnet: string, vni: number | undefined): string {
  const found = objects.Subnet.get(subnet)
  const { vpc, l2Service } = found?.spec ?? {}
  const namespace = found?.metadata.namespace
  if (vpc !== undefined) return vertexId('Vpc', namespace, vpc)
  if (l2Service !== undefined) return vertexId('L2Service', namespace, l2Service)
  return vni === undefined ? 'Vpc/' : vertexId('Segment', vni)
}

export function* countPorts(index: NetworkIndex, filter: PictureFilter): Generator<void, Counts> {
  const counts: Counts = { ports: 0, nodes: new Map(), cards: new Map(), subnets: new Map(), cardOfSubnet: new Map(), bundles: [] }
  let passed = 0
  for (const { bundle, node, cell, card } of wantedCells(index, filter)) {
    if (counts.bundles.at(-1)?.bundle !== bundle) {
      counts.bundles.push({ bundle, card })
      // Of a Subnet that is only named Ports may say that it is in several: whichever came first is no matter.
      const other = counts.cardOfSubnet.get(bundle.subnet)
      if (other === undefined || card < other) counts.cardOfSubnet.set(bundle.subnet, card)
    }
    for (const each of [countIn(counts.subnets, bundle.subnet), countIn(counts.cards, card), countIn(counts.nodes, `Node/${node}`)])
      each.add(cell, filter.phase)
    counts.ports += filter.phase === undefined ? cell.ports : cell.phases.of(filter.phase)
    if (++passed % cellsAtOnce === 0) yield
  }
  return counts
}

export interface WantedCell extends Counted {
  /** Empty: on none. */
  readonly node: string
  readonly cell: Cell
}

export function* wantedCells(index: NetworkIndex, { vni, vpc, node, phase }: PictureFilter): Generator<WantedCell> {
  for (const bundle of index.bundles) {
    if (vni !== undefined && bundle.vni !== vni) continue
    const card = cardOf(index, bundle.subnet, bundle.vni)
    if (vpc !== undefined && card !== `Vpc/${vpc}`) continue
    const cells = node === undefined ? bundle.cells : only(bundle.cells, node)
    for (const [of, cell] of cells) if (phase === undefined || cell.phases.of(phase) > 0) yield { bundle, card, node: of, cell }
  }
}

function only(cells: ReadonlyMap<string, Cell>, node: string): ReadonlyMap<string, Cell> {
  const cell = cells.get(node)
  return new Map(cell === undefined ? [] : [[node, cell]])
}

export function countIn<K>(counts: Map<K, Count>, key: K): Count {
  const known = counts.get(key)
  if (known !== undefined) return known
  const made = new Count()
  counts.set(key, made)
  return made
}

const worst = ['error', 'terminating', 'pending', 'ready']
export const worstOf = (phases: Tally | undefined): string | undefined => worst.find((phase) => (phases?.of(phase) ?? 0) > 0)

export const subnetOfPort = (port: {
  readonly spec: { readonly subnet: string }
  readonly metadata: { readonly namespace?: string }
}): string => keyOf(resolveReference(port.spec.subnet, port.metadata.namespace ?? ''))
