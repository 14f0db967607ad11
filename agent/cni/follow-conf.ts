// The runtime's folder of CNI configurations is followed: a DaemonSet may write the cluster's own after we have come, or write it anew.
import { messageOf } from '../../core/errors.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Config } from '../../platform/config.ts'
import type { Log } from '../../platform/log.ts'
import type { Machine } from '../machine/machine.ts'

interface ConfFollowing {
  readonly machine: Pick<Machine, 'refreshConf' | 'watchFolder' | 'delegateConf'>
  readonly config: Config
  readonly clock: Clock
  readonly log: Log
}

export interface ConfFollowed {
  /** What keeps pods from having the cluster's own NIC, in words; undefined when nothing does. */
  readonly problem: () => string | undefined
  end(): void
}

/** Also where nothing is heard of a change: inotify(7) loses some, and says nothing of some file systems. */
const readEveryMs = 10_000
/** Who writes a file writes it in more than one step. */
const settleMs = 100

/** To look through the folder is to read a few files: when it takes this long, it hangs. */
const hangsMs = 30_000

export const noDelegate = ({ cniDelegate }: Pick<Config, 'cniDelegate'>): string => `there is no delegate CNI in ${cniDelegate} yet`

/** As STATUS has it. */
async function missingIn({ machine, config }: Pick<ConfFollowing, 'machine' | 'config'>): Promise<string | undefined> {
  return config.clusterNic === 'delegate' && (await machine.delegateConf(config.cniDelegate)) === undefined ? noDelegate(config) : undefined
}

/** Begins with what is there. */
export async function followConf({ machine, config, clock, log }: ConfFollowing): Promise<ConfFollowed> {
  let ended = false
  let reading = false
  let since = clock.elapsed()
  let problem = await missingIn({ machine, config })
  let cancel = (): void => undefined
  const readConf = async (): Promise<void> => {
    reading = true
    since = clock.elapsed()
    try {
      await machine.refreshConf(config, log)
      problem = await missingIn({ machine, config })
    } catch (err) {
      problem = `${config.cniConf} cannot be looked through for the cluster's own CNI: ${messageOf(err)}`
      log.warn({ err, folder: config.cniConf }, 'the folder of CNI configurations cannot be looked through')
    }
    reading = false
    readIn(readEveryMs)
  }
  const readIn = (ms: number): void => {
    cancel()
    if (!ended) cancel = clock.after(ms, () => void readConf())
  }
  // What changes while the folder is looked through is found the next time.
  const unwatch = machine.watchFolder(config.cniConf, () => reading || readIn(settleMs))
  readIn(readEveryMs)
  return {
    problem: () => (reading && clock.elapsed() - since > hangsMs ? `${config.cniConf} does not answer` : problem),
    end() {
      ended = true
      cancel()
      unwatch()
    },
  }
}
