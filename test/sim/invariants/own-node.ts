// An agent writes of its own node's Ports and pods, of Inquiries that ask it, of its node's BGPSpeaker, and of what it is about Events,
// and nothing else: not even a Port that is nowhere yet.
import { sameJson } from '../../../core/same-json.ts'
import { keyOfItem, type Kind, type Resource } from '../../../core/kinds/index.ts'
import type { Invariant } from '../invariant.ts'
import type { Landed } from '../truth.ts'

type Port = Resource<'Port'>

/** Where what was written was; undefined: nowhere, or of no node. A VM that moves is its second node's to tell of too. */
function nodeOf({ kind, before, after }: Landed, agent: string): string | undefined {
  if (kind === 'Port')
    return tellsOfMove(before as Port | undefined, after as Port | undefined, agent) ? agent : (before as Port | undefined)?.spec.node
  return before === undefined ? undefined : nodesOf[kind]?.(before)
}
const nodesOf: { readonly [K in Kind]?: (item: Resource) => string | undefined } = {
  BGPSpeaker: (item) => (item as Resource<'BGPSpeaker'>).spec.node,
  Inquiry: (item) => (item as Resource<'Inquiry'>).status?.node,
  Pod: (item) => (item as Resource<'Pod'>).spec.nodeName,
}

/** Of that alone, where it is to move there, or takes back what it has said of it. */
function tellsOfMove(before: Port | undefined, after: Port | undefined, agent: string): boolean {
  if (before === undefined || after === undefined || ![before.spec.migratingTo, before.status?.migration?.node].includes(agent))
    return false
  const rest = ({ spec, status: { migration: _, ...status } = {} }: Port): object => ({ spec, status })
  return sameJson(rest(before), rest(after))
}

export const ownNode: Invariant = {
  name: 'own-node',
  begin(_, fail) {
    return {
      landed(landed) {
        const agent = /^agent-(.+)$/.exec(landed.by)?.[1]
        if (agent === undefined || landed.kind === 'Event') return
        const node = nodeOf(landed, agent)
        if (node !== agent)
          fail(
            `the agent of ${agent} wrote ${landed.kind} ${keyOfItem((landed.after ?? landed.before)!)}, which is on ${node ?? 'no node'}`,
          )
      },
    }
  },
}
