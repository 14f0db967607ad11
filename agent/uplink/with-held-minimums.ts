// A data plane with what is held on the node's uplink beside it: classes of traffic, looked after with its other items.
import type { Dataplane, Renderer } from '../../core/contracts/dataplane.ts'
import { explainPlainly } from '../../core/node/explained.ts'
import type { Item } from '../../core/node/item.ts'
import type { LocalPort } from '../../core/node/wanted.ts'
import { heldItems, heldOf, isHeldKey, type HeldMinimum } from '../../core/node/booking/held.ts'
import { portPiece } from '../../core/pieces/port.ts'
import { passedOn } from '../tables/with-node-table.ts'
import type { UplinkClasses } from './uplink-classes.ts'

const isHeld = ({ key }: Item): boolean => isHeldKey(key)
const isPlanes = (item: Item): boolean => !isHeld(item)
const valuesOf = (items: readonly Item[]): readonly HeldMinimum[] => items.filter(isHeld).map(({ value }) => value as HeldMinimum)

/** @param classes opened when it is first needed */
export function withHeldMinimums(plane: Dataplane, open: () => Promise<Pick<UplinkClasses, 'seen' | 'change'>>): Dataplane {
  let opened: Promise<Pick<UplinkClasses, 'seen' | 'change'>> | undefined
  const classes = (): NonNullable<typeof opened> => (opened ??= open())
  const { walk } = plane
  return {
    name: plane.name,
    get renderer() {
      return withHeld(plane.renderer)
    },
    open: (signal) => plane.open(signal),
    observe: async (_, signal) => new Map([...(await plane.observe(undefined, signal)), ...(await (await classes()).seen())]),
    ...(walk !== undefined && {
      async walk(see: (key: string, text: string) => void, signal: AbortSignal) {
        await walk.call(plane, see, signal)
        for (const [key, text] of await (await classes()).seen()) see(key, text)
      },
    }),
    ...passedOn(plane),
    async apply({ drop, put }, signal) {
      const rest = { drop: drop.filter(isPlanes), put: put.filter(isPlanes) }
      if (rest.drop.length + rest.put.length > 0) await plane.apply(rest, signal)
      const [dropped, held] = [valuesOf(drop), valuesOf(put)]
      if (dropped.length + held.length > 0)
        await (
          await classes()
        ).change(
          dropped.map(({ number }) => number),
          held,
        )
    },
    itemOf: (key, text) =>
      isHeldKey(key)
        ? { key, text, value: heldOf(key), because: { rule: 'it was here', of: { kind: 'Node', name: 'here' } } }
        : plane.itemOf(key, text),
    onDrift: (wake) => plane.onDrift(wake),
    close: () => plane.close(),
  }
}

const withHeld = (renderer: Renderer): Renderer => ({
  base: () => renderer.base(),
  render: (kind, piece, needed) => [
    ...renderer.render(kind, piece, needed),
    ...(kind.name === portPiece.name ? heldItems(piece as LocalPort) : []),
  ],
  parts: (kind, piece, needed) => renderer.parts?.(kind, piece, needed) ?? [],
  carries: (key) => renderer.carries?.(key) === true,
  unsupported: (kind, piece, needed) => renderer.unsupported(kind, piece, needed),
  explain(items) {
    const all = [...items]
    return [...renderer.explain(all.filter(isPlanes)), ...explainPlainly(all.filter(isHeld))]
  },
})
