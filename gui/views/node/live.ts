// What a node has for a Port, asked again and again while somebody looks: one question at a time, and not for ever.
import { useEffect, useState } from 'preact/hooks'
import { inquire, type InquiryAnswer } from './inquire.ts'

/** Between an answer and the next question. */
const pauseMs = 2_000
/** After so many it is asked again only where somebody says so: each is an object in the store. */
export const questionsMost = 150

export interface LiveFlows {
  readonly answer: InquiryAnswer | undefined
  /** The one before: what was counted meanwhile is by second. */
  readonly before: InquiryAnswer | undefined
  readonly err: unknown
  readonly is: 'asking' | 'hidden' | 'over'
  readonly again: () => void
}
type FlowsState = Omit<LiveFlows, 'again'>
const nothing: FlowsState = { answer: undefined, before: undefined, err: undefined, is: 'asking' }

export function useLiveFlows(namespace: string, port: string): LiveFlows {
  const [state, setState] = useState(nothing)
  const [round, setRound] = useState(0)
  useEffect(() => {
    const end = new AbortController()
    const update = (change: Partial<FlowsState>): void => void (end.signal.aborted || setState((all) => ({ ...all, ...change })))
    const keepAsking = async (): Promise<void> => {
      for (let i = 0; i < questionsMost && !end.signal.aborted; i++) {
        if (document.hidden) update({ is: 'hidden' })
        await shown(end.signal)
        if (end.signal.aborted) return
        update({ is: 'asking' })
        const answer = await inquire(namespace, { about: 'explain', port })
        if (!end.signal.aborted) setState((all) => ({ ...all, answer, before: all.answer, err: undefined }))
        await later(pauseMs, end.signal)
      }
      update({ is: 'over' })
    }
    keepAsking().catch((err: unknown) => update({ err, is: 'over' }))
    return () => end.abort()
  }, [namespace, port, round])
  return { ...state, again: () => setRound(round + 1) }
}

function shown(end: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (!document.hidden) return resolve()
    const onVisible = (): void => void (document.hidden || resolve())
    document.addEventListener('visibilitychange', onVisible, { signal: end })
    end.addEventListener('abort', () => resolve(), { once: true })
  })
}

function later(ms: number, end: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    end.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true })
  })
}
