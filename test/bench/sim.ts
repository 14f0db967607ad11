// Steps of the simulation per second, on one core, against as many steps of the bare scheduler in which nothing happens.
import { caseOf } from '../sim/case.ts'
import { runCase } from '../sim/run.ts'
import { Scheduler } from '../sim/scheduler.ts'
import { againstFloor, type Metric } from './lib/metric.ts'
import { interleaved, rate, show } from './lib/rounds.ts'

export const description = 'steps of the simulation per second, against steps of its scheduler in which nothing happens'

const rounds = 3
/** The same each time: figures of two days are of the same work. */
const seeds = [201, 202, 203, 204, 205, 206]

async function simulated(): Promise<number> {
  let steps = 0
  const began = performance.now()
  for (const seed of seeds) steps += (await runCase(caseOf(seed), { traces: false })).steps
  return (steps * 1_000) / (performance.now() - began)
}

async function bare(): Promise<number> {
  const steps = 40_000
  const scheduler = new Scheduler({ traces: false })
  for (let i = 0; i < steps; i++) scheduler.after(i, 'nothing', () => undefined)
  return rate(steps, () => scheduler.until(steps))
}

export default async function bench(): Promise<readonly Metric[]> {
  const { ours, floor } = await interleaved(rounds, { ours: simulated, floor: bare })
  show('steps/s', { 'the simulation': ours, 'the bare scheduler': floor })
  return [againstFloor('rate', 'steps/s', { value: ours.median, floor }, { atLeast: 0.05 })]
}
