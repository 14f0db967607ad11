// An answer of the server beside what the stream tells: asked at once, and again after something has changed.
import { useEffect, useRef, useState } from 'preact/hooks'

export interface AnswerState<T> {
  readonly answer: T | undefined
  readonly err: unknown
}
const nothing = { answer: undefined, err: undefined }
/** However often something changes, it is not asked more often. */
const leastMs = 1_000

/** @param of what is asked about: of another thing nothing of the answer stays @param version counts up when something has changed */
export function useAnswer<T>(of: string, version: unknown, ask: () => Promise<T>): AnswerState<T> {
  const [{ about, ...state }, setState] = useState<AnswerState<T> & { readonly about: string }>({ ...nothing, about: of })
  const last = useRef({ of: '', atMs: 0, number: 0 })
  useEffect(() => {
    const wait = last.current.of === of ? Math.max(0, last.current.atMs + leastMs - performance.now()) : 0
    const timer = setTimeout(() => {
      const number = last.current.number + 1
      last.current = { of, atMs: performance.now(), number }
      const isLatest = (): boolean => last.current.number === number
      ask().then(
        (answer) => isLatest() && setState({ answer, err: undefined, about: of }),
        (err: unknown) => isLatest() && setState({ answer: undefined, err, about: of }),
      )
    }, wait)
    return () => clearTimeout(timer)
  }, [of, version])
  useEffect(() => () => void last.current.number++, [])
  return about === of ? state : nothing
}
