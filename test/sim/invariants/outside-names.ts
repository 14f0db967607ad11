// Of a name outside a policy is about the addresses that it has, once whoever knows answers; of those that it had none is left for long.
import { keyOfItem } from '../../../core/kinds/index.ts'
import { namesIn } from '../../../core/policy/read/names.ts'
import { sameJson } from '../../../core/same-json.ts'
import type { Invariant } from '../invariant.ts'

export const outsideNames: Invariant = {
  name: 'outside-names',
  begin: ({ site: { truth }, resolvers }, fail) => ({
    atRest() {
      for (const policy of truth.values('UnifiedNetworkPolicy')) {
        const { metadata, spec, status } = policy
        if (metadata.deletionTimestamp !== undefined) continue
        const known = (status?.names ?? []).map(({ name, addresses }) => [name, addresses.map(({ address }) => address)])
        const right = namesIn(spec).map((name) => [name, resolvers.addressesOf(name).toSorted()])
        if (!sameJson(known, right)) fail(`${keyOfItem(policy)} is about ${JSON.stringify(known)}, and outside is ${JSON.stringify(right)}`)
      }
    },
  }),
}
