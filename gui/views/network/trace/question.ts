// What is traced, from the address: two ends, and a first packet.
import type { operations } from '../../../../openapi/types.ts'
import { client, taken } from '../../../contract/api.ts'
import type { PagePlace, PlaceChange } from '../../../frame/place.ts'
import { hasPorts, portIn, protocolIn, type Protocol } from '../../policy/question.ts'

type Ask = operations['tracePolicy']
export type TraceAnswer = Ask['responses'][200]['content']['application/json']
export type Waypoint = TraceAnswer['way'][number]
type TraceQuery = NonNullable<Ask['parameters']['query']>

/** Whether its panel is open, though nothing may have been asked yet. */
export const isTracing = ({ trace, from, to }: PagePlace): boolean => [trace, from, to].some((each) => each !== undefined)
export const noTrace: PlaceChange = { trace: undefined, from: undefined, to: undefined, protocol: undefined, port: undefined }

/** An element of the picture that a packet may begin or end at, as the address has it; undefined: none. */
export function endAt(id: string): string | undefined {
  const [kind = '', ...names] = id.split('/')
  const own = { pod: 'pod', port: 'port', dot: 'port' }[kind]
  return own === undefined || names.length !== 2 ? undefined : [own, ...names].join('/')
}

/** `pod/shop/web-0` as the server has `pods/shop/web-0`; what is no end of ours it judges itself. */
const serverEnd = (end: string): string => end.replace(/^(pod|port)\//, '$1s/')

/** @returns undefined while an end is missing */
export function queryIn(place: PagePlace): TraceQuery | undefined {
  const { from, to } = place
  if (from === undefined || to === undefined) return undefined
  const protocol = protocolOf(place, [from, to])
  return { from: serverEnd(from), to: serverEnd(to), protocol, ...(hasPorts(protocol) && { port: portIn(place) }) }
}

/** A ping between addresses of IPv6 is its own protocol. */
function protocolOf(place: PagePlace, ends: readonly string[]): Protocol {
  const protocol = protocolIn(place)
  return protocol === 'icmp' && ends.some((each) => each.includes(':')) ? 'icmpv6' : protocol
}

/** Pods that are drawn whatever is closed: the ends, and those behind Ports that were named. */
export function podsOf({ from = '', to = '' }: PagePlace, way: readonly Waypoint[]): readonly string[] {
  const named = [from, to].flatMap((end) => (/^pod\/[^/,]+\/[^/,]+$/.test(end) ? [end.slice('pod/'.length)] : []))
  const behind = way.flatMap(({ at, namespace = '', name = '' }) => (at === 'Pod' ? [`${namespace}/${name}`] : []))
  return [...new Set([...named, ...behind])]
}

/** @throws Refusal */
export const traceOf = async (query: TraceQuery): Promise<TraceAnswer> => taken(await client.GET('/v1/policy/trace', { params: { query } }))
