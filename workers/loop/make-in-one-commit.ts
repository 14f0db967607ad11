// Making where the store says who an object is before it is stored: it is planned as if it stood there, and joins its maker's commit.
import type { Draft } from '../../core/contracts/store.ts'
import { keyOf, keyOfItem, refOf, type Kind, type OwnKind, type Resource } from '../../core/kinds/index.ts'
import type { Plan } from '../../core/plan/plan.ts'
import { reported } from '../../core/plan/status.ts'
import { sameJson } from '../../core/same-json.ts'
import type { ChangeEvent } from '../../platform/cache/cache.ts'
import { reporting } from '../controller-env.ts'
import { drawsOrLetsGo, readLive } from './live-reads.ts'
import type { QueueName } from '../queues.ts'
import type { AnyController } from './controller.ts'
import type { Maker, Making } from './make-next-objects.ts'
import { asStored, guarded } from './status-reports.ts'

interface Joined {
  readonly controller: AnyController
  readonly desired: unknown
  readonly plan: Plan<unknown>
  /** As it will be. */
  readonly after: Resource
}

export function makesTogether({ env, batch, ask, controllers }: Making): Maker {
  const { store, inHand, clock } = env
  const made: Resource[] = []
  const joined: Joined[] = []

  /** Its plan, in the same commit; where a step has to be taken outside the store, it has a pass of its own. */
  async function join(item: Resource): Promise<void> {
    const controller = controllers.get(item.kind as QueueName)!
    const desired = await controller.gather(keyOfItem(item), item)
    const driver = controller.driver(desired)
    const plan = controller.plan(desired, controller.unmade, clock.now())
    const steps = plan.steps.map(({ action }) => driver.asWrites?.(action))
    const writes = steps.flatMap((each) => each ?? [])
    if (steps.includes(undefined) || drawsOrLetsGo(writes)) return controller.settle?.(desired, [], undefined)
    const report = reported(item as Resource<OwnKind>, plan, reporting(env, clock.now()))
    batch.add([...writes, ...report.writes])
    joined.push({ controller, desired, plan, after: report.after })
    // What waits for something has a key that waits too.
    if (plan.phase === 'ready') inHand.made(refOf(item), (event) => isAsMade(event, report.after))
  }

  return {
    async make(draft: Draft) {
      await ask(true)
      const named = store.identify!(guarded(draft, env) as Draft<OwnKind>)
      batch.add([{ do: 'create', draft: named }])
      made.push(asStored<Kind>(named, env))
    },
    async reconcile() {
      for (const item of made) await join(item)
      return new Map(joined.map(({ after }) => [keyOf(after.metadata), after]))
    },
    async end(err) {
      for (const { controller, desired } of joined) controller.settle?.(desired, batch.tried, err)
      // The caches have it at once, as it is, and what their watches tell of how it came to be so is no news.
      if (err === undefined)
        await readLive(
          joined.map(({ after }) => ({ ref: refOf(after), version: undefined })),
          env,
        )
      for (const { after } of joined) inHand.release(refOf(after), err === undefined)
    },
  }
}

/** First it may be seen bare, then as it was reported. */
const isAsMade = ({ after }: ChangeEvent<Kind>, made: Resource): boolean =>
  after !== undefined &&
  after.metadata.generation === 1 &&
  after.metadata.deletionTimestamp === undefined &&
  (after.status === undefined || sameJson(after.status, made.status))
