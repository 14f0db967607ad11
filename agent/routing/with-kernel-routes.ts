// A data plane with what the node's kernel routes beside it: the same for each data plane, and looked after with its other items.
import type { Dataplane, NodeChange, NodeSeen, Renderer } from '../../core/contracts/dataplane.ts'
import { explainPlainly } from '../../core/node/explained.ts'
import type { Item } from '../../core/node/item.ts'
import { routesOf } from '../../core/pieces/kind.ts'
import { isKernelKey, kernelRouteOf, keyOf, textOf, type KernelRoute } from '../../core/routing/kernel-routes.ts'
import { passedOn } from '../tables/with-node-table.ts'
import type { KernelRouting } from './kernel-routing.ts'

const isKernels = ({ key }: Item): boolean => isKernelKey(key)
const isPlanes = (item: Item): boolean => !isKernels(item)
const valuesOf = (items: readonly Item[]): readonly KernelRoute[] => items.filter(isKernels).map(({ value }) => value as KernelRoute)

export type DoorKeys = (vni: number, seen: NodeSeen) => readonly string[]

export interface KernelRoutesOptions {
  readonly open: () => Promise<KernelRouting>
  /** Of a data plane that makes no pairs by itself: keys of what it has on the pair of a VNI, in what was seen. */
  readonly doorKeys?: DoorKeys
}

export function withKernelRoutes(plane: Dataplane, { open, doorKeys }: KernelRoutesOptions): Dataplane {
  const pairs = doorKeys !== undefined
  const wakes: (() => void)[] = []
  let opened: KernelRouting | undefined
  let isFollowed = false
  const routing = async (): Promise<KernelRouting> => (opened ??= await open())
  const seen = async (): Promise<readonly (readonly [key: string, text: string])[]> =>
    (await (await routing()).list())
      .filter((thing) => pairs || thing.kind !== 'pair')
      .map((thing) => [keyOf(thing), textOf(thing)] as const)
  const { walk } = plane
  return {
    name: plane.name,
    get renderer() {
      return withRoutes(plane.renderer, pairs)
    },
    async open(signal) {
      const [capabilities, opening] = await Promise.all([plane.open(signal), routing()])
      if (!isFollowed) await opening.follow(() => wakes.forEach((wake) => wake()))
      isFollowed = true
      return capabilities
    },
    observe: async (_, signal) => new Map([...(await plane.observe(undefined, signal)), ...(await seen())]),
    ...(walk !== undefined && {
      async walk(see: (key: string, text: string) => void, signal: AbortSignal) {
        await walk.call(plane, see, signal)
        for (const [key, text] of await seen()) see(key, text)
      },
    }),
    ...passedOn(plane),
    connectionsRefused: async () => (await routing()).connectionsRefused(),
    async apply(change, signal) {
      if (doorKeys !== undefined && (await letGo(change.put, { plane, doorKeys }, signal))) wakes.forEach((wake) => wake())
      await applied(change, { plane, routing }, signal)
    },
    itemOf: (key, text) =>
      isKernelKey(key)
        ? { key, text, value: kernelRouteOf(key, text), because: { rule: 'it was here', of: { kind: 'Node', name: 'here' } } }
        : plane.itemOf(key, text),
    onDrift(wake) {
      wakes.push(wake)
      plane.onDrift(wake)
    },
    async close() {
      await plane.close()
      await opened?.close()
    },
  }
}

/**
 * A port goes on being of a device that is gone, whatever has its name now: the port goes, and comes with the next comparison.
 *
 * @returns whether there was one
 */
async function letGo(
  put: NodeChange['put'],
  { plane, doorKeys }: { readonly plane: Dataplane; readonly doorKeys: DoorKeys },
  signal: AbortSignal,
): Promise<boolean> {
  const vnis = valuesOf(put).flatMap((thing) => (thing.kind === 'pair' ? [thing.vni] : []))
  if (vnis.length === 0) return false
  const seen = await plane.observe(undefined, signal)
  const drop = vnis.flatMap((vni) => doorKeys(vni, seen)).map((key) => plane.itemOf(key, seen.get(key)!))
  if (drop.length > 0) await plane.apply({ drop, put: [] }, signal)
  return drop.length > 0
}

/**
 * Rules are there before the device that they are about, and until it is gone (they know it by its name): without them a VNI would send
 * wherever another's blocks lead. A pair is there before its end becomes a port, and goes after that. Routes come after the device that
 * they lead to, which may be the data plane's to make, and go before it.
 */
async function applied(
  { drop, put }: NodeChange,
  { plane, routing }: { readonly plane: Dataplane; readonly routing: () => Promise<KernelRouting> },
  signal: AbortSignal,
): Promise<void> {
  const again = new Set(put.map(({ key }) => key))
  // What is put again is replaced where it is.
  const [drops, puts] = [valuesOf(drop.filter(({ key }) => !again.has(key))), valuesOf(put)]
  const replaced = valuesOf(drop.filter(({ key }) => again.has(key)))
  const putting = async (things: readonly KernelRoute[], inPlaceOf: readonly KernelRoute[] = []): Promise<void> => {
    if (things.length > 0) await (await routing()).put(things, inPlaceOf)
  }
  const dropping = async (things: readonly KernelRoute[]): Promise<void> => {
    if (things.length > 0) await (await routing()).drop(things)
  }
  await dropping(drops.filter(isRoute))
  await putting(puts.filter(isRule))
  await putting(puts.filter(isMade))
  const rest = { drop: drop.filter(isPlanes), put: put.filter(isPlanes) }
  if (rest.drop.length + rest.put.length > 0) await plane.apply(rest, signal)
  await dropping(drops.filter(isMade))
  await dropping(drops.filter(isRule))
  await putting(puts.filter(isRoute), replaced)
}

const isMade = ({ kind }: KernelRoute): boolean => kind === 'pair'
const isRule = ({ kind }: KernelRoute): boolean => kind === 'rule'
const isRoute = (thing: KernelRoute): boolean => !isMade(thing) && !isRule(thing)
const isPair = ({ value }: Item<KernelRoute>): boolean => value.kind === 'pair'

const withRoutes = (renderer: Renderer, pairs: boolean): Renderer => ({
  base: () => renderer.base(),
  render: (kind, piece, needed) => [
    ...renderer.render(kind, piece, needed),
    ...routesOf(kind, piece, needed).filter((item) => pairs || !isPair(item)),
  ],
  parts: (kind, piece, needed) => renderer.parts?.(kind, piece, needed) ?? [],
  carries: (key) => renderer.carries?.(key) === true,
  unsupported: (kind, piece, needed) => renderer.unsupported(kind, piece, needed),
  explain(items) {
    const all = [...items]
    return [...renderer.explain(all.filter(isPlanes)), ...explainPlainly(all.filter(isKernels))]
  },
})
