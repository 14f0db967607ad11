// The ends of a connection of a pod's interface in a VLAN: `attachment=NAMESPACE/NAME&vlan=NUMBER` and the pod, and somebody's address.
import { NotFound } from '../../../core/errors.ts'
import { ruleSetName, type RuleSetSpec } from '../../../core/kinds/policy/policy-rule-set.ts'
import { unknown } from '../../../core/kinds/policy/tiers.ts'
import { canonicalIp } from '../../../core/net/ip.ts'
import { canonicalMac } from '../../../core/net/mac.ts'
import { vlanMax } from '../../../core/net/segment.ts'
import { vlansOpen } from '../../../core/node/external-conf.ts'
import { attachmentSegment, externalPolicyNamed } from '../../../core/plan/node/external-policy.ts'
import type { TraceEnd, VlanInterface } from '../../../core/policy/trace/trace.ts'
import { mayDo, storeFor } from '../../plugins/access.ts'
import type { Caller } from '../../plugins/auth.ts'
import { mustGet } from '../address.ts'
import { pagesOf } from '../across/gather.ts'
import type { RestDeps } from '../deps.ts'
import { BadParameter } from '../invalid-object.ts'
import { wholeIn, type Parameters } from '../query.ts'
import type { Ends } from './ends.ts'
import { keyIn, readEnd, type NamedObject } from './names.ts'

/** Whether a question is about interfaces of an attachment, and not about a Vpc. @throws BadParameter where it is half about one */
export function isOfVlan(parameters: Parameters): boolean {
  const isNamed = parameters['attachment'] !== undefined
  if (!isNamed && parameters['vlan'] !== undefined) throw new BadParameter('vlan', 'is of an attachment, and none is named')
  if (isNamed && parameters['vpc'] !== undefined) throw new BadParameter('vpc', 'is one place, and attachment is another: name one of them')
  return isNamed
}

/** @throws BadParameter; Forbidden and NotFound as of the objects themselves */
export async function vlanEndsIn(parameters: Parameters, deps: RestDeps, caller: Caller): Promise<Ends> {
  const { attachment, segment: vni, vlans } = await attachmentIn(parameters, deps, caller)
  const { namespace = '' } = attachment.metadata
  const vlan = vlanAmong(vlans, parameters)
  const isSent = podNamed('from', parameters) !== undefined
  const [pod, other] = isSent ? (['from', 'to'] as const) : (['to', 'from'] as const)
  const far = farEnd(other, parameters)
  const at = await podIn(pod, parameters, deps, caller)
  const dataplane = at.spec.nodeName === undefined ? undefined : await dataplaneOf(at.spec.nodeName, deps)
  const near = interfaceEnd({ attachment, pod: at, vlan, ...(dataplane !== undefined && { dataplane }) }, vni)
  return { vni, namespace, ...(isSent ? { from: near, to: far } : { from: far, to: near }) }
}

/** Whoever is in a VLAN may send from any address: of none it is known whose it is. */
function farEnd(name: 'from' | 'to', parameters: Parameters): TraceEnd {
  const text = parameters[name] ?? ''
  if (parameters['etherType'] !== undefined) {
    const mac = canonicalMac(text)
    if (mac === undefined) throw new BadParameter(name, 'must be a MAC address: frames that are no IP have no other')
    return { address: '', mac, identity: unknown }
  }
  const address = canonicalIp(text)
  if (address === undefined) throw new BadParameter(name, 'must be an address: nobody knows which of them pods have in a VLAN')
  return { address, identity: unknown }
}

export interface AttachmentInVlans {
  readonly attachment: VlanInterface['attachment']
  /** By which rules know its VLANs. */
  readonly segment: number
  readonly vlans: readonly number[]
}

/** @throws BadParameter; Forbidden; NotFound, also where it is in no VLAN of ours (yet) */
export async function attachmentIn(parameters: Parameters, deps: RestDeps, caller: Caller): Promise<AttachmentInVlans> {
  const { namespace, name } = keyIn(parameters, 'attachment')
  await mayDo(deps, caller, { act: 'read', kind: 'L2ServiceAttachment', namespace, verb: 'get' })
  const attachment = await mustGet(storeFor(deps, caller), { kind: 'L2ServiceAttachment', namespace, name })
  const segment = attachmentSegment(attachment)
  if (segment === undefined) throw new NotFound({ kind: 'VLAN of L2ServiceAttachment', key: `${namespace}/${name}` })
  return { attachment, segment, vlans: vlansOpen(attachment.status?.vlans) }
}

/** Of one VLAN it is that one. */
export function vlanAmong(vlans: readonly number[], parameters: Parameters): number {
  const named = wholeIn(parameters, 'vlan', { max: vlanMax }) ?? (vlans.length === 1 ? vlans[0] : undefined)
  if (named !== undefined && vlans.includes(named)) return named
  const [whose, some] = [named === undefined ? 'is missing' : `must be one of its own`, vlans.slice(0, vlansNamed).join(', ')]
  throw new BadParameter('vlan', `${whose}: the attachment is in ${some}${vlans.length > vlansNamed ? ' and more' : ''}`)
}
const vlansNamed = 16

/** Of the node, as any Port on it has been told of: read by our own account, as it is nobody's secret. */
export async function dataplaneOf(node: string, deps: RestDeps): Promise<string | undefined> {
  for await (const { items } of pagesOf(deps, undefined, 'Port', { fields: { '.spec.node': node } })) {
    const port = items.find(({ status }) => status?.node?.dataplane !== undefined)
    if (port !== undefined) return port.status?.node?.dataplane
  }
  return undefined
}

async function podIn(name: 'from' | 'to', parameters: Parameters, deps: RestDeps, caller: Caller): Promise<VlanInterface['pod']> {
  const pod = podNamed(name, parameters)
  if (pod === undefined) throw new BadParameter(name, 'must be pods/NAMESPACE/NAME, and the other end an address')
  await mayDo(deps, caller, { act: 'read', kind: 'Pod', namespace: pod.namespace, verb: 'get' })
  return mustGet(storeFor(deps, caller), { kind: 'Pod', namespace: pod.namespace, name: pod.name })
}

function podNamed(name: 'from' | 'to', parameters: Parameters): NamedObject | undefined {
  const end = readEnd(parameters[name] ?? '')
  return end?.kind === 'pods' ? end : undefined
}

/** As its agent judges it. */
export function interfaceEnd(at: VlanInterface, segment: number): TraceEnd {
  const { identity = unknown } = externalPolicyNamed(at.attachment, { podUID: at.pod.metadata.uid, segment }) ?? {}
  return { address: '', identity, interface: at }
}

/** What lets nothing of it pass: that workers have not told who judges the pod, or rules that are not there. */
export function closedInterface(end: TraceEnd, sets: readonly RuleSetSpec[], segment: number): TraceEnd {
  if (end.interface === undefined) return end
  const { pod, attachment } = end.interface
  const named = externalPolicyNamed(attachment, { podUID: pod.metadata.uid, segment })
  const there = new Set(sets.map(ruleSetName))
  const name = named?.ruleSets.find((each) => !there.has(each))
  if (named === undefined || name === undefined) return end
  const { namespace, name: of } = attachment.metadata
  const missing =
    named.identity === unknown
      ? { kind: attachment.kind, ...(namespace !== undefined && { namespace }), name: of }
      : { kind: 'PolicyRuleSet', name }
  return { ...end, missing }
}
