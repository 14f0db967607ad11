// How much is let pass, and how it is marked, as elements of nftables, and back. Pure.
import { broadcastLimit } from '../../../core/node/broadcast.ts'
import { keyOf, type LinuxItem } from '../../../core/linux/linux-items.ts'
import type { LinuxRuleRate } from '../../../core/linux/treatments.ts'
import type { Limit, TrafficElement } from '../../../core/wire/nft/traffic.ts'

export type TrafficItem = Extract<LinuxItem, { readonly kind: 'limited' | 'broadcast' | 'marked' | 'ruled' }>
type Ruled = Extract<TrafficItem, { readonly kind: 'ruled' }>
type Broadcast = Extract<TrafficItem, { readonly kind: 'broadcast' }>
type Limited = Extract<TrafficItem, { readonly kind: 'limited' }>

/** What the kernel has not cut into packets yet passes as one: with less at once it never would. */
const mostAtOnce = 65_536

/** Bytes beside those of a second, which nftables lets pass at once in any case. */
const burstOf = (rate: number): number => Math.max(mostAtOnce - rate, 0)
const limitOf = (name: string, rate: number): Limit => ({ of: 'limit', name, unit: 'bytes', rate, burst: burstOf(rate) })

export function elementsOf(thing: TrafficItem): readonly TrafficElement[] {
  if (thing.kind === 'marked') return [{ of: 'dscp', ifname: thing.ifname, dscp: thing.dscp }]
  if (thing.kind === 'ruled') return ruledElements(thing)
  if (thing.kind === 'broadcast') return broadcastElements(thing)
  const { ifname, way, bytesPerSecond: rate } = thing
  // A limit cannot be changed: one of another rate has another name.
  const name = `${ifname}.${way}.${rate}`
  return [limitOf(name, rate), { of: way, ifname, limit: name }]
}

/** Its limit is of all of its VNI here. */
function broadcastElements({ ifname, vni, framesPerSecond: rate }: Broadcast): readonly TrafficElement[] {
  const limit = `broadcast.${vni}.${rate}`
  return [
    { of: 'limit', name: limit, unit: 'packets', rate, burst: broadcastLimit.burst },
    { of: 'broadcast', ifname, limit },
  ]
}

/** Its limit is of all whom the rule allows something. */
function ruledElements({ ifname, mark, rate, dscp }: Ruled): readonly TrafficElement[] {
  return [
    ...(rate === undefined ? [] : limited(rate, { ifname, mark })),
    ...(dscp === undefined ? [] : [{ of: 'marks', ifname, mark, dscp } as const]),
  ]
}

function limited({ name, bytesPerSecond: rate }: LinuxRuleRate, of: Pick<Ruled, 'ifname' | 'mark'>): readonly TrafficElement[] {
  const limit = `${name}.${rate}`
  return [limitOf(limit, rate), { of: 'rates', ...of, limit }]
}

/** Of a rule, or of what is sent to groups: several come to it. */
const isShared = (each: TrafficElement): each is Limit => each.of === 'limit' && /^(\d+\.\d+\.\d+|broadcast\.\d+)\.\d+$/.test(each.name)
type Sharing = Extract<TrafficElement, { readonly of: 'rates' | 'broadcast' }>
const isSharing = (each: TrafficElement): each is Sharing => each.of === 'rates' || each.of === 'broadcast'

/**
 * What leads from what is there to what is wanted.
 *
 * @param isReplaced whether what is there of it goes unless it is wanted. Limits that several come to go where nothing comes to them any
 *   more; one that is wrong is made anew with all that comes to it
 */
export function changeFrom(
  there: readonly TrafficElement[],
  wanted: readonly TrafficElement[],
  isReplaced: (each: TrafficElement) => boolean,
) {
  const wants = new Map(wanted.map((each) => [textOf(each), each]))
  const limits = new Map(wanted.filter(isShared).map((each) => [each.name, textOf(each)]))
  const isWrong = (each: TrafficElement): boolean => isShared(each) && (limits.get(each.name) ?? textOf(each)) !== textOf(each)
  const wrong = new Set(there.filter(isWrong).map((each) => (each as Limit).name))
  const comesToWrong = (each: TrafficElement): boolean => isSharing(each) && wrong.has(each.limit)
  const going = there.filter((each) => !isShared(each) && isReplaced(each) && !wants.has(textOf(each)))
  const again = there.filter((each) => comesToWrong(each) && !going.includes(each))
  const has = new Set(there.filter((each) => !isWrong(each) && !again.includes(each)).map(textOf))
  const put = [...new Map([...wants, ...again.map((each) => [textOf(each), each] as const)]).values()].filter(
    (each) => !has.has(textOf(each)),
  )
  const staying = [...there.filter((each) => !going.includes(each)), ...put]
  const used = new Set(staying.flatMap((each) => (isSharing(each) ? [each.limit] : [])))
  const unused = there.filter((each) => isShared(each) && (isWrong(each) || !used.has(each.name)))
  return { drop: [...going, ...again, ...unused], put }
}

/** The key of the thing that an element is of; of a limit with no name of ours undefined. */
export function placeOf(element: TrafficElement): string | undefined {
  if (element.of === 'dscp') return keyOf({ kind: 'marked', ifname: element.ifname, dscp: 0 })
  if (element.of === 'rates' || element.of === 'marks') return keyOf({ kind: 'ruled', ifname: element.ifname, mark: element.mark })
  if (element.of === 'broadcast') return keyOf({ kind: 'broadcast', ifname: element.ifname, vni: 0, framesPerSecond: 0 })
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
    if (kind === 'ruled') return [ruledBy({ kind, ifname, mark: Number(way) }, elements, all)]
    if (kind === 'broadcast') return [broadcastBy(ifname, elements, all)]
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

function broadcastBy(ifname: string, elements: readonly TrafficElement[], all: readonly TrafficElement[]): Broadcast {
  const name = elements.flatMap((each) => (each.of === 'broadcast' ? [each.limit] : []))[0]
  const limit = all.find((each) => isShared(each) && each.name === name) as Limit | undefined
  const thing: Broadcast = { kind: 'broadcast', ifname, vni: Number(name?.split('.')[1]), framesPerSecond: limit?.rate ?? 0 }
  const isRight = limit !== undefined && broadcastElements(thing).some((each) => textOf(each) === textOf(limit))
  return isRight ? thing : { ...thing, framesPerSecond: 0 }
}

function ruledBy(none: Ruled, elements: readonly TrafficElement[], all: readonly TrafficElement[]): Ruled {
  const dscp = elements.flatMap((each) => (each.of === 'marks' ? [each.dscp] : []))[0]
  const name = elements.flatMap((each) => (each.of === 'rates' ? [each.limit] : []))[0]
  const limit = all.find((each) => isShared(each) && each.name === name) as Limit | undefined
  const rate = limit && { name: limit.name.split('.').slice(0, 3).join('.'), bytesPerSecond: limit.rate }
  const isRight = limit?.name === `${rate?.name}.${limit?.rate}` && textOf(limit) === textOf(limitOf(limit.name, limit.rate))
  return {
    ...none,
    ...(name !== undefined && { rate: isRight && rate !== undefined ? rate : { name, bytesPerSecond: 0 } }),
    ...(dscp !== undefined && { dscp }),
  }
}

export const textOf = (element: TrafficElement): string => Object.values(element).join(' ')
