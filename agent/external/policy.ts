// Policies that judge interfaces in VLANs: what workers say of a pod in the status of its L2ServiceAttachment is what its interface
// goes by.
import { segmentNumberOf } from '../../core/node/wanted.ts'
import type { LocalPort } from '../../core/node/wanted.ts'
import { externalPolicyNamed } from '../../core/plan/node/external-policy.ts'
import type { AgentEnv } from '../agent-env.ts'
import { wayNumberKey, zoneKey } from '../ledger/record.ts'
import type { ExternalPlace } from './place.ts'
import { judged } from '../ports/policy.ts'

/** An interface with who judges it now. From now on its rules are followed, and carried. */
export function judgedExternal(port: LocalPort, { attachment, podUID, before }: ExternalPlace, env: AgentEnv): LocalPort {
  const { policy: _, wayNumber: __, zones: ___, ...plain } = port
  const { uid } = port
  const segment = segmentNumberOf(port.attachment)
  const was = before?.policy === undefined ? undefined : segmentNumberOf(before.attachment)
  const named = segment === undefined ? undefined : externalPolicyNamed(attachment, { podUID, segment })
  if (was !== undefined && (named === undefined || was !== segment)) env.segments.leave(was, uid)
  if (named !== undefined) env.segments.use(segment, uid, attachment.metadata.namespace ?? '')
  const policy = judged({ uid }, named, env)
  return policy === undefined ? plain : { ...plain, policy, ...numbersOf(port, env) }
}

/** In several VLANs the same addresses may be others' each time: their connections are not to be known as one. */
function numbersOf({ uid, attachment }: LocalPort, { ledger }: AgentEnv): Pick<LocalPort, 'wayNumber' | 'zones'> {
  const wayNumber = ledger.numberFor(wayNumberKey(uid))
  if (attachment.kind !== 'vlan' || attachment.mode === 'access') return { wayNumber }
  return { wayNumber, zones: attachment.vlans.map((vlan) => ({ vlan, number: ledger.numberFor(zoneKey(uid, vlan)) })) }
}
