// Which Ports without a pod a Node takes, as its label says it. A Node without the label takes none: an interface of a tenant beside
// the node's own is its owner's to allow.
import { portsWithoutPodLabel } from '../../kinds/annotations.ts'
import type { Resource, SpecOf } from '../../kinds/index.ts'
import { traitsOf } from '../../kinds/vpc/providers.ts'
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

/** The node that a Port is to move to from now on. */
export const moveNamedIn = (
  { kind, spec }: { readonly kind: string; readonly spec: object },
  old: { readonly spec: object } | undefined,
): string | undefined => {
  const [to, before] = [spec, old?.spec].map((each) => (each as Partial<SpecOf<'Port'>> | undefined)?.migratingTo)
  return kind === 'Port' && to !== before ? to : undefined
}

/** What is wrong with that, in the words of a new Port there. */
export function refusalByMove(
  { migratingTo: name = '', claim }: SpecOf<'Port'>,
  node: NodeSeen,
  vpc: Resource<'Vpc'> | undefined,
): Refusal | undefined {
  const at = pointerTo('spec', 'migratingTo')
  if (claim !== undefined) return refuse(at, 'a pod has the Port: a VM moves with a Port that no pod has')
  if (vpc?.spec.vlan !== undefined) return refuse(at, `a VM does not move in a VLAN, as Vpc ${vpc.metadata.name} is one`)
  if (vpc !== undefined && traitsOf(vpc)?.moves !== true)
    return refuse(at, `a VM does not move in a Vpc of provider ${vpc.spec.provider ?? 'builtin'}: it binds a port to one node alone`)
  if (takesOf(node) >= nodeAllowances.indexOf('bare')) return undefined
  return refuse(at, `node ${name} takes no Ports without a pod: its label ${portsWithoutPodLabel} would say so`)
}

/** Why a Port's addresses may not be on this node, in words; undefined where they may. */
export const whyNotAddressed = (node: NodeSeen): string | undefined =>
  takesOf(node) >= nodeAllowances.indexOf('addressed')
    ? undefined
    : `it takes Ports without a pod only with MAC and name: its label ${portsWithoutPodLabel} is not "addressed"`
