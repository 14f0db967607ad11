// A Cloud: whether it can be asked, and that it stays as long as a Vpc names it.
import type { CloudProblem, PortQuota } from '../../contracts/cloud.ts'
import type { Resource } from '../../kinds/index.ts'
import { endOf, inPlace, refused, type Plan } from '../plan.ts'

export interface CloudDesired {
  readonly cloud: Resource<'Cloud'>
  /** Why it cannot be asked; whether it answers is not looked at. */
  readonly problem: CloudProblem | undefined
  /** Vpcs that name it, where it is being deleted. */
  readonly users: readonly string[]
  /** What is made ahead there. */
  readonly pools: NonNullable<Resource<'Cloud'>['status']>['pools']
}

export interface CloudQuotaSeen {
  /** Undefined: it could not be asked. */
  readonly quota: PortQuota | undefined
}

/** Pools change with every pod: they are told now and then. */
const poolsMs = 30_000
/** And what others of its project have by time alone. */
const quotaMs = 60_000

/** Its credentials may come. */
const againMs = 10_000

export function planCloud({ cloud, problem, users, pools }: CloudDesired, { quota }: CloudQuotaSeen): Plan<never> {
  if (cloud.metadata.deletionTimestamp !== undefined) return endOf(users, 'names')
  if (problem !== undefined) return { ...refused(problem.reason, problem.message), requeueAfterMs: againMs }
  const plan = inPlace('InPlace', `${cloud.spec.provider} at ${cloud.spec.endpoint}`)
  const isPooled = cloud.spec.warmPools !== undefined || cloud.status?.pools !== undefined
  return {
    ...plan,
    sections: { quota: sectionOf(quota), ...(isPooled && { pools: pools === undefined ? {} : { pools } }) },
    requeueAfterMs: isPooled ? poolsMs : quotaMs,
  }
}

const sectionOf = (quota: PortQuota | undefined): { readonly portQuota?: PortQuota } =>
  quota === undefined || quota.limit === Infinity ? {} : { portQuota: quota }
