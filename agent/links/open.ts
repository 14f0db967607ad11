import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import { openKernel } from '../netlink/open.ts'
import type { Links } from './links.ts'
import { makeLinks } from './plumbing.ts'

/**
 * The links of a node.
 *
 * @param netns the node's namespace, where it is not that of this process
 */
export async function openLinks({
  netns,
  clock,
  log,
}: {
  readonly netns?: string
  readonly clock: Clock
  readonly log: Log
}): Promise<Links> {
  const where = netns === undefined ? { log } : { netns, log }
  const [netlink, reaper] = [await openKernel(where), await openKernel(where)]
  return makeLinks({ clock, netlink, home: netns, reaper, onProblem: (err) => log.warn({ err: err }, 'removed links are not deleted yet') })
}
