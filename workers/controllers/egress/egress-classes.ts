// EgressClasses: what is reported of them, and their end.
import { keyOfItem, type Resource } from '../../../core/kinds/index.ts'
import { planEgressClass, type EgressClassDesired } from '../../../core/plan/egress/egress-class.ts'
import type { Plan } from '../../../core/plan/plan.ts'
import type { Env } from '../../controller-env.ts'
import { nothing } from '../../drivers/store-objects.ts'
import type { Controller } from '../../loop/controller.ts'
import { row, type Row } from '../../loop/controller-row.ts'
import { asItWasAndIs, itself } from '../../watch/map-to-keys.ts'
import { isReportedInAnotherPhase, part, specChanges } from '../../watch/predicates.ts'

const vpcSendsOtherwise = part<'Vpc'>(
  'spec.egressClass, status.egress, its conditions, or whether it is there',
  (vpc) =>
    vpc && [vpc.spec.egressClass, vpc.status?.egress, vpc.spec.egressClass && vpc.status?.conditions, vpc.metadata.deletionTimestamp],
)
const classesOf = (vpc: Resource<'Vpc'>, { caches }: Env): readonly string[] => {
  const key = keyOfItem(vpc)
  const naming = [...caches.EgressClass.values()].filter(({ spec }) => spec.vpcs.includes(key)).map(keyOfItem)
  return [...naming, ...[vpc.spec.egressClass, vpc.status?.egress?.class].flatMap((name) => name ?? [])]
}

export const egressClasses: Row<'EgressClass'> = row(
  'EgressClass',
  (on) => [
    on('EgressClass', { when: specChanges, keys: itself }),
    on('EgressClass', { when: isReportedInAnotherPhase, keys: itself }),
    on('Vpc', { when: vpcSendsOtherwise, keys: asItWasAndIs('EgressClass', 'those that name it, and that it names', classesOf) }),
  ],
  open,
)

function open(env: Env): Controller<EgressClassDesired, undefined, undefined, never, Plan<never>> {
  const { caches, store } = env
  const driver = nothing(store)
  return {
    gather(key) {
      const egressClass = caches.EgressClass.get(key)
      return egressClass && { egressClass, users: [...caches.Vpc.by('egressClass', key)], vpc: (of) => caches.Vpc.get(of) }
    },
    driver: () => driver,
    scope: () => undefined,
    item: ({ egressClass }) => egressClass,
    plan: planEgressClass,
    needsLive: (_, { phase }) => (phase === 'deleted' ? ['Vpc'] : undefined),
  }
}
