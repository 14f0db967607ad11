// Where Alkaid's story is told: a server, a node, and a Neutron with its agent there.
import type { OvsCarrier } from '../../../lab/nodes/carriers.ts'
import type { AgentNode } from '../../../lab/nodes/node.ts'
import type { Caller } from '../../../lab/openstack/caller.ts'
import { pathOf, type Rest } from '../../demo/rest.ts'

export interface AlkaidStage {
  readonly rest: Rest
  readonly node: AgentNode & { readonly carrier: OvsCarrier }
  /** Neutron, as who uses the cloud and as who runs it. */
  readonly user: Caller
  readonly admin: Caller
  readonly namespace: string
  /** A Cloud that is there. */
  readonly cloud: string
}

export interface PortOfPod {
  readonly metadata: { readonly name: string; readonly uid: string }
  readonly spec: { readonly claim?: { readonly pod: string; readonly nic: string } }
  readonly status?: {
    readonly phase?: string
    readonly message?: string
    readonly providerID?: string
    readonly createdByUs?: boolean
    readonly addresses?: readonly string[]
    readonly ifcName?: string
    readonly node?: { readonly tap?: string }
  }
}

/** In the order of its Nics. */
export async function portsOf({ rest, namespace }: AlkaidStage, pod: string): Promise<readonly PortOfPod[]> {
  const { body } = await rest.call('GET', pathOf('Port', namespace))
  const all = (body.items ?? []) as unknown as readonly PortOfPod[]
  return all.filter(({ spec }) => spec.claim?.pod === pod).sort((a, b) => (a.spec.claim!.nic < b.spec.claim!.nic ? -1 : 1))
}

export async function readPhase({ rest, namespace }: AlkaidStage, kind: 'Vpc' | 'Subnet' | 'Port', name: string): Promise<string> {
  const { status = {} } = (await rest.call('GET', pathOf(kind, namespace, name))).body as unknown as PortOfPod
  return `${status.phase ?? 'new'}: ${status.message ?? ''}`
}

/** What differs, for people. */
export const differs = (found: unknown, expected: unknown): string | undefined =>
  JSON.stringify(found) === JSON.stringify(expected) ? undefined : `${JSON.stringify(found)}, and not ${JSON.stringify(expected)}`
