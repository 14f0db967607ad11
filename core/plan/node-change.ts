// What the change of some pieces means for a node's items: only they are rendered, as they were and as they are.
import type { NodeChange, Renderer } from '../contracts/dataplane.ts'
import type { Item } from '../node/item.ts'
import type { Endpoint, LocalPort, Segment } from '../node/wanted.ts'

/** A piece as it was when it was last applied, and as it is now; absent: not there. */
export interface Changed<Piece> {
  readonly was: Piece | undefined
  readonly is: Piece | undefined
}
export interface Changes {
  /** With the Segment that each is rendered with. */
  readonly ports: readonly Changed<{ readonly port: LocalPort; readonly segment: Segment | undefined }>[]
  readonly segments: readonly Changed<Segment>[]
  readonly endpoints: readonly Changed<Endpoint>[]
}

/**
 * @param siblings the endpoints that have an endpoint's MAC in its VNI now, and so may render some of its items too
 */
export function changeOf<Value>(renderer: Renderer<Value>, changes: Changes, siblings: (of: Endpoint) => Iterable<Endpoint>): NodeChange<Value> {
  const difference = new Difference<Value>()
  difference.add(changes.ports, ({ port, segment }) => renderer.port(port, segment))
  difference.add(changes.segments, (segment) => renderer.segment(segment))
  difference.add(changes.endpoints, (endpoint) => renderer.endpoint(endpoint))
  // What an address that is gone had in common with one that stays.
  for (const { was, is } of changes.endpoints) {
    if (was === undefined || is?.mac === was.mac) continue
    for (const sibling of siblings(was)) difference.keep(renderer.endpoint(sibling))
  }
  return difference.change()
}

class Difference<Value> {
  readonly #was = new Map<string, Item<Value>>()
  readonly #is = new Map<string, Item<Value>>()

  add<Piece>(pieces: readonly Changed<Piece>[], render: (piece: Piece) => readonly Item<Value>[]): void {
    for (const { was, is } of pieces) {
      if (was !== undefined) for (const item of render(was)) this.#was.set(item.key, item)
      if (is !== undefined) for (const item of render(is)) this.#is.set(item.key, item)
    }
  }

  keep(items: readonly Item<Value>[]): void {
    for (const item of items) if (this.#was.has(item.key)) this.#is.set(item.key, item)
  }

  change(): NodeChange<Value> {
    const drop = [...this.#was.values()].filter(({ key, text }) => this.#is.get(key)?.text !== text)
    const put = [...this.#is.values()].filter(({ key, text }) => this.#was.get(key)?.text !== text)
    return { drop, put }
  }
}
