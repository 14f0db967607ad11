// What `npm run sim -- …` was asked.
import { parseArgs } from 'node:util'

export interface SimOptions {
  readonly seeds: readonly number[]
  readonly replay: string | undefined
  readonly traces: boolean
  readonly jobs: number
  /** Stop at the first failure. */
  readonly first: boolean
  /** A case with fewer steps has not looked at much, and counts as one that fails. */
  readonly stepsLeast: number
  /** Cases of Fabrics instead of the usual ones. */
  readonly fabrics: boolean
  /** Cases of clouds. */
  readonly clouds: boolean
  /** Cases of VLANs. */
  readonly vlans: boolean
}

export const usage = `npm run sim -- [--seed N | --seeds N] [--steps M] [--from N] [--replay FILE] [--trace] [--jobs J] [--keep-going]
  --seed N      that seed alone, its report in full
  --seeds N     so many seeds that nobody has seen before; the first is printed (default 100)
  --steps M     a case that has fewer steps counts as one that fails (default 500)
  --from N      with --seeds: from this one on
  --replay FILE a case as a failure has left it
  --trace       print every step
  --fabrics     cases of Fabrics: external networks, and switches that are cut off and edited
  --clouds      cases of clouds: Vpcs of one that is slow, fails, and is changed by others
  --vlans       cases of VLANs: pods with interfaces in external networks, and policies that judge them`

export function readSimOptions(args: readonly string[], fresh: () => number, cores: number): SimOptions | { readonly wrong: string } {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        seed: { type: 'string' },
        seeds: { type: 'string' },
        steps: { type: 'string' },
        from: { type: 'string' },
        replay: { type: 'string' },
        trace: { type: 'boolean' },
        jobs: { type: 'string' },
        'keep-going': { type: 'boolean' },
        fabrics: { type: 'boolean' },
        clouds: { type: 'boolean' },
        vlans: { type: 'boolean' },
      },
    })
    const number = (text: string | undefined, otherwise: number): number => {
      if (text !== undefined && !/^\d{1,15}$/.test(text)) throw new Error(`${text} is no number`)
      return text === undefined ? otherwise : Number(text)
    }
    const from = number(values.from, fresh())
    const seeds =
      values.seed !== undefined ? [number(values.seed, 0)] : Array.from({ length: number(values.seeds, 100) }, (_, i) => from + i)
    return {
      seeds,
      replay: values.replay,
      traces: values.trace === true,
      jobs: number(values.jobs, cores),
      first: values['keep-going'] !== true,
      stepsLeast: number(values.steps, 500),
      fabrics: values.fabrics === true,
      clouds: values.clouds === true,
      vlans: values.vlans === true,
    }
  } catch (err) {
    return { wrong: `${(err as Error).message}\n${usage}` }
  }
}
