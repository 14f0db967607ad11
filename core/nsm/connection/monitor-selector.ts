// Which connections a monitor is told of: networkservicemesh/api, pkg/api/networkservice/connection_helpers.go (2026-11).
import type { Connection, MonitorScopeSelector, PathSegment } from '../../wire/nsm/connection.ts'
import { segmentsOf } from './path.ts'

/** A selector that is empty selects all. Its segments are a run of neighbours of the path; its services are alternatives. */
export function selects({ pathSegments: wanted, networkServices }: MonitorScopeSelector, connection: Connection): boolean {
  if (networkServices.length > 0 && !networkServices.includes(connection.networkService)) return false
  if (wanted.length === 0) return true
  const has = segmentsOf(connection)
  return has.some((_, i) => i + wanted.length <= has.length && wanted.every((each, j) => isLike(each, has[i + j]!)))
}

/** A text that is empty is like every one. */
const isLike = (wanted: PathSegment, has: PathSegment): boolean =>
  (['name', 'id', 'token'] as const).every((key) => wanted[key] === '' || wanted[key] === has[key])
