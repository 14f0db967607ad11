// BGPSessionGroups: what is reported of them, and their end.
import { planSessionGroup, type SessionGroupDesired } from '../../../core/plan/bgp/session-group.ts'
import type { Plan } from '../../../core/plan/plan.ts'
import type { Env } from '../../controller-env.ts'
import { nothing } from '../../drivers/store-objects.ts'
import { bgpNetOf } from './bgp-net.ts'
import type { Controller } from '../../loop/controller.ts'
import { row, type Row } from '../../loop/controller-row.ts'
import { subnetChanges } from '../../watch/compared-fields.ts'
import { changes, isReportedInAnotherPhase, specChanges } from '../../watch/predicates.ts'
import { every, itself } from '../../watch/map-to-keys.ts'
import type { Delay } from '../../watch/watch.ts'
import { groupsOfSpeaker, groupsOfSubnet, groupsOfVpc, nodeSpeaksOtherwise, vpcAgreesOtherwise } from './bgp-watches.ts'

/** A thousand nodes that begin to speak are reported of together. */
const together: Delay<'BGPSpeaker'> = { text: '1 s', ms: () => 1_000 }

export const bgpSessionGroups: Row<'BGPSessionGroup'> = row(
  'BGPSessionGroup',
  (on) => [
    on('BGPSessionGroup', { when: specChanges, keys: itself }),
    // Of two with one route table the other may be the one that stays.
    on('BGPSessionGroup', { when: specChanges, keys: every('BGPSessionGroup') }),
    on('BGPSessionGroup', { when: isReportedInAnotherPhase, keys: itself }),
    on('Node', { when: nodeSpeaksOtherwise, keys: every('BGPSessionGroup') }),
    on('BGPSpeaker', { when: changes, keys: groupsOfSpeaker, after: together }),
    on('Vpc', { when: vpcAgreesOtherwise, keys: groupsOfVpc }),
    on('Subnet', { when: subnetChanges, keys: groupsOfSubnet }),
    on('PrefixLock', { when: specChanges, keys: every('BGPSessionGroup') }),
  ],
  open,
)

function open(env: Env): Controller<SessionGroupDesired, undefined, undefined, never, Plan<never>> {
  const { caches, store } = env
  const driver = nothing(store)
  return {
    gather(key) {
      const group = caches.BGPSessionGroup.get(key)
      return group && { group, nodes: [...caches.Node.values()], speakers: [...caches.BGPSpeaker.values()], net: bgpNetOf(env) }
    },
    driver: () => driver,
    scope: () => undefined,
    item: ({ group }) => group,
    plan: planSessionGroup,
    needsLive: (_, { phase }) => (phase === 'deleted' ? ['BGPSpeaker'] : undefined),
  }
}
