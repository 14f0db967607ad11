// Pods with an interface in the VLANs of an L2ServiceAttachment, and the attachments of a pod.
import { keyOfItem, type Resource } from '../../../core/kinds/index.ts'
import { networksOf } from '../../../core/plan/pod/networks.ts'
import { isPodFinished } from '../../../core/plan/pod/pod.ts'
import { attachmentSegment } from '../../../core/plan/node/external-policy.ts'
import { interfaceExplained, type InterfaceOfPod, type InterfaceExplained } from '../../../core/views/explain/interfaces.ts'
import type { Caller } from '../../plugins/auth.ts'
import { everyOf, gather } from '../across/gather.ts'
import type { RestDeps } from '../deps.ts'
import { ruleSetsIn } from './compiled.ts'
import { dataplaneOf } from './vlan.ts'

type Attachment = Resource<'L2ServiceAttachment'>

/**
 * Those that still run. Of other namespaces than the attachment's they are looked for once workers have told of one there.
 *
 * @param caller absent: our own account reads
 */
export async function podsOn(attachment: Attachment, deps: RestDeps, caller?: Caller): Promise<readonly Resource<'Pod'>[]> {
  const { namespace } = attachment.metadata
  const podsIn = async (within: { readonly namespace?: string | undefined }): Promise<readonly Resource<'Pod'>[]> => {
    if (caller !== undefined) return (await gather(deps, caller, 'Pod', within)) ?? []
    return everyOf(deps, undefined, 'Pod', within.namespace === undefined ? {} : { namespace: within.namespace })
  }
  const own = await podsIn({ namespace })
  const uids = new Set(own.map(({ metadata }) => metadata.uid))
  const isElsewhere = (attachment.status?.policy?.judged ?? []).some(({ pods }) => pods.some((uid) => !uids.has(uid)))
  const all = isElsewhere ? await podsIn({}) : own
  return all.filter((pod) => networksOf(pod).includes(keyOfItem(attachment)) && !isPodFinished(pod))
}

/** As many as one answer explains. */
const explainedMost = 100

/** Undefined of other kinds. Of a pod in attachments that the caller may list, of an attachment with pods that they may. */
export async function interfacesOf(item: Resource, deps: RestDeps, caller: Caller): Promise<readonly InterfaceExplained[] | undefined> {
  const all = await interfacesFor(item, deps, caller)
  return all && Promise.all(all.slice(0, explainedMost).map((each) => explained(each, deps)))
}

async function interfacesFor(item: Resource, deps: RestDeps, caller: Caller): Promise<readonly InterfaceOfPod[] | undefined> {
  if (item.kind === 'L2ServiceAttachment') {
    const attachment = item as unknown as Attachment
    return (await podsOn(attachment, deps, caller)).map((pod) => ({ pod, attachment }))
  }
  if (item.kind !== 'Pod') return undefined
  const pod = item as unknown as Resource<'Pod'>
  const keys = networksOf(pod)
  const namespaces = [...new Set(keys.map((key) => key.slice(0, key.indexOf('/'))))]
  const found = await Promise.all(namespaces.map((namespace) => gather(deps, caller, 'L2ServiceAttachment', { namespace })))
  return found.flatMap((all) => (all ?? []).filter((each) => keys.includes(keyOfItem(each)))).map((attachment) => ({ pod, attachment }))
}

async function explained(of: InterfaceOfPod, deps: RestDeps): Promise<InterfaceExplained> {
  const { pod, attachment } = of
  const vni = attachmentSegment(attachment)
  const { nodeName } = pod.spec
  const sets = vni === undefined ? [] : await ruleSetsIn(deps, { namespace: attachment.metadata.namespace ?? '', vni })
  return interfaceExplained({ ...of, dataplane: nodeName && (await dataplaneOf(nodeName, deps)) }, sets)
}
