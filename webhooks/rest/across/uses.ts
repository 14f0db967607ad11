// GET /v1/uses/…: what an object refers to, and what refers to it, as far as the caller sees: to be read before it is deleted.
import { allKinds, keyOf, refOf, type Kind, type Ref, type Resource } from '../../../core/kinds/index.ts'
import { mayRefer, referencesOf } from '../../../core/kinds/references.ts'
import type { Caller } from '../../plugins/auth.ts'
import type { Handler, RestDeps } from '../deps.ts'
import { parametersOf } from '../query.ts'
import { gather } from './gather.ts'
import { objectOf } from './one.ts'

/** Of each way. */
const shownMax = 1_000

/** By the id of the operation. */
export const usesHandlers = { getUses: usesOf, getClusterUses: usesOf }

interface Use extends Ref {
  readonly at: string
}

function usesOf(deps: RestDeps): Handler {
  return async (request, reply) => {
    parametersOf(request, [])
    const item = await objectOf(request, deps)
    const uses = referencesOf(item).map(({ to, at }): Use => ({ ...to, at }))
    const usedBy = await usersOf(deps, request.caller, refOf(item))
    return reply.header('cache-control', 'no-store').send({
      ...refOf(item),
      uses: uses.slice(0, shownMax),
      usedBy: usedBy.slice(0, shownMax),
      more: Math.max(uses.length, usedBy.length) > shownMax,
    })
  }
}

async function usersOf(deps: RestDeps, caller: Caller, of: Ref): Promise<readonly Use[]> {
  const found: Use[] = []
  for (const kind of allKinds.filter((each) => each !== 'Event' && mayRefer(each, of.kind)))
    for (const item of await whoMayUse(deps, caller, kind, of)) {
      const reference = referringTo(item, of)
      if (reference !== undefined) found.push({ ...refOf(item), at: reference })
    }
  return found
}

/** Wherever the caller sees the kind; an account of the cluster's own is judged in one namespace, and there in the object's. */
const whoMayUse = async (deps: RestDeps, caller: Caller, kind: Kind, { namespace }: Ref): Promise<readonly Resource<Kind>[]> =>
  (await gather(deps, caller, kind, {})) ?? (namespace === undefined ? undefined : await gather(deps, caller, kind, { namespace })) ?? []

const referringTo = (item: Resource<Kind>, of: Ref): string | undefined =>
  referencesOf(item).find(({ to }) => to.kind === of.kind && keyOf(to) === keyOf(of))?.at
