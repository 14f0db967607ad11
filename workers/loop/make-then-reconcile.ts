// Making where the store says only afterwards who an object is, as a cluster's does: create, learn, reconcile.
import type { Draft } from '../../core/contracts/store.ts'
import { keyOf, refOf, type Ref, type Resource } from '../../core/kinds/index.ts'
import { learn } from './live-reads.ts'
import type { QueueName } from '../queues.ts'
import type { Maker, Making } from './make-next-objects.ts'
import { guarded } from './status-reports.ts'

const nothing: ReadonlyMap<string, Resource> = new Map()

export function makesFirst({ env, batch, signal, ask, reconcile }: Making): Maker {
  const { inHand } = env
  const made: Ref[] = []

  async function reconciled(ref: Ref): Promise<void> {
    const [queue, key] = [ref.kind as QueueName, keyOf(ref)]
    try {
      const againInMs = await reconcile(ref, () => inHand.release(ref, true))
      if (againInMs !== undefined) env.add(queue, key, againInMs)
    } catch (err) {
      env.log.debug({ queue, key, err }, 'what a pass has made was not reconciled with it')
      env.add(queue, key)
    }
  }

  return {
    async make(draft: Draft) {
      await ask(true)
      await batch.commit()
      const ref: Ref = {
        kind: draft.kind,
        name: draft.metadata.name,
        ...(draft.metadata.namespace !== undefined && { namespace: draft.metadata.namespace }),
      }
      // Until it is gathered, its own key waits for that.
      inHand.toBeGathered(ref)
      made.push(ref)
      const item = await env.store.create(guarded(draft, env))
      learn(refOf(item), item, env)
    },
    async reconcile() {
      for (const ref of made) {
        signal.throwIfAborted()
        await reconciled(ref)
      }
      return nothing
    },
    // Somebody else may have made one of that name.
    end: (err) => Promise.resolve(made.forEach((ref) => inHand.release(ref, err === undefined))),
  }
}
