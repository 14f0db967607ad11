// A data plane with a table beside it: one more thing that is observed, put, found gone and put again, and given back with the rest.
import type { Dataplane, Renderer } from '../../core/contracts/dataplane.ts'
import { explainPlainly } from '../../core/node/explained.ts'
import type { Item } from '../../core/node/item.ts'

export interface NodeTable {
  readonly key: string
  /** Why it is there. */
  readonly rule: string
  /** What it is like when it is as it should be. */
  readonly text: string
  /** @returns undefined where it is not there */
  seen(): Promise<string | undefined>
  put(): Promise<void>
  drop(): Promise<void>
  /**
   * Asked once all else has been done, after a put.
   *
   * @throws LinkRefused where the table alone does not do it
   */
  check?(): Promise<void>
}

export function withNodeTable(plane: Dataplane, table: NodeTable): Dataplane {
  const here = { kind: 'Node', name: 'here' } as const
  const { key } = table
  const item: Item = { key, text: table.text, value: undefined, because: { rule: table.rule, of: here } }
  const isOther = (each: Item): boolean => each.key !== key
  const { walk } = plane
  return {
    name: plane.name,
    get renderer() {
      return withItem(plane.renderer, item)
    },
    open: (signal) => plane.open(signal),
    async observe(_, signal) {
      const [seen, text] = await Promise.all([plane.observe(undefined, signal), table.seen()])
      return text === undefined ? seen : new Map([...seen, [key, text]])
    },
    ...(walk !== undefined && {
      async walk(see: (key: string, text: string) => void, signal: AbortSignal) {
        await walk.call(plane, see, signal)
        const text = await table.seen()
        if (text !== undefined) see(key, text)
      },
    }),
    ...passedOn(plane),
    async apply({ drop, put }, signal) {
      const [drops, puts] = [drop.filter(isOther), put.filter(isOther)]
      const [isPut, isDropped] = [puts.length < put.length, drops.length < drop.length]
      // Before there is anything that it speaks of, and after there was.
      if (isPut) await table.put()
      if (drops.length + puts.length > 0) await plane.apply({ drop: drops, put: puts }, signal)
      if (isDropped && !isPut) await table.drop()
      if (isPut) await table.check?.()
    },
    itemOf: (of, text) => (of === key ? { ...item, text } : plane.itemOf(of, text)),
    onDrift: (wake) => plane.onDrift(wake),
    close: () => plane.close(),
  }
}

type MayLack<K extends keyof Dataplane> = object extends Pick<Dataplane, K> ? K : never
type Optional = { [K in keyof Dataplane]-?: MayLack<K> }[keyof Dataplane]
/**
 * What a data plane may have or not, and its table has nothing to do with. Steps of a node are no writes to a store.
 */
const others: Readonly<Record<Exclude<Optional, 'walk' | 'asWrites'>, true>> = {
  isOwn: true,
  parts: true,
  connectionsRefused: true,
  counts: true,
  inspectorCounts: true,
  decisions: true,
  means: true,
  onLogged: true,
  trace: true,
}
export const passedOn = (plane: Dataplane): Partial<Dataplane> =>
  Object.fromEntries(
    (Object.keys(others) as (keyof typeof others)[]).flatMap((name) => {
      const method = plane[name]
      return method === undefined ? [] : [[name, (method as () => unknown).bind(plane)]]
    }),
  )

const withItem = (renderer: Renderer, item: Item): Renderer => ({
  base: () => [item, ...renderer.base()],
  render: (kind, piece, needed) => renderer.render(kind, piece, needed),
  parts: (kind, piece, needed) => renderer.parts?.(kind, piece, needed) ?? [],
  carries: (key) => renderer.carries?.(key) === true,
  unsupported: (kind, piece, needed) => renderer.unsupported(kind, piece, needed),
  explain(items) {
    const all = [...items]
    return [...explainPlainly(all.filter(({ key }) => key === item.key)), ...renderer.explain(all.filter(({ key }) => key !== item.key))]
  },
})
