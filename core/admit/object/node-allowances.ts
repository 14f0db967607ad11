// Which Ports without a pod a Node takes, as its label says it. A Node without the label takes none: an interface of a tenant beside
// the node's own is its owner's to allow.
import { portsWithoutPodLabel } from '../../kinds/annotations.ts'
import type { Resource, SpecOf } from '../../kinds/index.ts'
import { pointerTo, refuse, type Refusal } from '../refusal.ts'

type NodeSeen = Pick<Resource<'Node'>, 'metadata'> | undefined

/** The words of the label, each allowing what the one before allows. */
export const nodeAllowances = ['bare', 'addressed'] as const

const takesOf = (node: NodeSeen): number =>
  nodeAllowances.indexOf(node?.metadata.labels?.[portsWithoutPodLabel] as (typeof nodeAllowances)[number])

/** The node that a new Port names in its own spec. */
export const nodeNamedIn = ({ kind, spec }: { readonly kind: string; readonly spec: object }): string | undefined =>
  kind === 'Port' ? (spec as SpecOf<'Port'>).node : undefined

/** What is wrong with that. A node that is not there is refused in the same words as one that takes nothing. */
export function refusalByNode({ node: name = '', addressed = false }: SpecOf<'Port'>, node: NodeSeen): Refusal | undefined {
  const most = takesOf(node)
  if (most < nodeAllowances.indexOf('bare'))
    return refuse(pointerTo('spec', 'node'), `node ${name} takes no Ports without a pod: its label ${portsWithoutPodLabel} would say so`)
  const why = addressed ? whyNotAddressed(node) : undefined
  return why === undefined ? undefined : refuse(pointerTo('spec', 'addressed'), `node ${name}: ${why}`)
}

/** Why a Port's addresses may not be on this node, in words; undefined where they may. */
export const whyNotAddressed = (node: NodeSeen): string | undefined =>
  takesOf(node) >= nodeAllowances.indexOf('addressed')
    ? undefined
    : `it takes Ports without a pod only with MAC and name: its label ${portsWithoutPodLabel} is not "addressed"`
