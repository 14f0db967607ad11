// NetworkServiceRegistry: network services, which stay until somebody takes them away.
import type { SpecOf } from '../../../core/kinds/index.ts'
import { ChainRefused } from '../../../core/errors.ts'
import { serviceMessageOf, serviceSpecOf } from '../../../core/nsm/registry-messages.ts'
import { serviceFits } from '../../../core/nsm/registry-query.ts'
import { sameJson } from '../../../core/same-json.ts'
import type { NetworkService } from '../../../core/wire/nsm/registry.ts'
import type { ServedCall } from '../../grpc/caller.ts'
import { serverStream, unary, type ServedHandler } from '../../grpc/handlers.ts'
import { serviceMethods } from '../registry-methods.ts'
import { handed } from './hand.ts'
import { Listing } from './listing.ts'
import { Shelf } from './shelf.ts'
import type { Tended } from './tended.ts'

type Kind = 'NetworkService'
type Spec = SpecOf<Kind>

export function servedServices({ store, namespace, tokens, rules, caches, usualPayload }: Tended): readonly ServedHandler[] {
  const listing = new Listing<Kind>({ cache: caches.NetworkService, fits: serviceFits, shown: ({ spec }) => spec })
  const shelf = new Shelf<Kind>({ kind: 'NetworkService', namespace, store, listing })

  async function register(draft: NetworkService, call: ServedCall): Promise<Spec> {
    const hands = await handed(call, tokens)
    await rules.check(hands.path, call)
    if (draft.name === '') throw new ChainRefused({ reason: 'NetworkService.Name can not be zero valued' })
    const { path_ids: ids = [], ...given } = serviceSpecOf(draft)
    const payload = given.payload ?? usualPayload
    const spec: Spec = { ...given, ...(payload !== undefined && { payload }), path_ids: [...hands.idsOn(ids)] }
    const answer = await shelf.put(draft.name, (known) => {
      if (known === undefined) return spec
      // What a manifest says may be said again, by endpoints that register what they serve, and stays its owner's.
      const owner = known.spec.path_ids?.[0]
      const there = { ...known.spec, payload: known.spec.payload ?? usualPayload }
      if (owner === undefined && isSaidAgain(there, spec)) return known.spec
      rules.checkOwner(hands.path, owner)
      return spec
    })
    hands.answer()
    return answer
  }

  async function unregister({ name }: NetworkService, call: ServedCall): Promise<object> {
    const hands = await handed(call, tokens)
    await rules.check(hands.path, call)
    await shelf.remove(name, ({ spec }) => rules.checkOwner(hands.path, spec.path_ids?.[0]))
    hands.answer()
    return {}
  }

  return [
    unary(serviceMethods.register, async (draft, call) => serviceMessageOf(await register(draft, call))),
    unary(serviceMethods.unregister, unregister),
    serverStream(serviceMethods.find, async function* ({ networkService: wanted, watch }, { signal }) {
      const query = wanted === undefined ? {} : serviceSpecOf(wanted)
      if (!watch) for (const spec of listing.find(query)) yield { networkService: serviceMessageOf(spec) }
      else for await (const { spec, deleted } of listing.watch(query, signal)) yield { networkService: serviceMessageOf(spec), deleted }
    }),
  ]
}

const isSaidAgain = (there: Pick<Spec, 'matches'> & { readonly payload: string | undefined }, next: Spec): boolean =>
  there.payload === next.payload && sameJson(there.matches ?? [], next.matches ?? [])
