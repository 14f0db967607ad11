// How many of the random trials a machine can run in the time that a whole run may take: all of them (1), or fewer where it is slower than
// usual. Printed as MEGREZ_TRIALS is written; why, on stderr. .ci/run asks.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'

/** Of the work below, each core at once: CI's machine of two cores with nothing else to do, on 2026-11-28. */
const usualSeconds = 9
/** A machine that is slower by less than this runs all of them. */
const slackFactor = 1.1
const leastTrials = 0.1

/** As most of a run is: a large program that runs in V8, with a heap. The text is of one version, that package-lock.json names. */
const work = `const ts = require('typescript'), text = require('node:fs').readFileSync(require.resolve('typescript'), 'utf8')
for (let i = 0; i < 8; i++) ts.createSourceFile('x.js', text, ts.ScriptTarget.Latest, true)`

async function workedSeconds(): Promise<number> {
  const cwd = createRequire(import.meta.url).resolve('typescript/package.json')
  const began = performance.now()
  await Promise.all(
    Array.from({ length: Math.min(2, availableParallelism()) }, async () => {
      const child = spawn(process.execPath, ['-e', work], { cwd: new URL('.', `file://${cwd}`), stdio: ['ignore', 'ignore', 'inherit'] })
      const [code] = (await once(child, 'close')) as [number | null]
      if (code !== 0) throw new Error(`the work ended with ${code}`)
    }),
  )
  return (performance.now() - began) / 1_000
}

/**
 * What is not random takes as much longer, and a machine that is slow when asked is often slower later: so many fewer trials that the
 * whole still ends in time.
 *
 * @param slower how many times longer the work took than usual
 */
export const trialsAt = (slower: number): number => (slower <= slackFactor ? 1 : Math.max(leastTrials, Math.floor(10 / slower ** 3) / 10))

if (import.meta.main) {
  const seconds = await workedSeconds()
  const trials = trialsAt(seconds / usualSeconds)
  console.error(
    `${seconds.toFixed(1)} s for what usually takes ${usualSeconds}: ${trials === 1 ? 'all' : `${trials} of the`} random trials`,
  )
  console.log(trials)
}
