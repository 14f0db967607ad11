// Whether the API server still answers, asked now and then: one that hangs keeps its connections, and a watch that says nothing looks like
// one with nothing to say.
import { messageOf } from '../../core/errors.ts'
import { limited, type Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import type { KubeApi } from './client.ts'

export interface ProbeTimes {
  readonly everyMs: number
  /** Longest that it is waited for. */
  readonly answerMs: number
}

/** A cluster of a thousand nodes asks some thirty times a second. */
export const usualProbeTimes: ProbeTimes = { everyMs: 30_000, answerMs: 10_000 }

export interface ApiServerProbe {
  /** Since when it does not answer, in words. */
  readonly problem: string | undefined
  stop(): void
}

/** Any status is an answer. */
export function probeApiServer(
  client: KubeApi,
  { everyMs, answerMs }: ProbeTimes,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): ApiServerProbe {
  const ended = new AbortController()
  let answeredAt = clock.elapsed()
  let reason: string | undefined
  let cancel = (): void => undefined
  const ask = async (): Promise<void> => {
    try {
      await limited(answerMs, clock, (signal) =>
        client.ask({ verb: 'get', resource: 'version', path: '/version' }, AbortSignal.any([ended.signal, signal])),
      )
      if (reason !== undefined) log.info({ awaySeconds: seconds() }, 'the API server answers again')
      reason = undefined
      answeredAt = clock.elapsed()
    } catch (err) {
      if (ended.signal.aborted) return
      if (reason === undefined) log.warn({ err: err }, 'the API server does not answer')
      reason = messageOf(err)
    }
    next()
  }
  const seconds = (): number => Math.round((clock.elapsed() - answeredAt) / 1000)
  const next = (): void => {
    if (!ended.signal.aborted) cancel = clock.after(everyMs, () => void ask())
  }
  next()
  return {
    get problem() {
      return reason === undefined ? undefined : `the API server has not answered for ${seconds()} s: ${reason}`
    },
    stop() {
      ended.abort()
      cancel()
    },
  }
}
