// When a client asks again for what it has: networkservicemesh/sdk, pkg/networkservice/common/refresh/client.go (2026-11).
import type { Path } from '../../wire/nsm/connection.ts'
import { msOf } from '../../wire/nsm/well-known.ts'

/** A refresh that failed is tried again after so many milliseconds. */
export const refreshAgainMs = 200

/**
 * Milliseconds from `nowMs` until the refresh: a part of the shortest time that any hop's token has left. Hops that are nearer to the
 * client ask earlier, so that one refresh goes the whole way. What has ended, or says no end, is refreshed at once.
 */
export function refreshDelayMs({ index, pathSegments }: Path, nowMs: number): number {
  if (pathSegments.length === 0) return 0
  const left = Math.min(...pathSegments.map(({ expires }) => (expires === undefined ? 0 : msOf(expires) - nowMs)))
  if (left <= 0) return 0
  return left * (pathSegments.length === 1 ? 1 / 3 : 0.2 + (0.2 * index) / pathSegments.length)
}
