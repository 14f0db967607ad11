// What has been, since a page was opened: a value each few seconds.
import { useEffect, useRef, useState } from 'preact/hooks'

const everyMs = 2_000
const most = 900

export interface History {
  /** Seconds since 1970. */
  readonly times: readonly number[]
  readonly values: readonly (readonly number[])[]
}

/** @param now as many values each time */
export function useHistory(now: readonly number[]): History {
  const latest = useRef(now)
  latest.current = now
  const [history, setHistory] = useState<History>(() => ({ times: [Date.now() / 1_000], values: now.map((value) => [value]) }))
  useEffect(() => {
    const timer = setInterval(
      () =>
        setHistory(({ times, values }) => ({
          times: [...times, Date.now() / 1_000].slice(-most),
          values: latest.current.map((value, i) => [...(values[i] ?? []), value].slice(-most)),
        })),
      everyMs,
    )
    return () => clearInterval(timer)
  }, [])
  return history
}
