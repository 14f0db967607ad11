// What an agent may write, where the store is ours: the twin of charts/megrez/files/policies/agents.yaml. It binds nothing: a node that
// could name itself on any Port would have any tenant's address.
import { networkStatusAnnotation, wiredFinalizer } from '../../kinds/annotations.ts'
import type { Resource } from '../../kinds/index.ts'
import { sameJson } from '../../same-json.ts'

/** A write as it was asked for, and the object as it stands. */
export interface AgentWrite {
  readonly do: string
  readonly sections?: Readonly<Record<string, object>>
  readonly annotations?: Readonly<Record<string, string | null>>
  readonly conditions?: readonly unknown[]
  readonly finalizer?: string
}

/** Why the agent of a node may not write this; undefined where it may. */
export function whyNotWrite(write: AgentWrite, there: Resource | undefined, node: string): string | undefined {
  if (there === undefined) return 'there is no such object'
  if (there.kind === 'Pod') return whyNotPod(write, there as Resource<'Pod'>, node)
  if (there.kind === 'Inquiry') return whyNotInquiry(write, there as Resource<'Inquiry'>, node)
  if (there.kind === 'BGPSpeaker') return whyNotSpeaker(write, there as Resource<'BGPSpeaker'>, node)
  if (there.kind !== 'Port') return `an agent writes no ${there.kind}`
  return whyNotPort(write, there as Resource<'Port'>, node)
}

function whyNotPod(write: AgentWrite, pod: Resource<'Pod'>, node: string): string | undefined {
  if (write.do !== 'patchPodStatus') return `an agent does not ${write.do} pods`
  if (pod.spec.nodeName !== node) return 'the pod is not on the node of this agent'
  const alone =
    Object.keys(write.annotations ?? {}).every((name) => name === networkStatusAnnotation) && (write.conditions ?? []).length === 0
  return alone ? undefined : `an agent writes the annotation ${networkStatusAnnotation} alone`
}

function whyNotInquiry(write: AgentWrite, inquiry: Resource<'Inquiry'>, node: string): string | undefined {
  if (inquiry.status?.node !== node) return 'the node of this agent is not asked'
  if (write.do !== 'patchStatus') return `an agent does not ${write.do} Inquiries`
  return areOnly(write.sections, 'answer') ? undefined : 'an agent writes the section answer alone'
}

function whyNotSpeaker(write: AgentWrite, { spec }: Resource<'BGPSpeaker'>, node: string): string | undefined {
  if (spec.node !== node) return 'the BGPSpeaker is of another node than this agent'
  if (write.do !== 'patchStatus') return `an agent does not ${write.do} BGPSpeakers`
  return areOnly(write.sections, 'node') ? undefined : 'an agent writes the section node alone'
}

const areOnly = (sections: AgentWrite['sections'], name: string): boolean => sameJson(Object.keys(sections ?? {}), [name])

function whyNotPort(write: AgentWrite, port: Resource<'Port'>, node: string): string | undefined {
  if (write.do === 'patchStatus' && areOnly(write.sections, 'migration')) return whyNotMigration(write, port, node)
  if (port.spec.node !== node) return 'the Port is not on the node of this agent'
  if (write.do === 'patchStatus') return areOnly(write.sections, 'node') ? undefined : 'an agent writes the section node alone'
  if (write.do === 'addFinalizer' || write.do === 'removeFinalizer')
    return write.finalizer === wiredFinalizer ? undefined : `an agent changes no finalizer but ${wiredFinalizer}`
  return `an agent does not ${write.do} Ports`
}

/** The node that its VM moves to says so, and takes back what it has said: nobody speaks for another. */
function whyNotMigration(write: AgentWrite, { spec, status }: Resource<'Port'>, node: string): string | undefined {
  const hasSaid = status?.migration?.node === node
  if (spec.migratingTo !== node && !hasSaid) return 'the Port does not move to the node of this agent'
  const { migration } = write.sections?.['migration'] as { readonly migration?: { readonly node?: string } }
  if (migration === undefined) return hasSaid ? undefined : 'another node has said it'
  return migration.node === node ? undefined : 'an agent says of its own node alone what moves there'
}
