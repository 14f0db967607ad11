// `npm run sim`: cases from seeds, on all cores; the first that fails is made small and shown.
import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { caseOf } from './case.ts'
import { cloudCaseOf } from './cloud-case.ts'
import { fabricCaseOf } from './fabric-case.ts'
import type { Case } from './happening.ts'
import { readSimOptions, type SimOptions } from './options.ts'
import { real } from './real.ts'
import { reportOf } from './report.ts'
import { runCase } from './run.ts'
import { shrink } from './shrink.ts'
import { vlanCaseOf } from './vlan-case.ts'

/** One line that a job prints for each seed. */
interface Line {
  readonly seed: number
  readonly steps: number
  readonly kills: number
  readonly invariant?: string
  readonly what?: string
}

const options = readSimOptions(process.argv.slice(2), () => randomInt(2 ** 40), availableParallelism())
if ('wrong' in options) {
  console.error(options.wrong)
  process.exitCode = 2
} else if (process.env['MEGREZ_SIM_JOB'] !== undefined) await job(options)
else process.exitCode = await (options.replay === undefined && options.seeds.length > 1 ? many(options) : one(options))

type Kinds = Pick<SimOptions, 'fabrics' | 'clouds' | 'vlans'>

function drawn(seed: number, { fabrics, clouds, vlans }: Kinds): Case {
  if (clouds) return cloudCaseOf(seed)
  if (vlans) return vlanCaseOf(seed)
  return fabrics ? fabricCaseOf(seed) : caseOf(seed)
}

/** @returns the exit code */
async function one({ seeds: [seed = 0], replay, traces, fabrics, clouds, vlans }: SimOptions): Promise<number> {
  const given = replay === undefined ? drawn(seed, { fabrics, clouds, vlans }) : (JSON.parse(await readFile(replay, 'utf8')) as Case)
  const result = await runCase(given)
  if (traces) console.log(result.trace.join('\n'))
  if (result.failure === undefined) {
    console.log(reportOf(given, result))
    return 0
  }
  await show(given)
  return 1
}

/** Made small, shown, and kept in a file that --replay takes. */
async function show(given: Case): Promise<void> {
  const first = await runCase(given, { traces: false })
  if (first.failure === undefined) return console.log(`seed ${given.seed} does not fail again: that is a fault of the simulator`)
  const small = await shrink(given, first.failure)
  const file = join(tmpdir(), `megrez-sim-${given.seed}.json`)
  await writeFile(file, JSON.stringify(small, undefined, 1))
  console.log(
    `${reportOf(small, await runCase(small))}\nagain: npm run sim -- --replay ${file}   (whole: npm run sim -- --seed ${given.seed})`,
  )
}

/** A line for each case, which another process reads. */
async function job({ seeds, first, fabrics, clouds, vlans, replay }: SimOptions): Promise<void> {
  const kept = replay === undefined ? undefined : (JSON.parse(await readFile(replay, 'utf8')) as Case)
  for (const seed of kept === undefined ? seeds : [kept.seed]) {
    const { steps, kills, failure } = await runCase(kept ?? drawn(seed, { fabrics, clouds, vlans }), { traces: false })
    const line: Line = { seed, steps, kills, ...(failure !== undefined && { invariant: failure.invariant, what: failure.what }) }
    process.stdout.write(`${JSON.stringify(line)}\n`)
    if (failure !== undefined && first) return
  }
}

/** @returns the exit code */
async function many({ seeds, jobs, first, stepsLeast, fabrics, clouds, vlans }: SimOptions): Promise<number> {
  const began = real.now()
  console.log(`${seeds.length} seeds from ${seeds[0]}, ${jobs} at a time`)
  const failed: Line[] = []
  let [steps, kills, done, told, least] = [0, 0, 0, 0, Infinity]
  const stops: (() => void)[] = []
  const share = Math.ceil(seeds.length / jobs)
  await Promise.all(Array.from({ length: jobs }, (_, i) => run(seeds.slice(i * share, (i + 1) * share))))
  const seconds = (real.now() - began) / 1000
  console.log(
    `${done} seeds, ${steps} steps, ${(steps / Math.max(1, done)).toFixed(0)} a seed and ${least} at least, ${(steps / seconds).toFixed(0)} steps/s, ${failed.length} failed`,
  )
  if (clouds) console.log(`${kills} workers killed before they heard of what they had done at a cloud`)
  const shown = failed.find(({ invariant }) => invariant !== 'steps')
  if (shown !== undefined) await show(drawn(shown.seed, { fabrics, clouds, vlans }))
  return failed.length === 0 && done === seeds.length ? 0 : 1

  function fails(line: Line): void {
    failed.push(line)
    console.log(`  seed ${line.seed}: ${line.invariant}: ${line.what?.slice(0, 300) ?? ''}`)
    if (first) stops.forEach((stop) => stop())
  }

  async function run(mine: readonly number[]): Promise<void> {
    if (mine.length === 0) return
    const args = [
      '--disable-warning=ExperimentalWarning',
      import.meta.filename,
      '--seeds',
      String(mine.length),
      '--from',
      String(mine[0]),
      ...(first ? [] : ['--keep-going']),
      ...(fabrics ? ['--fabrics'] : []),
      ...(clouds ? ['--clouds'] : []),
      ...(vlans ? ['--vlans'] : []),
    ]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, MEGREZ_SIM_JOB: '1' } })
    stops.push(() => child.kill())
    const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
    for await (const text of createInterface({ input: child.stdout })) {
      const line = JSON.parse(text) as Line
      done++
      steps += line.steps
      kills += line.kills
      least = Math.min(least, line.steps)
      if (line.invariant !== undefined) fails(line)
      else if (line.steps < stepsLeast)
        fails({ ...line, invariant: 'steps', what: `it has ${line.steps} steps, and ${stepsLeast} were asked for` })
      if (Math.floor(done / 200) > told) console.log(`  ${(told = Math.floor(done / 200)) * 200} seeds, ${steps} steps`)
    }
    await ended
  }
}
