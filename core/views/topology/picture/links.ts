// Lines between boxes, each for many: Ports of closed groups in Subnets, and tunnels.
import { Tally } from '../bundle.ts'
import { cellsAtOnce, Count, wantedCells, worstOf, type WantedCell } from './count.ts'
import { drawSubnet } from './groups.ts'
import type { PictureEdge } from './question.ts'
import type { Scene } from './scene.ts'

interface Line {
  readonly from: string
  readonly to: string
  readonly count: Count
  readonly addresses: Tally
}
type Lines = Map<string, Line>

/** Those that stand for the most come first. */
export function* linesOf(scene: Scene): Generator<void, readonly PictureEdge[]> {
  const [ports, tunnels]: [Lines, Lines] = [new Map(), new Map()]
  let passed = 0
  for (const cell of wantedCells(scene.index, scene.question)) {
    const node = scene.boxOf(`Node/${cell.node}`)
    if (node === undefined) continue
    addPorts(scene, ports, node, cell)
    addTunnel(scene, tunnels, node, cell)
    if (++passed % cellsAtOnce === 0) yield
  }
  return [...edgesOf(ports, 'ports'), ...edgesOf(tunnels, 'tunnel')]
}

/** Of a node that is open each Port is drawn by itself. */
function addPorts(scene: Scene, lines: Lines, node: string, { bundle, cell }: WantedCell): void {
  if (scene.question.by !== 'node' || isWhole(scene, node)) return
  const to = drawSubnet(scene, bundle.subnet)
  if (to !== undefined) lineIn(lines, node, to).count.add(cell, scene.question.phase)
}

const isWhole = ({ nodes }: Scene, id: string): boolean => nodes.get(id)?.open === true && nodes.get(id)?.shown === undefined

function addTunnel(scene: Scene, lines: Lines, node: string, { bundle, card, cell }: WantedCell): void {
  const to = scene.boxOf(card)
  if (bundle.vni === undefined || to === undefined || node === 'Node/') return
  const line = lineIn(lines, node, to)
  line.count.add(cell, scene.question.phase)
  for (const [address, count] of cell.addresses.entries()) line.addresses.add(address, count)
}

function lineIn(lines: Lines, from: string, to: string): Line {
  const key = `${from} ${to}`
  const known = lines.get(key)
  if (known !== undefined) return known
  const made = { from, to, count: new Count(), addresses: new Tally() }
  lines.set(key, made)
  return made
}

function edgesOf(lines: Lines, relation: 'ports' | 'tunnel'): readonly PictureEdge[] {
  const edges = [...lines.values()].map(({ from, to, count, addresses }): PictureEdge => {
    const [address, phase] = [addresses.least(), worstOf(count.phases)]
    return {
      id: `${from} ${relation} ${to}`,
      from,
      to,
      relation,
      count: count.ports,
      ...(phase !== undefined && { phase }),
      ...(address !== undefined && relation === 'tunnel' && { addresses: [address] }),
    }
  })
  return edges.sort((a, b) => (b.count ?? 0) - (a.count ?? 0))
}
