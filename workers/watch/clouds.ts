// What wakes what stands at a cloud.
import type { Resource } from '../../core/kinds/index.ts'
import { sameJson } from '../../core/same-json.ts'
import { isAtCloud, when } from './predicates.ts'
import type { Delay } from './watch.ts'

type PlacedKind = 'Vpc' | 'Subnet' | 'Port' | 'CloudSecurityGroup'

/** As long as a worker waits that goes on not reaching a cloud which another one reaches: they contradict each other, and not faster. */
const againMs = 10_000

/** What its workers report: not what its node does, nor when what was refused was asked for once more. */
const reportedByWorkers = (item: Resource | undefined): object => {
  const { node: _, requestedAt: __, ...rest } = (item?.status ?? {}) as Readonly<Record<string, unknown>>
  return rest
}

/**
 * Whoever has written it may have asked the cloud long before, and whoever has asked it since, and found everything as reported, may not
 * have heard of what was written: the cloud wakes nobody for that a second time.
 */
export const isReportedOtherwiseAtCloud = when<PlacedKind>(
  'is of a cloud, and is reported otherwise than before',
  ({ before, after }) => isAtCloud(after) && !sameJson(reportedByWorkers(before), reportedByWorkers(after)),
)
export const onceMore: Delay<PlacedKind> = { text: '10 s', ms: () => againMs }
