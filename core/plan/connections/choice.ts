// Which endpoint a client has: the one that it has while that serves; else on its own node, in its zone, with the fewest clients, by name.
import type { Move } from '../../kinds/services/connection.ts'
import type { Resource } from '../../kinds/index.ts'

/** An endpoint whose labels fit a client's, and how it stands. */
export interface Candidate {
  /** `namespace/name` of the NetworkServiceEndpoint. */
  readonly endpoint: string
  readonly port: Resource<'Port'>
  readonly node: string | undefined
  readonly zone: string | undefined
  /** Why its clients are moved; undefined: it serves. */
  readonly leaving: 'EndpointNotReady' | 'EndpointUnreachable' | 'EndpointGoing' | 'NodeDrained' | undefined
  /** How many have it. */
  readonly clients: () => number
}
/** Where the client is. */
export interface ClientPlace {
  readonly node: string | undefined
  readonly zone: string | undefined
}
export interface Choosing {
  /** `namespace/name` of the endpoint that it has. */
  readonly had: string | undefined
  /** That is there still, whether it fits or not. */
  readonly isHadThere: boolean
  readonly moves: readonly Move[]
  readonly candidates: readonly Candidate[]
  readonly client: ClientPlace
}
export interface Chosen {
  readonly candidate: Candidate | undefined
  /** Why it is another one than before; undefined: it is the same. */
  readonly reason?: string
  /** It is to be moved, and is not yet: looked at again after so many milliseconds. */
  readonly againInMs?: number
}

/** How long an endpoint that is leaving, and that nothing can take the place of, is kept before it is looked at again. */
const keptMs = 2_000
const [restFirstMs, restMostMs, restForgottenMs] = [1_000, 60_000, 600_000]

export function chooseEndpoint(choosing: Choosing, now: number): Chosen {
  const { had, candidates, client } = choosing
  const current = candidates.find(({ endpoint }) => endpoint === had)
  if (current !== undefined && current.leaving === undefined) return { candidate: current }
  const [best] = candidates.filter(({ leaving }) => leaving === undefined).sort(inOrderFor(client))
  if (current === undefined) return firstOr(best, choosing)
  if (best === undefined) return { candidate: current, againInMs: keptMs }
  const restsMs = mayComeBack(current.leaving) ? restOf(choosing.moves, now) : 0
  if (restsMs > 0) return { candidate: current, againInMs: restsMs }
  return { candidate: best, reason: current.leaving ?? 'EndpointGoing' }
}

function firstOr(best: Candidate | undefined, { had, isHadThere }: Choosing): Chosen {
  if (had === undefined) return best === undefined ? { candidate: undefined } : { candidate: best, reason: 'FirstEndpoint' }
  return { candidate: best, reason: isHadThere ? 'EndpointFitsNoMore' : 'EndpointGone' }
}

const inOrderFor =
  ({ node, zone }: ClientPlace) =>
  (a: Candidate, b: Candidate): number =>
    Number(isSame(b.node, node)) - Number(isSame(a.node, node)) ||
    Number(isSame(b.zone, zone)) - Number(isSame(a.zone, zone)) ||
    a.clients() - b.clients() ||
    (a.endpoint < b.endpoint ? -1 : 1)
const isSame = (one: string | undefined, other: string | undefined): boolean => one !== undefined && one === other

const mayComeBack = (reason: string | undefined): boolean => reason === 'EndpointNotReady' || reason === 'EndpointUnreachable'

/** Whoever goes to and fro as readiness does rests longer each time: milliseconds that are left of that. */
function restOf(moves: readonly Move[], now: number): number {
  const recent = moves.filter(({ reason, time }) => mayComeBack(reason) && now - Date.parse(time) < restForgottenMs)
  const last = recent.at(-1)
  if (last === undefined) return 0
  return Math.max(0, Date.parse(last.time) + Math.min(restMostMs, restFirstMs * 2 ** (recent.length - 1)) - now)
}
