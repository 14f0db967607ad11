// GET /v1/policy/matrix?attachment=…: what interfaces in a VLAN may send and get, against blocks of addresses.
import { refOf } from '../../../core/kinds/index.ts'
import { vlanMatrixOf, type VlanMatrixQuestion } from '../../../core/policy/vlan/matrix.ts'
import type { Caller } from '../../plugins/auth.ts'
import type { RestDeps } from '../deps.ts'
import type { Parameters } from '../query.ts'
import { compiledIn, ruleSetsIn } from './compiled.ts'
import { podsOn } from './interfaces.ts'
import { attachmentIn, closedInterface, interfaceEnd, vlanAmong } from './vlan.ts'

type FirstPacket = Pick<VlanMatrixQuestion, 'transport' | 'family'>

/** Of pods that the caller may list. @throws BadParameter; Forbidden; NotFound */
export async function vlanMatrixIn(parameters: Parameters, first: FirstPacket, deps: RestDeps, caller: Caller): Promise<object> {
  const { attachment, segment: vni, vlans } = await attachmentIn(parameters, deps, caller)
  const vlan = vlanAmong(vlans, parameters)
  const at = { namespace: attachment.metadata.namespace ?? '', vni }
  const sets = await ruleSetsIn(deps, at)
  const pods = await podsOn(attachment, deps, caller)
  const interfaces = pods.map((pod) => closedInterface(interfaceEnd({ attachment, pod, vlan }, vni), sets, vni))
  const matrix = vlanMatrixOf({ ...first, interfaces, identities: await compiledIn(deps, 'PolicyIdentity', at), sets })
  return { ...matrix, attachment: refOf(attachment), vlan, vni }
}
