// What is reported of an EgressClass, and its end: it stays until no Vpc sends by it.
import { keyOfItem, type Resource, type StatusOf } from '../../kinds/index.ts'
import { endOf, firstAndMore, inPlace, type Plan } from '../plan.ts'
import { egressCondition } from './vpc-egress.ts'

type Refused = NonNullable<StatusOf<'EgressClass'>['refused']>[number]
type User = NonNullable<StatusOf<'EgressClass'>['vpcs']>[number]

export interface EgressClassDesired {
  readonly egressClass: Resource<'EgressClass'>
  /** Those that send by it, or whose owner names it. */
  readonly users: readonly Resource<'Vpc'>[]
  /** By `namespace/name`. */
  readonly vpc: (key: string) => Resource<'Vpc'> | undefined
}

export function planEgressClass({ egressClass, users, vpc }: EgressClassDesired): Plan<never> {
  const { name, deletionTimestamp } = egressClass.metadata
  const sending = users.filter(({ status }) => status?.egress?.class === name)
  if (deletionTimestamp !== undefined)
    return endOf(
      sending.map((each) => `Vpc ${keyOfItem(each)}`),
      'uses',
    )
  const vpcs = sending.map((each): User => ({ vpc: keyOfItem(each), nodes: each.status?.egress?.nodes.length ?? 0 }))
  const refused = egressClass.spec.vpcs.flatMap((key): readonly Refused[] => {
    const message = vpcs.some((each) => each.vpc === key) ? undefined : whyNot(vpc(key), name)
    return message === undefined ? [] : [{ what: `Vpc ${key}`, message }]
  })
  return {
    ...inPlace('InPlace', `${vpcs.length} of ${egressClass.spec.vpcs.length} Vpcs send by it`),
    conditions: [acceptedCondition(refused)],
    sections: { users: { ...(vpcs.length > 0 && { vpcs }), ...(refused.length > 0 && { refused }) } },
  }
}

function acceptedCondition([first, ...others]: readonly Refused[]) {
  return first === undefined
    ? ({ type: 'Accepted', status: 'True', reason: 'AllOfIt', message: 'all that is asked for is done' } as const)
    : ({
        type: 'Accepted',
        status: 'False',
        reason: 'NotAllOfIt',
        message: firstAndMore(`${first.what}: ${first.message}`, others.length),
      } as const)
}

/** Undefined: it is about to. */
function whyNot(vpc: Resource<'Vpc'> | undefined, name: string): string | undefined {
  if (vpc === undefined) return 'not found'
  if (vpc.spec.egressClass !== name) return `does not agree: its owner names ${name} in spec.egressClass`
  return vpc.status?.conditions?.find(({ type, status }) => type === egressCondition && status === 'False')?.message
}
