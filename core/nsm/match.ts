// Which endpoints of a NetworkService a client gets, in the exact order of networkservicemesh/sdk:pkg/tools/matchutils/utils.go
// (MatchEndpoint, IsSubset). Weights are said in routes, and looked at by nobody.
import type { NsmSpec } from '../kinds/foreign-network-services.ts'
import { rendered } from './template.ts'

export type Labels = Readonly<Record<string, string>>

type Match = NonNullable<NsmSpec<'NetworkService'>['matches']>[number]

export interface MatchQuestion<E> {
  readonly matches: NsmSpec<'NetworkService'>['matches']
  /** The client's. */
  readonly labels: Labels
  /** Who serves the service, in the order in which they are tried. */
  readonly endpoints: readonly E[]
  /** An endpoint's, for this service. */
  readonly labelsOf: (endpoint: E) => Labels
}

/**
 * 1. A service without matches gives all. 2. A match whose source_selector is no part of the client's labels is passed over. 3. Of the
 * first that fits: for every route, every endpoint whose labels have its destination_selector, so that one that fits two routes stands
 * there twice. 4. None, and `fallthrough`: the next match. 5. None, metadata, and no routes at all: all. 6. Else what was found, also
 * none: later matches are not tried. 7. No match fits: none.
 */
export function matchEndpoints<E>(question: MatchQuestion<E>): readonly E[] {
  const { matches = [], labels, endpoints } = question
  if (matches.length === 0) return endpoints
  for (const match of matches) {
    const found = isSubset(match.source_selector ?? {}, labels, labels) ? routed(match, question) : undefined
    if (found !== undefined) return found
  }
  return []
}

/** What a match that fits gives; undefined: the next one is looked at. */
function routed<E>(
  { routes = [], fallthrough, metadata }: Match,
  { labels, endpoints, labelsOf }: MatchQuestion<E>,
): readonly E[] | undefined {
  const found = routes.flatMap(({ destination_selector: wanted = {} }) =>
    endpoints.filter((endpoint) => isSubset(wanted, labelsOf(endpoint), labels)),
  )
  if (found.length > 0) return found
  if (fallthrough === true) return undefined
  return metadata !== undefined && routes.length === 0 ? endpoints : found
}

/** A value is compared as it stands, then as a template over the client's labels. A label that is absent is the empty text, as in Go. */
export function isSubset(selector: Labels, of: Labels, client: Labels): boolean {
  const wanted = Object.entries(selector)
  return (
    wanted.length <= Object.keys(of).length &&
    wanted.every(([key, value]) => {
      const has = Object.hasOwn(of, key) ? of[key] : ''
      return has === value || has === rendered(value, client)
    })
  )
}
