// What has been, since a page was opened.
import { useEffect, useRef, useState } from 'preact/hooks'

const most = 900

export interface History {
  /** Seconds since 1970. */
  readonly times: readonly number[]
  readonly values: readonly (readonly number[])[]
}

/** @param now as many values each time @param beat they are kept once for each of it: an answer, or a count of seconds */
export function useHistory(now: readonly number[], beat: unknown): History {
  const [history, setHistory] = useState<History>(() => ({ times: [Date.now() / 1_000], values: now.map((value) => [value]) }))
  const last = useRef(beat)
  useEffect(() => {
    if (last.current === beat) return
    last.current = beat
    setHistory(({ times, values }) => ({
      times: [...times, Date.now() / 1_000].slice(-most),
      values: now.map((value, i) => [...(values[i] ?? []), value].slice(-most)),
    }))
  }, [beat])
  return history
}
