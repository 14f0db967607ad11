// A renderer that makes more of each port than the pipeline does yet: connection tracking, conjunctions, a group, a meter, queues. So the
// laws hold a switch to them before a feature uses them.
import type { Dataplane } from '../../core/contracts/dataplane.ts'
import type { Item } from '../../core/node/item.ts'
import type { LocalPort } from '../../core/node/wanted.ts'
import { portPiece } from '../../core/pieces/port.ts'
import { conjunction, load, output, set } from '../../core/pipeline/openflow/actions.ts'
import {
  conjId,
  ctMark,
  ctState,
  ipDscp,
  ipProto,
  ipv4Dst,
  ipv4Src,
  registers,
  tcpDst,
  tcpFlags,
} from '../../core/pipeline/openflow/fields.ts'
import { is, isMasked } from '../../core/pipeline/openflow/flow.ts'
import { groupId } from '../../core/pipeline/openflow/group.ts'
import { flowsOf, groupItem, meterItem, qosItem, queueItem, type SwitchItem } from '../../core/pipeline/items.ts'
import { ipv4, ofPort, to } from '../../core/pipeline/match.ts'
import { meterId } from '../../core/pipeline/openflow/meter.ts'
import { owners } from '../../core/pipeline/registers.ts'
import { physicalBridge, type SwitchValue } from '../../core/pipeline/ovsdb/switch.ts'
import { tables } from '../../core/pipeline/tables.ts'

/** The same data plane, whose renderer makes more of a port. */
export function withExtraItems(plane: Dataplane<SwitchValue>, bridge: string): Dataplane<SwitchValue> {
  const { renderer } = plane
  const render: typeof renderer.render = (kind, piece, needed) => {
    const items = renderer.render(kind, piece, needed)
    return kind.name === portPiece.name ? extended(items, piece as unknown as LocalPort, bridge) : items
  }
  return {
    name: plane.name,
    renderer: { ...renderer, render },
    open: (signal) => plane.open(signal),
    observe: (scope, signal) => plane.observe(scope, signal),
    apply: (change, signal) => plane.apply(change, signal),
    itemOf: (key, text) => plane.itemOf(key, text),
    isOwn: (key) => plane.isOwn?.(key) ?? false,
    onDrift: (wake) => plane.onDrift(wake),
    close: () => plane.close(),
  }
}

function extended(items: readonly Item<SwitchValue>[], port: LocalPort, overlay: string): readonly Item<SwitchValue>[] {
  if (items.length === 0) return items
  const { attachment } = port
  return [...items, ...extraItems(port, attachment.kind === 'vlan' ? physicalBridge(attachment.physicalNetwork) : overlay)]
}

/** Of each kind; what the port's MTU is shows in all of them, so that a change of it changes them. */
function extraItems({ number, ifcName, mtu, of }: LocalPort, bridge: string): readonly SwitchItem[] {
  const because = { rule: 'a test wants it', of }
  const flow = flowsOf(bridge, { feature: 'policy', owner: number, because })
  const rate = String(mtu * 10_000)
  const me = ofPort(number)
  const tcp = [...ipv4, is(ipProto, 6)]
  const here = tables.policyOut.number
  return [
    qosItem({ port: ifcName, type: 'linux-htb', options: { 'max-rate': rate } }, because),
    ...[1, 2].map((nth) =>
      queueItem(
        { port: ifcName, number: nth, options: { 'max-rate': rate, burst: String(nth * 80_000) }, ...(nth === 1 && { dscp: 46 }) },
        because,
      ),
    ),
    meterItem(bridge, { id: meterId(130_000 + number), unit: 'kbps', bands: [{ rate: mtu, burst: 100 }] }, because),
    groupItem(
      bridge,
      {
        id: groupId(number),
        type: 'select',
        hash: [ipv4Src, ipv4Dst],
        buckets: [
          { id: 0, weight: mtu, actions: [set(ipDscp, 10), output(number)] },
          { id: 1, actions: [load(owners.qos, mtu)] },
        ],
      },
      because,
    ),
    flow(
      'policyOut',
      40,
      [me, isMasked(ctState, 0, 0x20), ...ipv4],
      [{ do: 'ct', zone: { field: registers[1]!, from: 0, count: 16 }, table: here }],
    ),
    flow(
      'policyOut',
      40,
      [me, isMasked(ctState, 0x21, 0x21), ...ipv4],
      [{ do: 'ct', zone: number, commit: 'new', exec: [set(ctMark, mtu)] }, to('ask')],
    ),
    flow('policyOut', 30, [me, ...tcp, isMasked(tcpFlags, 2, 0x12)], [conjunction(number, 1, 2)]),
    flow('policyOut', 30, [me, ...tcp, is(tcpDst, mtu)], [conjunction(number, 2, 2)]),
    flow(
      'policyOut',
      30,
      [me, is(conjId, number)],
      [{ do: 'meter', meter: meterId(130_000 + number) }, { do: 'setQueue', queue: 1 }, { do: 'group', group: groupId(number) }, to('ask')],
    ),
  ]
}
