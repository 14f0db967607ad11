// PrefixLocks: which prefixes may be advertised. A key is the name of a bucket.
import type { Write } from '../../../core/contracts/store.ts'
import { refFromKey, refOf } from '../../../core/kinds/index.ts'
import {
  freesPrefix,
  planPrefixLock,
  subnetsIn,
  type PrefixLockAction,
  type PrefixLockDesired,
} from '../../../core/plan/bgp/prefix-lock.ts'
import type { Plan } from '../../../core/plan/plan.ts'
import type { Env } from '../../controller-env.ts'
import { objects } from '../../drivers/store-objects.ts'
import { bgpNetOf, wantedBasis } from './bgp-net.ts'
import type { Controller } from '../../loop/controller.ts'
import { row, type Row } from '../../loop/controller-row.ts'
import { subnetChanges } from '../../watch/compared-fields.ts'
import { specChanges } from '../../watch/predicates.ts'
import { itself } from '../../watch/map-to-keys.ts'
import { locksOfGroup, locksOfSpeaker, locksOfSubnet, locksOfVpc, vpcAgreesOtherwise } from './bgp-watches.ts'

export const prefixLocks: Row<'PrefixLock'> = row(
  'PrefixLock',
  (on) => [
    on('PrefixLock', { when: specChanges, keys: itself }),
    on('BGPSessionGroup', { when: specChanges, keys: locksOfGroup }),
    on('Vpc', { when: vpcAgreesOtherwise, keys: locksOfVpc }),
    on('Subnet', { when: subnetChanges, keys: locksOfSubnet }),
    on('BGPSpeaker', { when: specChanges, keys: locksOfSpeaker }),
  ],
  open,
)

function open(env: Env): Controller<PrefixLockDesired, undefined, undefined, PrefixLockAction, Plan<PrefixLockAction>> {
  const driver = objects<undefined, undefined, PrefixLockAction>(env.store, 'objects', { observe: () => undefined, writesOf })
  return {
    gather: (name) => ({ name, net: bgpNetOf(env), speakers: [...env.caches.BGPSpeaker.values()] }),
    driver: () => driver,
    scope: () => undefined,
    item: () => undefined,
    basis: (desired) => [refFromKey('PrefixLock', desired.name), ...wantedBasis(subnetsIn(desired), desired.net)],
    plan: planPrefixLock,
    // Freed while somebody says it, two would say what overlaps. A worker that hears late would mark what another unmarks, without end.
    needsLive: (_, plan) =>
      plan.steps.length === 0 ? undefined : freesPrefix(plan) ? ['BGPSessionGroup', 'BGPSpeaker'] : ['BGPSessionGroup'],
  }
}

function writesOf(action: PrefixLockAction): readonly Write[] {
  switch (action.do) {
    case 'makePrefixLock':
      return [{ do: 'create', draft: { kind: 'PrefixLock', metadata: { name: action.name }, spec: { prefixes: [...action.prefixes] } } }]
    case 'setPrefixes':
      return [{ do: 'update', item: { ...action.lock, spec: { prefixes: [...action.prefixes] } } }]
    case 'deletePrefixLock': {
      const { uid, resourceVersion } = action.lock.metadata
      return [{ do: 'delete', ref: refOf(action.lock), preconditions: { uid, resourceVersion } }]
    }
  }
}
