// A Port made for a pod where the store says only afterwards who it is, as a cluster's does: it is served in the pass that makes it.
// A pass of its own would begin only when a watch has told of it and a queue has come to it, with the pod's sandbox waiting.
import type { Driver } from '../core/contracts/driver.ts'
import { keyOf, type Resource } from '../core/kinds/index.ts'
import type { PodAction } from '../core/plan/pod/pod.ts'
import type { ChangeEvent } from '../platform/cache/cache.ts'
import { openPorts } from './controllers/ports.ts'
import type { Env } from './env.ts'
import { gatherPort } from './gather-port.ts'
import { lookOf } from './reconcile.ts'

type Births = Driver<undefined, undefined, PodAction>
type Newborn = Extract<PodAction, { do: 'createPort' }>['draft']

/** When a Port that somebody else has made, and so serves, is looked at: he may have ended in between. */
const rivalMs = 1_000

/** What cannot be served at once has a pass of its own, like any other Port. @throws what making the Port throws */
export function servingBirths(driver: Births, env: Env): Births {
  const bear = async (draft: Newborn, signal: AbortSignal): Promise<void> => {
    const key = keyOf({ namespace: draft.metadata.namespace ?? '', name: draft.metadata.name })
    env.newborn.add(key)
    try {
      const port = await env.store.create(draft)
      await serve(port, key, signal, env)
    } catch (err) {
      env.newborn.delete(key)
      // It may be there, by somebody else, and was no news meanwhile.
      env.add('Port', key, rivalMs)
      throw err
    }
  }
  return {
    ...driver,
    apply: (action, signal) => (action.do === 'createPort' ? bear(action.draft, signal) : driver.apply(action, signal)),
    asWrites: (action) => (action.do === 'createPort' ? undefined : driver.asWrites?.(action)),
  }
}

async function serve(port: Resource<'Port'>, key: string, signal: AbortSignal, env: Env): Promise<void> {
  try {
    const againInMs = await lookOf('Port', { ...openPorts(env), gather: () => gatherPort(port, env, env.addresses.open()) }, env)(key, signal)
    if (againInMs !== undefined) env.add('Port', key, againInMs)
  } catch (err) {
    env.log.debug({ port: key, err }, 'a Port was not served when it was made')
    env.newborn.delete(key)
    env.add('Port', key)
  }
}

/** Whether a Port is seen bare whose maker, a pass here, is serving it. */
export function isBeingServed({ key, after }: ChangeEvent<'Port'>, { newborn }: Pick<Env, 'newborn'>): boolean {
  if (after !== undefined && after.status === undefined) return newborn.has(key)
  newborn.delete(key)
  return false
}
