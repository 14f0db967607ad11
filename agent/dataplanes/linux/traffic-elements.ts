// How much is let pass, and how it is marked, as elements of nftables, and back. Pure.
import { keyOf, type LinuxItem } from '../../../core/linux/linux-items.ts'
import type { TrafficElement } from '../../../core/wire/nft/traffic.ts'

export type TrafficItem = Extract<LinuxItem, { readonly kind: 'limited' | 'marked' }>
type Limited = Extract<TrafficItem, { readonly kind: 'limited' }>

/** What the kernel has not cut into packets yet passes as one: with less at once it never would. */
const mostAtOnce = 65_536

/** Bytes beside those of a second, which nftables lets pass at once in any case. */
const burstOf = (rate: number): number => Math.max(mostAtOnce - rate, 0)

export function elementsOf(thing: TrafficItem): readonly TrafficElement[] {
  if (thing.kind === 'marked') return [{ of: 'dscp', ifname: thing.ifname, dscp: thing.dscp }]
  const { ifname, way, bytesPerSecond: rate } = thing
  // A limit cannot be changed: one of another rate has another name.
  const name = `${ifname}.${way}.${rate}`
  return [
    { of: 'limit', name, rate, burst: burstOf(rate) },
    { of: way, ifname, limit: name },
  ]
}

/** The key of the thing that an element is of; of a limit with no name of ours undefined. */
export function placeOf(element: TrafficElement): string | undefined {
  if (element.of === 'dscp') return keyOf({ kind: 'marked', ifname: element.ifname, dscp: 0 })
  if (element.of !== 'limit') return placeOfLimit(element.ifname, element.of)
  const [, ifname = '', way] = /^(.+)\.(sent|got)\.\d+$/.exec(element.name) ?? []
  return way === 'sent' || way === 'got' ? placeOfLimit(ifname, way) : undefined
}
const placeOfLimit = (ifname: string, way: Limited['way']): string => keyOf({ kind: 'limited', ifname, way, bytesPerSecond: 0 })

/** Of what is half there, or more than once, the rate is 0, which nobody wants. */
export function trafficItems(all: readonly TrafficElement[]): readonly TrafficItem[] {
  const byPlace = Map.groupBy(all, placeOf)
  return [...byPlace].flatMap(([place, elements]): readonly TrafficItem[] => {
    const [kind, ifname = '', way] = place?.split('/') ?? []
    const mark = elements.find((each) => each.of === 'dscp')
    if (mark !== undefined) return [{ kind: 'marked', ifname, dscp: mark.dscp }]
    return kind === 'limited' ? [limitedBy({ kind, ifname, way: way === 'sent' ? way : 'got', bytesPerSecond: 0 }, elements)] : []
  })
}

function limitedBy(none: Limited, elements: readonly TrafficElement[]): Limited {
  const limit = elements.find((each) => each.of === 'limit')
  const thing = { ...none, bytesPerSecond: limit?.rate ?? 0 }
  const textsOf = (some: readonly TrafficElement[]): string => some.map(textOf).sort().join(' ')
  return textsOf(elements) === textsOf(elementsOf(thing)) ? thing : none
}

export const textOf = (element: TrafficElement): string => Object.values(element).join(' ')
