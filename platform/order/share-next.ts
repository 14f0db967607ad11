/**
 * One call for all callers that come together. A caller that comes while a call is under way gets the result of the next one, which
 * begins after the caller came. So there is one call at a time, however many callers there are.
 */
export function shareNext<T>(call: () => Promise<T>): () => Promise<T> {
  let underWay: Promise<unknown> = Promise.resolve()
  let next: Promise<T> | undefined
  const begin = (): Promise<T> => {
    next = undefined
    const begun = call()
    underWay = begun.catch(() => undefined)
    return begun
  }
  return () => (next ??= underWay.then(begin))
}
