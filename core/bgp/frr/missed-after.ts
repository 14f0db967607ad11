// `show bfd peers json` of FRR. It sends as often as both ends want (RFC 5880 section 6.8.7), and the neighbour waits for as many of these
// as our multiplier says (section 6.8.4).
import { isObject } from '../../json.ts'

/** By neighbour, of the sessions that are up. */
export function missedAfter(answer: string): ReadonlyMap<string, number> {
  return new Map(
    peersOf(answer)
      .filter(({ status }) => status === 'up')
      .map((peer) => {
        const [own, theirs, times] = ['transmit-interval', 'remote-receive-interval', 'detect-multiplier'].map((key) =>
          Number(peer[key] ?? 0),
        )
        return [String(peer['peer']), Math.max(own!, theirs!) * times!]
      }),
  )
}

/** It says nothing where it has none. */
function peersOf(answer: string): readonly Readonly<Record<string, unknown>>[] {
  try {
    const peers: unknown = JSON.parse(answer)
    return Array.isArray(peers) ? peers.filter(isObject) : []
  } catch {
    return []
  }
}
