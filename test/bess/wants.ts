// What tests of BESS want of a node, and the agent's way there.
import type { Dataplane, NodeSeen } from '../../core/contracts/dataplane.ts'
import type { Endpoint, LocalPort, Segment } from '../../core/node/wanted.ts'
import { itemsOf, planItems } from '../../core/plan/node/items.ts'
import { piecesOf, type NodeWanted } from '../laws/node-wanted.ts'

export const signal = new AbortController().signal
const ofNode = { kind: 'Node', name: 'here' } as const

export function planFor(plane: Dataplane, wanted: NodeWanted, seen: NodeSeen) {
  return planItems(itemsOf(plane.renderer, piecesOf(wanted)), seen, {
    itemOf: (key, text) => plane.itemOf(key, text),
    of: ofNode,
    whole: true,
  })
}

/** What the agent's loop does: look, and put right what differs. @returns whether there was anything to do */
export async function settle(plane: Dataplane, wanted: NodeWanted): Promise<boolean> {
  const { steps } = planFor(plane, wanted, await plane.observe(undefined, signal))
  for (const { action } of steps) await plane.apply(action, signal)
  return steps.length > 0
}

export const segment = (vni: number, more: Partial<Segment> = {}): Segment => ({
  vni,
  subnets: [],
  flood: false,
  hosts: [],
  numbers: [],
  ...more,
})

export function wantedOf(
  ports: readonly LocalPort[],
  { endpoints = [], segments }: { readonly endpoints?: readonly Endpoint[]; readonly segments?: readonly Segment[] } = {},
): NodeWanted {
  const vnis = [...new Set(ports.flatMap(({ attachment }) => (attachment.kind === 'vni' ? [attachment.vni] : [])))]
  return {
    ports: new Map(ports.map((port) => [port.uid, port])),
    endpoints: new Map(endpoints.map((each) => [`${each.vni}-${each.address}`, each])),
    segments: new Map((segments ?? vnis.map((vni) => segment(vni))).map((each) => [each.vni, each])),
  }
}
