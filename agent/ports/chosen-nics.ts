// Which of a pod's Nics one ADD is for: all, or those that the runtime names (core/wire/cni/extra-arguments.ts).
import type { ResolvedNic } from '../../core/admit/network-view.ts'
import { NicsRefused } from '../../core/errors.ts'
import { vpcAnnotation } from '../../core/kinds/annotations.ts'
import type { Resource } from '../../core/kinds/index.ts'
import { namedAt, nicsNamed, type NamedNic } from '../../core/wire/cni/extra-arguments.ts'
import type { CniRequest } from '../../core/wire/cni/cni.ts'

type Pod = Resource<'Pod'>

/** A Nic, and how its Port has to be known where the runtime says so. */
export interface ChosenNic {
  readonly nic: ResolvedNic
  /** @throws NicsRefused where it is another Port that the runtime names */
  readonly check: (port: Resource<'Port'>) => void
}

/** @throws NicsRefused where the runtime names what the pod does not ask for */
export function chosenNics(nics: readonly ResolvedNic[], pod: Pod | undefined, { args }: Pick<CniRequest, 'args'>): readonly ChosenNic[] {
  const named = nicsNamed(args)
  if (named === undefined) return nics.map((nic) => ({ nic, check: () => undefined }))
  if (pod === undefined)
    throw new NicsRefused({ reason: 'no pod is named that they are of: K8S_POD_NAMESPACE, K8S_POD_NAME', at: 'CNI_ARGS' })
  mustBeVpcOf(pod, args['VPC'])
  return named.map((each, index) => {
    const nic = nics.find(({ name }) => name === (each.name ?? nics[index]?.name))
    if (nic === undefined) throw new NicsRefused({ reason: `the pod has no NIC ${each.name ?? index}`, at: namedAt(index, 'name') })
    return { nic, check: (port) => mustBe(port, each, index) }
  })
}

/** By name, with or without its namespace. */
function mustBeVpcOf({ metadata: { namespace = '', annotations = {} } }: Pod, named: string | undefined): void {
  const vpc = annotations[vpcAnnotation]
  if (named === undefined || vpc === undefined || vpc === named || vpc === `${namespace}/${named}` || named === `${namespace}/${vpc}`)
    return
  throw new NicsRefused({ reason: `is ${named}, and the pod asks for Vpc ${vpc}`, at: 'CNI_ARGS/VPC' })
}

function mustBe({ metadata, spec, status }: Resource<'Port'>, { portID }: NamedNic, index: number): void {
  const known = [metadata.uid, spec.portID, status?.portID, status?.providerID]
  if (portID === undefined || known.includes(portID)) return
  throw new NicsRefused({
    reason: `is ${portID}, and the Port of that NIC is ${known.find((each) => each !== undefined)}`,
    at: namedAt(index, 'portID'),
  })
}
