// What comes first: an answer that others may wait for too, or this caller's end.

/** @throws what the signal says */
export async function untilAborted<T>(signal: AbortSignal, answer: Promise<T>): Promise<T> {
  signal.throwIfAborted()
  const { promise, reject } = Promise.withResolvers<never>()
  const end = (): void => reject(signal.reason as Error)
  signal.addEventListener('abort', end)
  try {
    return await Promise.race([answer, promise])
  } finally {
    signal.removeEventListener('abort', end)
  }
}
