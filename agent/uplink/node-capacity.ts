// How much can be booked of this node's uplink, told to the scheduler: a resource of the Node. A kubelet that registers its Node anew sets
// it to nothing, so it is looked at now and then.
import { capacityOf, uplinkResource, type NoUplink, type Uplink } from '../../core/node/booking/booking.ts'
import type { Resource } from '../../core/kinds/index.ts'
import { ok } from '../../platform/kube/answers.ts'
import type { KubeApi } from '../../platform/kube/client.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'

const againMs = 60_000

export interface CapacityDeps {
  readonly client: Pick<KubeApi, 'ask'>
  readonly node: string
  readonly uplink: Uplink | NoUplink
  readonly clock: Clock
  readonly log: Log
}

/** Until it is stopped. */
export function reportCapacities(deps: CapacityDeps): { stop(): void } {
  const { clock, log } = deps
  let cancel = (): void => undefined
  let isOver = false
  const report = async (): Promise<void> => {
    await reportCapacity(deps).catch((err: unknown) => log.warn({ err }, 'the Node does not say how much can be booked of its uplink'))
    if (!isOver) cancel = clock.after(againMs, () => void report())
  }
  void report()
  return {
    stop() {
      isOver = true
      cancel()
    },
  }
}

/** Nothing is written where it is so already; what is not booked any more is taken back. */
export async function reportCapacity({ client, node, uplink }: Omit<CapacityDeps, 'clock' | 'log'>): Promise<void> {
  const path = `/api/v1/nodes/${encodeURIComponent(node)}`
  const seen = await client.ask({ verb: 'get', resource: 'nodes', path })
  if (!ok(seen)) throw new Error(`Node ${node} is not read: ${seen.status}`)
  const { capacity, allocatable } = (seen.body as Resource<'Node'>).status ?? {}
  const wanted = 'rate' in uplink ? String(capacityOf(uplink)) : undefined
  if ([capacity, allocatable].every((each) => each?.[uplinkResource] === wanted)) return
  const amount = { [uplinkResource]: wanted ?? null }
  const answer = await client.ask({
    verb: 'patch',
    resource: 'nodes/status',
    path: `${path}/status`,
    body: { status: { capacity: amount, allocatable: amount } },
    contentType: 'application/merge-patch+json',
  })
  if (!ok(answer)) throw new Error(`Node ${node} does not take it: ${answer.status}`)
}
