// Where a Port is, as policies look at that: its VNI, and what may be in force on it there.
import { resolveReference, type Resource } from '../../core/kinds/index.ts'
import { namedGroupsOf } from '../../core/policy/member.ts'

export interface PortPlace {
  readonly vni: number
  /** Of the Vpc: identities and rule sets of the VNI live there. */
  readonly network: string
  readonly namespace: string
  /** `namespace/name` of each SecurityGroup that it has, should there be one of that name. */
  readonly groups: readonly string[]
}

/** Undefined: it is in no VNI of ours (yet). */
export function placeOf(port: Resource<'Port'>, vni: number | undefined): PortPlace | undefined {
  if (vni === undefined) return undefined
  const { namespace = '' } = port.metadata
  return { vni, network: resolveReference(port.spec.subnet, namespace).namespace, namespace, groups: namedGroupsOf(port) }
}
