// GET /v1/search: objects by name, address, MAC, portID, VNI or VLAN, among those that the caller may see.
import { searchFor, searchMax, type SearchHit, type SearchTest } from '../../../core/views/search.ts'
import { allKinds, refOf, type Kind, type Ref } from '../../../core/kinds/index.ts'
import { Forbidden } from '../../../core/errors.ts'
import type { Caller } from '../../plugins/auth.ts'
import type { Handler, RestDeps } from '../deps.ts'
import { BadParameter } from '../invalid-object.ts'
import { parametersOf, wholeIn, type Parameters } from '../query.ts'
import { gatheredMax, pagesOf } from './gather.ts'
import { namespaceIn } from './kinds-in.ts'
import { reachOf } from './reach.ts'

const limitUsual = 20
const limitMax = 100
/** What nobody searches for: they come with others, by the thousand. */
const passedOver: readonly Kind[] = ['Event', 'Notice']

/** By the id of the operation. */
export const searchHandlers = { search: searchOf }

interface FoundObject extends Ref, SearchHit {}

function searchOf(deps: RestDeps): Handler {
  return async (request, reply) => {
    const parameters = parametersOf(request, ['q', 'namespace', 'limit'])
    const test = searchFor(textIn(parameters))
    const limit = wholeIn(parameters, 'limit', { max: limitMax }) ?? limitUsual
    const namespace = namespaceIn(parameters)
    const found: FoundObject[] = []
    let complete = true
    let somewhere = false
    for (const kind of allKinds.filter((each) => !passedOver.includes(each))) {
      const reach = await reachOf(deps, request.caller, { kind, namespace })
      somewhere ||= reach.length > 0
      for (const each of reach) complete = (await searchIn(deps, request.caller, { kind, namespace: each, test, found, limit })) && complete
    }
    if (!somewhere) throw new Forbidden({})
    found.sort((a, b) => a.rank - b.rank)
    return reply.header('cache-control', 'no-store').send({
      items: found.slice(0, limit).map(({ rank: _rank, ...hit }) => hit),
      complete: complete && found.length <= limit,
    })
  }
}

interface Searching {
  readonly kind: Kind
  readonly namespace: string | undefined
  readonly test: SearchTest
  readonly found: FoundObject[]
  readonly limit: number
}

/** @returns whether all of it was looked through */
async function searchIn(deps: RestDeps, caller: Caller, { kind, namespace, test, found, limit }: Searching): Promise<boolean> {
  let seen = 0
  for await (const { items } of pagesOf(deps, caller, kind, namespace === undefined ? {} : { namespace })) {
    for (const item of items) {
      const hit = test(item)
      if (hit !== undefined) keep(found, { ...refOf(item), ...hit }, limit)
    }
    seen += items.length
    if (seen >= gatheredMax) return false
  }
  return true
}

/** No more than can be shown, and one to say that there are more; the better in place of the worse. */
function keep(found: FoundObject[], hit: FoundObject, limit: number): void {
  if (found.length <= limit) return void found.push(hit)
  const worse = found.findIndex(({ rank }) => rank > hit.rank)
  if (worse >= 0) found[worse] = hit
}

function textIn({ q = '' }: Parameters): string {
  const text = q.trim()
  if (text === '') throw new BadParameter('q', 'is missing: a name, an address, a MAC, a portID, a VNI or a VLAN')
  if (text.length > searchMax) throw new BadParameter('q', `is longer than ${searchMax} characters`)
  return text
}
