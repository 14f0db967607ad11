// A data plane with inspectors beside it, looked after with its other items.
import type { Dataplane, Renderer } from '../../core/contracts/dataplane.ts'
import { explainPlainly } from '../../core/node/explained.ts'
import { isInspectorKey, namedInspector, type InspectorThing } from '../../core/node/inspectors/item.ts'
import type { Item } from '../../core/node/item.ts'
import { inspectorsOf } from '../../core/pieces/kind.ts'
import { passedOn } from '../tables/with-node-table.ts'
import type { Inspectors } from './inspectors.ts'

const isInspectors = ({ key }: Item): boolean => isInspectorKey(key)
const isPlanes = (item: Item): boolean => !isInspectors(item)
const thingsOf = (items: readonly Item[]): readonly InspectorThing[] =>
  items.filter(isInspectors).map(({ value }) => value as InspectorThing)

type Ours = Pick<Inspectors, 'counts' | 'missing' | 'seen' | 'makeNetworks' | 'start' | 'remove' | 'follow' | 'close'>

/** Where none can be made there are none, whatever is wanted: the plane says so of policies. */
export function withInspectors(plane: Dataplane, inspectors: Ours): Dataplane {
  let missing: string | undefined = 'it has not been asked yet'
  let isFollowed = false
  const wakes: (() => void)[] = []
  const { walk } = plane
  return {
    name: plane.name,
    get renderer() {
      return withOurs(plane.renderer, () => missing === undefined)
    },
    async open(signal) {
      missing = await inspectors.missing()
      if (!isFollowed) inspectors.follow(() => wakes.forEach((wake) => wake()))
      isFollowed = true
      return { ...(await plane.open(signal)), inspectors: missing ?? true }
    },
    observe: async (_, signal) => new Map([...(await plane.observe(undefined, signal)), ...(await inspectors.seen())]),
    ...(walk !== undefined && {
      async walk(see: (key: string, text: string) => void, signal: AbortSignal) {
        await walk.call(plane, see, signal)
        for (const [key, text] of await inspectors.seen()) see(key, text)
      },
    }),
    ...passedOn(plane),
    inspectorCounts: () => inspectors.counts,
    // A link is there before it becomes a port, and goes after that. Whose proxy is not there yet is refused.
    async apply({ drop, put }, signal) {
      const puts = thingsOf(put)
      const again = new Set(put.map(({ key }) => key))
      const problem = await problemOf(() => inspectors.makeNetworks(puts))
      const rest = { drop: drop.filter(isPlanes), put: put.filter(isPlanes) }
      if (rest.drop.length + rest.put.length > 0) await plane.apply(rest, signal)
      await inspectors.remove(thingsOf(drop.filter(({ key }) => !again.has(key))))
      // What concerns an inspector keeps nothing else from being done.
      if (problem !== undefined) throw problem.cause
      await inspectors.start(puts)
    },
    itemOf: (key, text) =>
      isInspectorKey(key)
        ? { key, text, value: namedInspector(key), because: { rule: 'it was here', of: { kind: 'Node', name: 'here' } } }
        : plane.itemOf(key, text),
    onDrift(wake) {
      wakes.push(wake)
      plane.onDrift(wake)
    },
    async close() {
      await plane.close()
      await inspectors.close()
    },
  }
}

const problemOf = (call: () => Promise<void>): Promise<{ readonly cause: unknown } | undefined> =>
  call().then(
    () => undefined,
    (cause: unknown) => ({ cause }),
  )

const withOurs = (renderer: Renderer, able: () => boolean): Renderer => ({
  base: () => renderer.base(),
  render: (kind, piece, needed) => [...renderer.render(kind, piece, needed), ...(able() ? inspectorsOf(kind, piece, needed) : [])],
  parts: (kind, piece, needed) => renderer.parts?.(kind, piece, needed) ?? [],
  carries: (key) => renderer.carries?.(key) === true,
  unsupported: (kind, piece, needed) => renderer.unsupported(kind, piece, needed),
  explain(items) {
    const all = [...items]
    return [...renderer.explain(all.filter(isPlanes)), ...explainPlainly(all.filter(isInspectors))]
  },
})
