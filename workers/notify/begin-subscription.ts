// A Subscription begins: each object that it is about, by the store's word, is told so. It says that it tells of changes only afterwards.
import { Invalid, NotFound, Stale } from '../../core/errors.ts'
import { allKinds, refOf, scopeOf, type Kind, type Resource } from '../../core/kinds/index.ts'
import { isNotified } from '../../core/kinds/notify/notified.ts'
import { subscribeWrites } from '../../core/plan/notify/beginning.ts'
import { isSubscribed } from '../../core/plan/notify/subscribers.ts'
import type { Env } from '../controller-env.ts'
import { isOurs } from '../gather/pod.ts'

type Subscription = Resource<'Subscription'>
type Living = Pick<Env, 'store' | 'view' | 'config'>

/** At once; and how often an object is read anew that somebody else is writing. */
const together = 16
const triesMost = 8

/** @throws where one of them could not be written: then nothing has begun, and the next pass goes on */
export async function beginTelling(subscription: Subscription, env: Living, signal: AbortSignal): Promise<void> {
  for (const kind of kindsOf(subscription, env)) {
    const items = (await listed(kind, subscription, env)).filter((item) => isAbout(subscription, item, env))
    for (let at = 0; at < items.length; at += together) {
      signal.throwIfAborted()
      await Promise.all(items.slice(at, at + together).map((item) => begun(subscription, item, env)))
    }
  }
}

const bornWithPods = ({ store }: Living): boolean => store.identify !== undefined

/** Where a Port is made, served and reported in the commit of its pod, it is the pod's report that must not land. */
function kindsOf({ spec: { filter = {} } }: Subscription, env: Living): readonly Kind[] {
  const wanted = filter.kinds ?? allKinds
  return allKinds.filter(
    (kind) => isNotified(kind) && (wanted.includes(kind) || (kind === 'Pod' && wanted.includes('Port') && bornWithPods(env))),
  )
}

async function listed(kind: Kind, { metadata, spec }: Subscription, { store, config }: Living): Promise<readonly Resource[]> {
  const namespaced = scopeOf(kind) === 'Namespaced'
  const seesAll = metadata.namespace === config.namespace
  if (!namespaced) return seesAll ? (await store.list(kind)).items : []
  const namespaces = seesAll ? spec.filter?.namespaces : [metadata.namespace ?? '']
  const pages = await Promise.all(
    (namespaces ?? [undefined]).map((namespace) => store.list(kind, namespace === undefined ? {} : { namespace })),
  )
  return pages.flatMap(({ items }): readonly Resource[] => items)
}

function isAbout(subscription: Subscription, item: Resource, env: Living): boolean {
  if (item.kind !== 'Pod') return isSubscribed(subscription, item, env.config.namespace)
  return isOurs(item as Resource<'Pod'>, env) && (bornWithPods(env) || isSubscribed(subscription, item, env.config.namespace))
}

async function begun(subscription: Subscription, listed: Resource, { store }: Living): Promise<void> {
  const ref = refOf(listed)
  let item: Resource | undefined = listed
  for (let tries = 1; item?.metadata.uid === listed.metadata.uid; tries++) {
    try {
      return await store.commit(subscribeWrites(subscription, item))
    } catch (err) {
      if (err instanceof NotFound) return
      // Somebody has written it meanwhile, or it goes and takes no finalizer any more.
      if (tries === triesMost || !(err instanceof Stale || err instanceof Invalid)) throw err
      item = await store.get(ref)
    }
  }
}
