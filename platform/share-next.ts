/**
 * One look for all who ask at once. Whoever asks while one is under way is answered by the next: what he is told was looked at after
 * he asked. So there is one at a time, however many ask.
 */
export function shareNext<T>(look: () => Promise<T>): () => Promise<T> {
  let underWay: Promise<unknown> = Promise.resolve()
  let next: Promise<T> | undefined
  const begin = (): Promise<T> => {
    next = undefined
    const begun = look()
    underWay = begun.catch(() => undefined)
    return begun
  }
  return () => (next ??= underWay.then(begin))
}
