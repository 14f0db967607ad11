// A Subscription that a request names, and a new word in its spec, which the workers answer in its status.
import type { FastifyRequest } from 'fastify'
import type { RightVerb } from '../../../core/admit/rest/rights.ts'
import { Stale } from '../../../core/errors.ts'
import { refOf, type Resource, type SpecOf } from '../../../core/kinds/index.ts'
import { mayDo, storeFor } from '../../plugins/access.ts'
import { mustGet, paramsOf, refIn } from '../address.ts'
import type { RestDeps } from '../deps.ts'

type Subscription = Resource<'Subscription'>

/** @throws Forbidden, NotFound */
export async function subscriptionIn(request: FastifyRequest, deps: RestDeps, act: RightVerb): Promise<Subscription> {
  const params = paramsOf(request)
  await mayDo(deps, request.caller, { act, kind: 'Subscription', namespace: params.namespace })
  return mustGet(storeFor(deps, request.caller), refIn('Subscription', params))
}

/** @param more asked again where somebody else was faster, of what is stored by then */
export async function changeSpec(
  deps: RestDeps,
  request: FastifyRequest,
  subscription: Subscription,
  more: (stored: Subscription) => Partial<SpecOf<'Subscription'>>,
): Promise<Subscription> {
  const store = storeFor(deps, request.caller)
  for (let item = subscription; ; item = await mustGet(store, refOf(subscription))) {
    try {
      return await store.update({ ...item, spec: { ...item.spec, ...more(item) } })
    } catch (err) {
      if (!(err instanceof Stale)) throw err
    }
  }
}
