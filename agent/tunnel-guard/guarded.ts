// A data plane with the guard of its tunnels: one more thing that is observed, put, found gone and put again, and given back with the rest.
import type { Dataplane, Renderer } from '../../core/contracts/dataplane.ts'
import { explainPlainly } from '../../core/node/explained.ts'
import type { Item } from '../../core/node/item.ts'

export interface TunnelGuard {
  /** What it is like when it is as it should be. */
  readonly text: string
  /** @returns undefined where it is not there */
  seen(): Promise<string | undefined>
  put(): Promise<void>
  drop(): Promise<void>
}

const key = 'tunnels/this node alone'
const isGuard = (item: Item): boolean => item.key === key

export function guarded(plane: Dataplane, guard: TunnelGuard): Dataplane {
  const here = { kind: 'Node', name: 'here' } as const
  const item: Item = { key, text: guard.text, value: undefined, because: { rule: 'tunnel packets are this node\'s own to send', of: here } }
  const { walk, packets, means } = plane
  return {
    name: plane.name,
    get renderer() {
      return withItem(plane.renderer, item)
    },
    open: (signal) => plane.open(signal),
    async observe(_, signal) {
      const [seen, text] = await Promise.all([plane.observe(undefined, signal), guard.seen()])
      return text === undefined ? seen : new Map([...seen, [key, text]])
    },
    ...(walk !== undefined && {
      async walk(see: (key: string, text: string) => void, signal: AbortSignal) {
        await walk.call(plane, see, signal)
        const text = await guard.seen()
        if (text !== undefined) see(key, text)
      },
    }),
    ...(packets !== undefined && { packets: packets.bind(plane) }),
    ...(means !== undefined && { means: means.bind(plane) }),
    async apply({ drop, put }, signal) {
      const [drops, puts] = [drop.filter((each) => !isGuard(each)), put.filter((each) => !isGuard(each))]
      // Before there is anything to tunnel, and after there was.
      if (puts.length < put.length) await guard.put()
      if (drops.length + puts.length > 0) await plane.apply({ drop: drops, put: puts }, signal)
      if (drops.length < drop.length && puts.length === put.length) await guard.drop()
    },
    itemOf: (of, text) => (of === key ? { ...item, text } : plane.itemOf(of, text)),
    onDrift: (wake) => plane.onDrift(wake),
    close: () => plane.close(),
  }
}

const withItem = (renderer: Renderer, item: Item): Renderer => ({
  base: () => [item, ...renderer.base()],
  port: (port, segment) => renderer.port(port, segment),
  endpoint: (endpoint) => renderer.endpoint(endpoint),
  segment: (segment) => renderer.segment(segment),
  unsupported: (port, segment) => renderer.unsupported(port, segment),
  explain(items) {
    const all = [...items]
    return [...explainPlainly(all.filter(isGuard)), ...renderer.explain(all.filter((each) => !isGuard(each)))]
  },
})
