/** A signal that falls with another, or after a time. AbortSignal.timeout would keep its timer, and all that hangs on it, to the end. */
export function endsWith(signal: AbortSignal, ms: number): { readonly ends: AbortSignal; readonly done: () => void; readonly end: () => void } {
  const controller = new AbortController()
  const end = (): void => controller.abort(signal.aborted ? signal.reason : new DOMException('ended', 'AbortError'))
  const timer = setTimeout(() => controller.abort(new DOMException(`no whole answer within ${ms} ms`, 'TimeoutError')), ms)
  if (signal.aborted) end()
  signal.addEventListener('abort', end)
  return {
    ends: controller.signal,
    end,
    done() {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
    },
  }
}
