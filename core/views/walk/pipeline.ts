// What a packet meets in the pipeline of Open vSwitch: the flows that a node would have are asked as a switch asks them.
import { switchRenderer } from '../../pipeline/compile.ts'
import type { Renderer } from '../../contracts/dataplane.ts'
import type { NodePieces } from '../../pieces/piece-set.ts'
import type { LocalPort } from '../../node/wanted.ts'
import { portPiece } from '../../pieces/port.ts'
import type { SwitchItem } from '../../pipeline/items.ts'
import type { SwitchValue } from '../../pipeline/ovsdb/switch.ts'
import { Connections, states } from '../../pipeline/model/conntrack.ts'
import { readField, type Frame, type Written } from '../../pipeline/model/frame.ts'
import { through } from '../../pipeline/model/tables.ts'
import type { Conntrack } from '../../pipeline/openflow/actions.ts'
import { ctState, ctZone, tunId, tunSrc } from '../../pipeline/openflow/fields.ts'
import type { Flow } from '../../pipeline/openflow/flow.ts'
import { ipv4Value } from '../../pipeline/openflow/values.ts'
import { numbers, type PipelineSettings } from '../../pipeline/settings.ts'
import { tableName, tables } from '../../pipeline/tables.ts'
import { itemsOf } from '../../plan/node/items.ts'
import { hosts } from './carried.ts'
import type { Arrival, ConnectionState, Walked, WalkedPart, WalkedPlane } from './walked.ts'

const bridge = 'mgz-int'
const rendererWith = (uplinks: PipelineSettings['uplinks']): Renderer<SwitchValue> =>
  switchRenderer(() => ({ node: 'here', bridge, datapath: 'system', tunnelAddress: hosts.here, tunnelL4Port: 4789, uplinks }))

export const pipelineWalk: WalkedPlane = {
  renderer: rendererWith({}),
  pairsMost: Infinity,
  isInVlans: true,
  walk(pieces, arrival) {
    const flows = flowsByTable([...itemsOf(rendererWith(uplinksFor(pieces)), pieces)])
    const [met, connections] = [[] as number[], new NotedConnections()]
    const model = {
      flowsOf: (table: number) => flows.get(table) ?? [],
      // Groups are of service chains: no piece has one.
      group: () => undefined,
      isUp: () => true,
      connections,
      missed: (table: number) => void met.push(table),
    }
    const outs = through(model, framed(arrival), arrival.by === 'tunnel' ? numbers.tunnel : arrival.by, ({ table }) => met.push(table))
    return { steps: stepsOf(met), tracked: connections.tracks, comesOut: outs.length > 0 }
  },
}

/** A port is in VLANs of a physical network only where something leads there. */
const uplinksFor = (pieces: NodePieces): PipelineSettings['uplinks'] =>
  Object.fromEntries(
    [...(pieces.values(portPiece) as Iterable<LocalPort>)].flatMap(({ attachment: at }) =>
      at.kind === 'vlan' ? [[at.physicalNetwork, 'uplink'] as const] : [],
    ),
  )

function flowsByTable(items: readonly SwitchItem[]): ReadonlyMap<number, readonly Flow[]> {
  const all = items.flatMap(({ value }) => (value.kind === 'flow' && value.bridge === bridge ? [value.flow] : []))
  const byTable = Map.groupBy(all, ({ table }) => table)
  for (const flows of byTable.values()) flows.sort((a, b) => b.priority - a.priority)
  return byTable
}

const framed = ({ frame, by, vni, host }: Arrival): Frame =>
  by === 'tunnel' ? new Map([...frame, [tunId, vni] as const, [tunSrc, ipv4Value(host)] as const]) : frame

/** Policies ask the same tables in both directions: after a place has been passed they are of the next part. */
function stepsOf(met: readonly number[]): Walked['steps'] {
  let part: WalkedPart = 'sending'
  return met.map((table) => {
    if (part === 'sending' && table >= tables.ask.number) part = 'between'
    if (table >= tables.policyIn.number) part = 'receiving'
    return { place: `${table} ${tableName(table)}`, part }
  })
}

/** Connection tracking that notes what it has said. */
class NotedConnections extends Connections {
  readonly tracks: Walked['tracked'][number][] = []

  override tracked(frame: Frame, action: Conntrack): Written {
    const written = super.tracked(frame, action)
    const number = Number(readField(written, ctZone))
    if (action.commit === undefined) this.tracks.push({ number, says: stateIn(Number(readField(written, ctState))), isKept: false })
    else this.tracks.push({ ...this.tracks.pop()!, isKept: true })
    return written
  }
}

const stateIn = (bits: number): ConnectionState =>
  (bits & states.inv) !== 0 ? 'invalid' : (bits & states.new) !== 0 ? 'new' : 'established'
