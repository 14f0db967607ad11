// The runtime's folder of CNI configurations is followed: a DaemonSet may write the cluster's own after we have come, or write it anew.
import type { Clock } from '../../platform/clock.ts'
import type { Config } from '../../platform/config.ts'
import type { Log } from '../../platform/log.ts'
import type { Machine } from '../machine.ts'

interface ConfFollowing {
  readonly machine: Pick<Machine, 'refreshConf' | 'watchFolder'>
  readonly config: Config
  readonly clock: Clock
  readonly log: Log
}

/** Also where nothing is heard of a change: inotify(7) loses some, and says nothing of some file systems. */
const lookMs = 10_000
/** Who writes a file writes it in more than one step. */
const settleMs = 100

/** @returns ends it */
export function followConf({ machine, config, clock, log }: ConfFollowing): () => void {
  let ended = false
  let looking = false
  let cancel = (): void => undefined
  const look = async (): Promise<void> => {
    looking = true
    await machine.refreshConf(config, log).catch((err: unknown) => log.warn({ err, folder: config.cniConf }, 'the folder of CNI configurations cannot be looked through'))
    looking = false
    lookIn(lookMs)
  }
  const lookIn = (ms: number): void => {
    cancel()
    if (!ended) cancel = clock.after(ms, () => void look())
  }
  // What changes while it is looked through is looked at with the next look.
  const unwatch = machine.watchFolder(config.cniConf, () => looking || lookIn(settleMs))
  lookIn(lookMs)
  return () => {
    ended = true
    cancel()
    unwatch()
  }
}
