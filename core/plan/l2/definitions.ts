// The NetworkAttachmentDefinition of an L2ServiceAttachment: the configuration of the CNI plugin that is to plumb a pod's interface.
import type { Draft } from '../../contracts/store.ts'
import { isObject } from '../../json.ts'
import { resourceNameAnnotation } from '../../kinds/annotations.ts'
import { apiVersion } from '../../kinds/meta.ts'
import type { Resource } from '../../kinds/index.ts'
import type { SupportedCni } from '../../kinds/l2/connection-point.ts'
import type { ExternalConf } from '../../node/external-conf.ts'
import type { ImplementationChoice } from './implementation-choice.ts'

export interface Rendering {
  readonly attachment: Resource<'L2ServiceAttachment'>
  readonly choice: ImplementationChoice
  /** Of its L2Services, in the order in which it names them. */
  readonly vlans: readonly number[]
  /** What pods may use: for trunks of a shared ConnectionPoint the union. */
  readonly allowed: readonly number[]
  readonly physicalNetwork: string
  readonly ipam: object | undefined
}

/** Our plugin takes 0.4.0 and later; others are asked as ENO asks them. */
const ourVersion = '1.0.0'
const ids = (vlans: readonly number[]): object[] => vlans.map((id) => ({ id }))

/** The plugin's own schema (each as of 2026-11): what stands in the object beside cniVersion and name. */
interface DefinitionRequest extends Rendering {
  readonly vlanType: 'trunk' | 'access' | 'selectivetrunk'
  /** What a pod may use, tagged or not. */
  readonly usable: readonly number[]
}
const bodies: Readonly<Record<SupportedCni['name'], (request: DefinitionRequest) => object>> = {
  // ovs-cni, docs/cni-plugin.md: without vlan and trunk an interface carries every VLAN of the bridge.
  ovs: ({ choice: { cni }, vlanType, vlans: [vlan], usable }) => ({
    type: 'ovs',
    bridge: cni.bridgeName,
    ...{ access: { vlan }, selectivetrunk: { trunk: ids(usable) }, trunk: {} }[vlanType],
  }),
  // containernetworking/plugins, macvlan: the VLAN is that of its master.
  macvlan: ({ choice: { cni }, vlanType, vlans: [vlan] }) => ({
    type: 'macvlan',
    master: vlanType === 'access' ? `${cni.master}.${vlan}` : cni.master,
    mode: 'bridge',
  }),
  // containernetworking/plugins, bridge: without a list a port has the bridge's own VLAN 1 alone.
  bridge: ({ choice: { cni }, vlanType, vlans: [vlan], usable }) => ({
    type: 'bridge',
    bridge: cni.bridgeName,
    ...(vlanType === 'access' ? { vlan } : { vlanTrunk: ids(usable), preserveDefaultVlan: false }),
  }),
  'host-device': () => ({ type: 'host-device' }),
  // sriov-cni: VLAN 0 leaves the tags to the pod.
  sriov: ({ vlanType, vlans: [vlan] }) => ({ type: 'sriov', vlan: vlanType === 'access' ? vlan : 0 }),
  // Ours: a trunk is a list too, the VLANs of all trunks of its ConnectionPoint. Those of others are nobody's to see.
  megrez: ({ attachment: { metadata }, choice, physicalNetwork, vlanType, usable }): ExternalConf & { readonly capabilities: object } => ({
    type: 'megrez',
    capabilities: { mac: true },
    attachment: `${metadata.namespace ?? ''}/${metadata.name}`,
    interfaceType: choice.podInterfaceType,
    physicalNetwork,
    vlanType,
    vlans: [...usable],
  }),
}

function bodyOf(rendering: Rendering): object {
  const { attachment, choice, vlans, allowed } = rendering
  const { vlanType } = attachment.spec
  return bodies[choice.cni.name]({ ...rendering, vlanType, usable: vlanType === 'trunk' ? allowed : vlans })
}

/**
 * Which VLANs a definition gives pods, as far as it says: that of a trunk may leave all to who is asked. Its namespace's owner may write
 * anything.
 */
export function vlansIn({ spec: { config = '' } }: Pick<Resource<'NetworkAttachmentDefinition'>, 'spec'>): readonly number[] {
  const { vlan, vlans, trunk, vlanTrunk, master } = parsedConfig(config)
  const [, ofMaster] = /\.(\d+)$/.exec(String(master)) ?? []
  const listed = [vlans, trunk, vlanTrunk]
    .flatMap((each) => (Array.isArray(each) ? (each as readonly unknown[]) : []))
    .map((each) => (isObject(each) ? each['id'] : each))
  return [vlan, ...listed, ...(ofMaster === undefined ? [] : [Number(ofMaster)])].filter(
    (each) => typeof each === 'number' && each !== 0,
  ) as number[]
}

function parsedConfig(config: string): Readonly<Record<string, unknown>> {
  try {
    const verdict: unknown = JSON.parse(config)
    return isObject(verdict) ? verdict : {}
  } catch {
    return {}
  }
}

function resourceOf({ name, bridgeName, poolName }: SupportedCni): string | undefined {
  if (name === 'ovs') return `ovs-cni.network.kubevirt.io/${bridgeName ?? ''}`
  return name === 'host-device' || name === 'sriov' ? poolName : undefined
}

/** The same name as the attachment's, and owned by it. */
export function definitionOf(rendering: Rendering): Draft<'NetworkAttachmentDefinition'> {
  const { attachment, choice, ipam } = rendering
  const { namespace, name, uid } = attachment.metadata
  const resource = resourceOf(choice.cni)
  const config = {
    cniVersion: choice.cni.name === 'megrez' ? ourVersion : '0.3.1',
    name,
    ...bodyOf(rendering),
    ...(ipam !== undefined && { ipam }),
  }
  return {
    kind: 'NetworkAttachmentDefinition',
    metadata: {
      ...(namespace !== undefined && { namespace }),
      name,
      annotations: resource === undefined ? {} : { [resourceNameAnnotation]: resource },
      ownerReferences: [{ apiVersion, kind: 'L2ServiceAttachment', name, uid, controller: true, blockOwnerDeletion: true }],
    },
    spec: { config: JSON.stringify(config) },
  }
}
