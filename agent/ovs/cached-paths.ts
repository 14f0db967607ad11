// What Open vSwitch remembers of packets that it has switched (megaflows), and works out anew when ports or flows change. In user space
// version 3.1.0 does so not of each: where two overlap it may change the one for the other. One of a port that had moved to another bridge
// was seen to stay as long as packets came (2026-11-28): they were judged by rules that were there no more, and died.
import { limited, type Clock } from '../../platform/clock.ts'
import { appctl, controlSocketIn } from './control-socket.ts'

const answerMs = 5_000

interface Switch {
  readonly runDir: string
  readonly clock: Clock
}

/** The next packet of each path has it worked out, in some 50 µs. @throws Error where the switch does not answer */
export async function forgetPaths({ runDir, clock }: Switch, signal: AbortSignal): Promise<void> {
  const path = await controlSocketIn(runDir)
  await limited(answerMs, clock, (late) => appctl(path, 'revalidator/purge', [], AbortSignal.any([signal, late])))
}
