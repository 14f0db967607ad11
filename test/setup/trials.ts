/** MEGREZ_TRIALS scales every random trial: 1 is what CI runs, a tenth of it is the default, so that the suite is quick to repeat. */
const factor = Number(process.env.MEGREZ_TRIALS ?? 0.1)
if (!(factor > 0)) throw new Error(`MEGREZ_TRIALS is ${process.env.MEGREZ_TRIALS}: a number above 0 is needed`)

/** How many trials to run where `n` is the full number; never none. */
export function trials(n: number): number {
  return Math.max(1, Math.round(n * factor))
}
