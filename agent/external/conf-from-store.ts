// What an interface carries is decided by its L2ServiceAttachment in the store. The configuration that a CNI call brings is that of a
// NetworkAttachmentDefinition, which an owner of its namespace may have written: only the name of the attachment is taken from it.
import { ExternalRefused } from '../../core/errors.ts'
import type { Resource } from '../../core/kinds/index.ts'
import { vlansOpen, type ExternalConf } from '../../core/node/external-conf.ts'
import type { PodName } from '../cni/pods.ts'
import type { AgentEnv } from '../agent-env.ts'

/** As far as the store decides it. */
type Stored = Pick<ExternalConf, 'physicalNetwork' | 'vlanType' | 'vlans' | 'interfaceType'>

/**
 * The configuration with the store's word in place of its own, and who says it.
 *
 * @throws ExternalRefused, StoreUnavailable
 */
export async function confFromStore(
  conf: ExternalConf,
  pod: PodName | undefined,
  { store, config }: AgentEnv,
): Promise<{ readonly conf: ExternalConf; readonly attachment: Resource<'L2ServiceAttachment'> }> {
  const { attachment: key } = conf
  if (key === '') throw new ExternalRefused({ reason: 'attachment names no L2ServiceAttachment: namespace/name of one is needed' })
  const [namespace = '', name = ''] = key.split('/')
  const not = whyNotFor(namespace, pod, config.attachmentNamespaces)
  if (not !== undefined) throw new ExternalRefused({ reason: `attachment ${key} ${not}` })
  const attachment = await store.get({ kind: 'L2ServiceAttachment', namespace, name })
  const found = storedOf(attachment)
  if (attachment === undefined || typeof found === 'string')
    throw new ExternalRefused({ reason: `L2ServiceAttachment ${key} ${String(found)}` })
  return { conf: { ...conf, ...found }, attachment }
}

/** Namespaces are apart, as with Multus' namespaceIsolation: others' attachments only where the operator says that they are for all. */
function whyNotFor(namespace: string, pod: PodName | undefined, forAll: readonly string[]): string | undefined {
  if (forAll.includes(namespace) || pod?.namespace === namespace) return undefined
  if (pod === undefined) return 'is for pods, and the runtime names none: CNI_ARGS should have K8S_POD_NAMESPACE and K8S_POD_NAME'
  return `is of another namespace than pod ${pod.namespace}/${pod.name}: MEGREZ_ATTACHMENT_NAMESPACES would have to name it`
}

const typeOf = ({ status }: Resource<'L2ServiceAttachment'>): ExternalConf['interfaceType'] =>
  status?.podInterfaceType === 'dpdk' ? 'dpdk' : 'kernel'

/** What is being deleted takes no new interface. What is being changed on the fabric keeps its definition, and is served meanwhile. */
function storedOf(attachment: Resource<'L2ServiceAttachment'> | undefined): Stored | string {
  if (attachment === undefined) return 'is not there'
  const { metadata, spec, status = {} } = attachment
  if (metadata.deletionTimestamp !== undefined) return 'is being deleted'
  const vlans = vlansOpen(status.vlans)
  if (status.definition === undefined || vlans.length === 0) return `has no VLAN yet: ${status.message ?? 'nobody has looked at it'}`
  if (status.implementation !== 'megrez') return `is for plugin ${status.implementation ?? ''}, and this is megrez`
  if (status.physicalNetwork === undefined) return 'does not tell its physical network yet: workers of this version do'
  return { physicalNetwork: status.physicalNetwork, vlanType: spec.vlanType, vlans, interfaceType: typeOf(attachment) }
}
