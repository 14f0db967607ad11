// What the change of some pieces means for a node's items: only they are rendered, as they were and as they are.
import type { NodeChange, Renderer } from '../../contracts/dataplane.ts'
import type { Item } from '../../node/item.ts'
import type { Endpoint, LocalPort, Segment } from '../../node/wanted.ts'

/** A piece as it was when it was last applied, and as it is now; absent: not there. */
export interface PieceChange<Piece> {
  readonly was: Piece | undefined
  readonly is: Piece | undefined
}
/** What has changed, and whatever has an address or a MAC of a VNI in common with it (node-namesakes.ts), as it was and is too. */
export interface PieceChanges {
  /** With the Segment that each is rendered with. */
  readonly ports: readonly PieceChange<{ readonly port: LocalPort; readonly segment: Segment | undefined }>[]
  readonly segments: readonly PieceChange<Segment>[]
  readonly endpoints: readonly PieceChange<Endpoint>[]
}

/**
 * Of what several pieces want the first in the order of `itemsOf` counts, as it does in a comparison: a port here, then a Segment, then
 * an endpoint. News of one kind may be late: an address that has come here may be heard of as another node's for a while.
 */
export function changeOf<Value>(renderer: Renderer<Value>, changes: PieceChanges): NodeChange<Value> {
  const difference = new Difference<Value>()
  difference.add(changes.ports, ({ port, segment }) => renderer.port(port, segment))
  difference.add(changes.segments, (segment) => renderer.segment(segment))
  difference.add(changes.endpoints, (endpoint) => renderer.endpoint(endpoint))
  return difference.change()
}

class Difference<Value> {
  readonly #was = new Map<string, Item<Value>>()
  readonly #is = new Map<string, Item<Value>>()

  add<Piece>(pieces: readonly PieceChange<Piece>[], render: (piece: Piece) => readonly Item<Value>[]): void {
    for (const { was, is } of pieces) {
      const before = was === undefined ? [] : render(was)
      keep(this.#was, before)
      keep(this.#is, is === was ? before : is === undefined ? [] : render(is))
    }
  }

  change(): NodeChange<Value> {
    const drop = [...this.#was.values()].filter(({ key, text }) => this.#is.get(key)?.text !== text)
    const put = [...this.#is.values()].filter(({ key, text }) => this.#was.get(key)?.text !== text)
    return { drop, put }
  }
}

/** The first of a key counts. */
function keep<Value>(all: Map<string, Item<Value>>, items: readonly Item<Value>[]): void {
  for (const item of items) if (!all.has(item.key)) all.set(item.key, item)
}
