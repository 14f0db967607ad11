// Objects of several kinds, wherever the caller may see them, and of no other place.
import type { Page, Within } from '../../../core/contracts/store.ts'
import { Forbidden, TooMany } from '../../../core/errors.ts'
import { isOwnKind, type Kind, type Resource } from '../../../core/kinds/index.ts'
import { breath } from '../../../platform/clock.ts'
import { KindNotServed } from '../../../platform/kube/answers.ts'
import { storeFor } from '../../plugins/access.ts'
import type { Caller } from '../../plugins/auth.ts'
import type { RestDeps } from '../deps.ts'
import { reachOf } from './reach.ts'

/** Objects of one kind that one answer is made from at most. */
export const gatheredMax = 50_000
const pageSize = 1_000

export interface Gathering {
  readonly namespace?: string | undefined
  readonly fields?: Within['fields']
}

/** Page by page, so that nobody else waits. Undefined: the caller may see the kind nowhere. @throws TooMany */
export async function gather<K extends Kind>(
  deps: RestDeps,
  caller: Caller,
  kind: K,
  { namespace, fields }: Gathering,
): Promise<readonly Resource<K>[] | undefined> {
  const reach = await reachOf(deps, caller, { kind, namespace })
  if (reach.length === 0) return undefined
  const found: Resource<K>[] = []
  for (const each of reach) {
    const within = { ...(each !== undefined && { namespace: each }), ...(fields && { fields }) }
    for (const item of await everyOf(deps, caller, kind, within)) found.push(item)
    if (found.length > gatheredMax) throw new TooMany({ kind, max: gatheredMax })
  }
  return found
}

/** @param caller as of `pagesOf` @throws TooMany where it is more than one answer is made from */
export async function everyOf<K extends Kind>(
  deps: RestDeps,
  caller: Caller | undefined,
  kind: K,
  within: Within = {},
): Promise<readonly Resource<K>[]> {
  const found: Resource<K>[] = []
  for await (const { items } of pagesOf(deps, caller, kind, within)) {
    found.push(...items)
    if (found.length > gatheredMax) throw new TooMany({ kind, max: gatheredMax })
  }
  return found
}

/**
 * Also used where one stops early. Of somebody else's kind that a cluster does not have there are none (Multus is not everywhere).
 *
 * @param caller absent: what is read was judged before, and our own account reads it
 */
export async function* pagesOf<K extends Kind>(
  deps: RestDeps,
  caller: Caller | undefined,
  kind: K,
  within: Within,
): AsyncGenerator<Page<K>> {
  const store = caller === undefined ? deps.store : storeFor(deps, caller)
  let place: { readonly continue?: string } = {}
  for (;;) {
    const page = await store.list(kind, { ...within, ...place, limit: pageSize }).catch((err: unknown) => noneOf(kind, err))
    yield page
    if (page.continue === undefined) return
    place = { continue: page.continue }
    await breath(deps.clock)
  }
}

function noneOf(kind: Kind, err: unknown): Page<never> {
  if (err instanceof KindNotServed && !isOwnKind(kind)) return { items: [], resourceVersion: '' }
  throw err
}

/** Whoever may see none of these is refused, whatever there is. @throws Forbidden */
export function holdAny(found: readonly (readonly unknown[] | undefined)[]): void {
  if (found.every((each) => each === undefined)) throw new Forbidden({})
}
