// The Vpc that a question about policies is about: `vpc=NAMESPACE/NAME`.
import { NotFound } from '../../../core/errors.ts'
import { segmentOf } from '../../../core/kinds/vpc/segment.ts'
import type { Resource } from '../../../core/kinds/index.ts'
import { mayDo, storeFor } from '../../plugins/access.ts'
import type { Caller } from '../../plugins/auth.ts'
import { mustGet } from '../address.ts'
import type { RestDeps } from '../deps.ts'
import type { Parameters } from '../query.ts'
import { keyIn } from './names.ts'

export interface VpcWithVni {
  readonly vpc: Resource<'Vpc'>
  readonly namespace: string
  /** Or the number of the VLAN that it is. */
  readonly vni: number
}

/** @throws BadParameter; Forbidden; NotFound, also where it has neither VNI nor VLAN (yet) */
export async function vpcIn(parameters: Parameters, deps: RestDeps, caller: Caller): Promise<VpcWithVni> {
  const { namespace, name } = keyIn(parameters, 'vpc')
  await mayDo(deps, caller, { act: 'read', kind: 'Vpc', namespace, verb: 'get' })
  const vpc = await mustGet(storeFor(deps, caller), { kind: 'Vpc', namespace, name })
  const vni = segmentOf(vpc)
  if (vni === undefined) throw new NotFound({ kind: 'VNI of Vpc', key: `${namespace}/${name}` })
  return { vpc, namespace, vni }
}
