// A Request, tried every 200 ms until its deadline: networkservicemesh/sdk, pkg/networkservice/common/retry/client.go (2026-11).
import type { Connection } from '../../../../core/wire/nsm/connection.ts'
import { pause, type Clock } from '../../../clock.ts'

const againMs = 200

/** @param tries how long one may take, in milliseconds @throws what the last one has thrown */
export async function retried(
  request: (deadlineMs: number) => Promise<Connection>,
  { clock, deadlineMs, signal }: { readonly clock: Clock; readonly deadlineMs: number; readonly signal: AbortSignal },
): Promise<Connection> {
  for (;;) {
    try {
      return await request(deadlineMs)
    } catch (err) {
      if (signal.aborted || clock.now() + againMs >= deadlineMs) throw err
      await pause(againMs, clock, signal)
      if (signal.aborted) throw err
    }
  }
}
