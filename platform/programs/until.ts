import { setTimeout as wait } from 'node:timers/promises'

/**
 * MEGREZ_TEST_PATIENCE: how many times longer everything is waited for, on a machine that others slow down. What comes is not waited for
 * longer.
 */
const patience = Number(process.env.MEGREZ_TEST_PATIENCE ?? 1)
if (!(patience >= 1)) throw new Error(`MEGREZ_TEST_PATIENCE is ${process.env.MEGREZ_TEST_PATIENCE}: a number of at least 1 is needed`)

/**
 * Polls until `holds` is true; after `withinMs`, as often as patience says, it throws with the sentence and with what `holds` threw last,
 * if it did.
 */
export async function until(holds: () => boolean | Promise<boolean>, sentence: string, withinMs = 20_000): Promise<void> {
  const patientMs = withinMs * patience
  const deadline = Date.now() + patientMs
  let cause: unknown
  while (true) {
    try {
      if (await holds()) return
      cause = undefined
    } catch (error) {
      cause = error
    }
    if (Date.now() > deadline) throw new Error(`not within ${patientMs} ms: ${sentence}`, { cause })
    await wait(20)
  }
}
