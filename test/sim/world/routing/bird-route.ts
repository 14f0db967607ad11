// Routes as BIRD's model has them, and which of several to one prefix is taken.
import type { FilteredRoute } from './bird-filter.ts'

/** As a neighbour has told it. */
export interface ToldRoute {
  readonly net: string
  readonly nextHop: string
  readonly asPath: readonly number[]
  readonly localPref: number | undefined
  readonly communities: ReadonlySet<string>
  readonly largeCommunities: ReadonlySet<string>
  /** Router ID of who brought it into the AS (RFC 4456 section 8). */
  readonly originator: string | undefined
}

export interface RibRoute extends FilteredRoute {
  readonly preference: number
  readonly asPath: readonly number[]
  /** Of BGP: where it leads, and who told. */
  readonly by?: {
    readonly session: string
    readonly isInternal: boolean
    readonly isClient: boolean
    readonly isDirect: boolean
    readonly nextHop: string
  }
  readonly originator?: string | undefined
}

/** A Port that is here, a block that is told of, and what others tell: as our configuration and BIRD's defaults have it. */
export const preferences = { kernel: 250, static: 200, bgp: 100 } as const

/** RFC 4271 section 9.1.2.2, as far as it can differ here. */
export function isBetter(one: RibRoute, other: RibRoute): boolean {
  const [a, b] = [rankOf(one), rankOf(other)]
  const at = a.findIndex((value, i) => value !== b[i])
  return at !== -1 && a[at]! > b[at]!
}

const rankOf = ({ preference, localPref, asPath, by }: RibRoute): readonly (number | string)[] => [
  preference,
  localPref,
  -asPath.length,
  by?.isInternal === true ? 0 : 1,
  // Any order will do that all looks agree on.
  by?.nextHop ?? '',
  by?.session ?? '',
]

export const localRoute = (net: string, source: 'kernel' | 'static', kernelProtocol?: number): RibRoute => ({
  net,
  source,
  ...(kernelProtocol !== undefined && { kernelProtocol }),
  communities: new Set(),
  largeCommunities: new Set(),
  localPref: 100,
  preference: preferences[source],
  asPath: [],
})
