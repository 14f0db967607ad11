import { setTimeout as wait } from 'node:timers/promises'

/** Polls until `holds` is true; after `withinMs` it throws with the sentence and with what `holds` threw last, if it did. */
export async function until(holds: () => boolean | Promise<boolean>, sentence: string, withinMs = 20_000): Promise<void> {
  const deadline = Date.now() + withinMs
  let cause: unknown
  while (true) {
    try {
      if (await holds()) return
      cause = undefined
    } catch (error) {
      cause = error
    }
    if (Date.now() > deadline) throw new Error(`not within ${withinMs} ms: ${sentence}`, { cause })
    await wait(20)
  }
}
