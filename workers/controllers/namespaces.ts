// Namespaces of our own store: deleting one deletes what is in it.
import type { Write } from '../../core/contracts/store.ts'
import { refOf, scopeOf, type Kind, type Resource } from '../../core/kinds/index.ts'
import { freeing } from '../../core/plan/builtin/locks.ts'
import { planNamespace, type NamespaceAction, type NamespaceDesired } from '../../core/plan/namespace.ts'
import type { Plan } from '../../core/plan/plan.ts'
import { namespaceFinalizer } from '../../platform/store/apply.ts'
import { objects } from '../drivers/store-objects.ts'
import type { Env } from '../controller-env.ts'
import { row, type Row } from '../loop/controller-row.ts'
import type { Controller } from '../loop/controller.ts'
import { goes, isGoing, when } from '../watch/predicates.ts'
import { beingDeleted, itself, named } from '../watch/map-to-keys.ts'
import { cachedKinds } from '../../platform/cache/caches.ts'

const namespacedKinds = cachedKinds.filter((kind) => kind !== 'Notice' && scopeOf(kind) === 'Namespaced')

/** What is ours to write, and goes with what it is for. */
const writtenKinds: readonly Kind[] = ['IPLock', 'PolicyRuleSet', 'PolicyIdentity', 'ServiceAddress', 'EgressAddress', 'Connection']
const restKinds: readonly Kind[] = [...writtenKinds, 'Event', 'Notice', 'Secret']
/** All others: also kinds that came after this list. */
const itemKinds: readonly Kind[] = namespacedKinds.filter((kind) => !writtenKinds.includes(kind))
/** How many objects of a kind one pass takes: what goes wakes the next pass. */
const perPass = 500

const namespaceOf = ({ metadata: { namespace } }: Resource): readonly string[] => (namespace === undefined ? [] : [namespace])
const isBeingEmptied = when<'Namespace'>('is being deleted and still there', ({ after }) => after !== undefined && isGoing(after))

export const namespaces: Row<'Namespace'> = row(
  'Namespace',
  (on) => [
    on('Namespace', { when: isBeingEmptied, keys: itself }),
    // What goes wakes the next pass.
    ...namespacedKinds.map((kind) => on(kind, { when: goes, keys: named('Namespace', 'its namespace', namespaceOf, beingDeleted) })),
  ],
  open,
)

function open(env: Env): Controller<NamespaceDesired, undefined, undefined, NamespaceAction, Plan<NamespaceAction>> {
  const driver = objects<undefined, undefined, NamespaceAction>(env.store, 'objects', { observe: () => undefined, writesOf })
  const inIt = async (namespace: string, kinds: readonly Kind[]): Promise<Resource[]> => {
    const pages = await Promise.all(kinds.map((kind) => env.store.list(kind, { namespace, limit: perPass })))
    return pages.flatMap((page) => page.items)
  }
  return {
    async gather(key) {
      const namespace = env.caches.Namespace.get(key)
      const ours =
        namespace?.metadata.deletionTimestamp !== undefined && namespace.metadata.finalizers?.includes(namespaceFinalizer) === true
      return ours ? { namespace, items: await inIt(key, itemKinds), rest: await inIt(key, restKinds) } : undefined
    },
    driver: () => driver,
    scope: () => undefined,
    item: ({ namespace }) => namespace,
    plan: planNamespace,
  }
}

function writesOf(action: NamespaceAction): readonly Write[] {
  if (action.do === 'letGo')
    return [{ do: 'removeFinalizer', ref: refOf(action.namespace), uid: action.namespace.metadata.uid, finalizer: namespaceFinalizer }]
  if (action.item.kind === 'IPLock') return [freeing(action.item as Resource<'IPLock'>)]
  return [{ do: 'delete', ref: refOf(action.item), preconditions: { uid: action.item.metadata.uid } }]
}
