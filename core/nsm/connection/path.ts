// The path of a connection: every hop has a segment of it, under an id of its own, and sees the connection by that id.
// The rules are those of networkservicemesh/sdk, pkg/networkservice/common/updatepath/common.go (2026-11), with its texts.
import { ChainRefused } from '../../errors.ts'
import type { Connection, PathSegment } from '../../wire/nsm/connection.ts'

/** Hops of a path at the most: between two domains there are nine. */
const longest = 32

export interface OnPath {
  readonly connection: Connection
  /** The segment of whoever has sent it. */
  readonly from: number
}

/**
 * The connection as the hop `name` has it: `id` and `path.index` are those of its own segment, which is made where there is none. Ids stay
 * over refreshes; where another hop has been at this place before, its segment gets a new one, and its tail stays (`trimmed` cuts it).
 *
 * @param newId a UUID
 * @throws ChainRefused
 */
export function onPath(connection: Connection, name: string, newId: () => string): OnPath {
  const [index, segments] = [indexOf(connection), segmentsOf(connection)]
  if (segments.length === 0) {
    const id = connection.id === '' ? newId() : connection.id
    return { connection: at({ ...connection, id }, 0, [segmentOf(name, id)]), from: 0 }
  }
  if (segments.length > longest) throw new ChainRefused({ reason: `the path has ${segments.length} segments, more than ${longest}` })
  const current = segments[index]
  if (current?.name === name) return { connection: { ...connection, id: current.id }, from: index }
  judge(connection)
  const own = ownSegment(segments[index + 1], name, newId)
  const all = [...segments.slice(0, index + 1), own, ...segments.slice(index + 2)]
  return { connection: at({ ...connection, id: own.id }, index + 1, all), from: index }
}

function judge(connection: Connection): void {
  const [index, segments] = [indexOf(connection), segmentsOf(connection)]
  const current = segments[index]
  if (current === undefined)
    throw new ChainRefused({ reason: `Path.Index+1==${index + 1} should be less or equal len(Path.PathSegments)==${segments.length}` })
  if (current.id !== connection.id)
    throw new ChainRefused({ reason: `Current PathSegment.Id==${current.id} should be equal Connection.Id==${connection.id}` })
}

function ownSegment(there: PathSegment | undefined, name: string, newId: () => string): PathSegment {
  if (there === undefined) return segmentOf(name, newId())
  return there.name === name ? there : { ...there, name, id: newId() }
}

/** The answer as the hop before has it. */
export function backOnPath(connection: Connection, from: number): Connection {
  const segments = segmentsOf(connection)
  return at({ ...connection, id: segments[from]?.id ?? connection.id }, from, segments)
}

/** Nothing is behind an endpoint: what another one has left there goes. */
export const trimmed = (connection: Connection): Connection =>
  at(connection, indexOf(connection), segmentsOf(connection).slice(0, indexOf(connection) + 1))

export const segmentsOf = ({ path }: Connection): readonly PathSegment[] => path?.pathSegments ?? []
export const indexOf = ({ path }: Connection): number => path?.index ?? 0
/** Of the hop that the connection came from; undefined at the first one. */
export const previousOf = (connection: Connection): PathSegment | undefined => segmentsOf(connection)[indexOf(connection) - 1]

/** With some of one segment replaced; as it was where there is no such segment. */
export function withSegment(connection: Connection, index: number, change: Partial<PathSegment>): Connection {
  const segments = segmentsOf(connection)
  return at(
    connection,
    indexOf(connection),
    segments.map((each, i) => (i === index ? { ...each, ...change } : each)),
  )
}

const at = (connection: Connection, index: number, pathSegments: readonly PathSegment[]): Connection => ({
  ...connection,
  path: { index, pathSegments },
})
const segmentOf = (name: string, id: string): PathSegment => ({ name, id, token: '', metrics: new Map() })
