// NetworkServiceEndpointRegistry: endpoints, each until its time is over.
import type { Resource, SpecOf } from '../../../core/kinds/index.ts'
import { ChainRefused } from '../../../core/errors.ts'
import { earliest, outlives, removalMsOf, storedEndOf } from '../../../core/nsm/expiration.ts'
import { endpointMessageOf, endpointSpecOf } from '../../../core/nsm/registry-messages.ts'
import { endpointFits } from '../../../core/nsm/registry-query.ts'
import { sameJson } from '../../../core/same-json.ts'
import type { NetworkServiceEndpoint } from '../../../core/wire/nsm/registry.ts'
import { timestampOf, type Timestamp } from '../../../core/wire/nsm/well-known.ts'
import type { ServedCall } from '../../grpc/caller.ts'
import { serverStream, unary, type ServedHandler } from '../../grpc/handlers.ts'
import { endpointMethods } from '../registry-methods.ts'
import type { Tended } from './tended.ts'
import { Ends } from './ends.ts'
import { handed, type Handed } from './hand.ts'
import { Listing } from './listing.ts'
import { Shelf } from './shelf.ts'

type Kind = 'NetworkServiceEndpoint'
type Spec = SpecOf<Kind>

/** @returns handlers, and what stops its timers */
export function servedEndpoints(tended: Tended): { readonly handlers: readonly ServedHandler[]; stop(): void } {
  const { store, namespace, clock, tokens, rules, caches, longestMs, mark, failed } = tended
  const ends = new Ends(clock, (item) => {
    shelf.expire(item).catch(failed)
  })
  const listing = new Listing<Kind>({ cache: caches.NetworkServiceEndpoint, fits: endpointFits, shown: (item) => ends.shown(item) })
  const shelf = new Shelf<Kind>({ kind: 'NetworkServiceEndpoint', namespace, store, listing })

  async function register(draft: NetworkServiceEndpoint, call: ServedCall): Promise<Spec> {
    const now = clock.now()
    const leftMs = call.deadline === undefined ? 0 : Math.max(0, call.deadline - now)
    const hands = await handed(call, tokens)
    await rules.check(hands.path, call)
    if (draft.name === '') throw new ChainRefused({ reason: 'NetworkServiceEndpoint.Name can not be zero valued' })
    const end = earliest(timestampOf(now + longestMs), ...hands.ends, draft.expirationTime)
    const judge = judgeOf({ draft: endpointSpecOf(draft), hands, end, now })
    const spec = await shelf.put(draft.name, judge, (item) => ends.set(item, end, removalMsOf(end, leftMs)))
    hands.answer()
    return spec
  }

  const judgeOf =
    ({ draft, hands, end, now }: { readonly draft: Spec; readonly hands: Handed; readonly end: Timestamp; readonly now: number }) =>
    (known: Resource<Kind> | undefined): Spec => {
      if (known !== undefined) rules.checkOwner(hands.path, known.spec.path_ids?.[0])
      const spec: Spec = {
        ...draft,
        initial_registration_time: known?.spec.initial_registration_time ?? draft.initial_registration_time ?? timestampOf(now),
        path_ids: [...hands.idsOn(draft.path_ids ?? [])],
        expiration_time: storedEndOf(end, now, mark),
      }
      return known !== undefined && ends.has(known) && isRefresh(known.spec, spec, end) ? known.spec : spec
    }

  async function unregister({ name }: NetworkServiceEndpoint, call: ServedCall): Promise<object> {
    const hands = await handed(call, tokens)
    await rules.check(hands.path, call)
    await shelf.remove(name, ({ spec }) => rules.checkOwner(hands.path, spec.path_ids?.[0]))
    hands.answer()
    return {}
  }

  return {
    stop: () => ends.stop(),
    handlers: [
      unary(endpointMethods.register, async (draft, call) => endpointMessageOf(await register(draft, call))),
      unary(endpointMethods.unregister, unregister),
      serverStream(endpointMethods.find, async function* ({ networkServiceEndpoint: wanted, watch }, { signal }) {
        const query = wanted === undefined ? {} : endpointSpecOf(wanted)
        if (!watch) for (const spec of listing.find(query)) yield { networkServiceEndpoint: endpointMessageOf(spec) }
        else
          for await (const { spec, deleted } of listing.watch(query, signal))
            yield { networkServiceEndpoint: endpointMessageOf(spec), deleted }
      }),
    ],
  }
}

/** Nothing but its end differs, and what is stored outlives that: refreshes are not written each. */
const isRefresh = (known: Spec, next: Spec, end: Timestamp): boolean =>
  outlives(known.expiration_time, end) && sameJson({ ...known, expiration_time: undefined }, { ...next, expiration_time: undefined })
