// What a person is shown of a case that failed: what is wrong, what had to happen for it, and the last steps of whom it concerns.
import type { Case } from './happening.ts'
import type { Result } from './run.ts'

const linesMost = 80

export function reportOf(given: Case, { failure, steps, trace, site }: Result): string {
  if (failure === undefined) return `seed ${given.seed}: nothing is wrong after ${steps} steps`
  const names = [...failure.what.matchAll(/[\w-]+\/[\w.-]+|\bvni-\d+\b|[0-9a-f]{8}-[0-9a-f-]{27}/g)].map(([name]) => name)
  const told = trace.filter((line) => !/ (timer|soon)$| (offer|add) | news of /.test(line))
  const concerned = told.filter((line) => names.some((name) => line.includes(name)))
  const objects = site.truth.log.filter(({ before, after }) =>
    names.some((name) => JSON.stringify((after ?? before)!.metadata).includes(name.split('/').at(-1)!)),
  )
  return [
    `seed ${given.seed} (${given.mode}): ${failure.invariant} does not hold after step ${failure.step}, at ${(failure.at / 1000).toFixed(3)} s`,
    `  ${failure.what}`,
    `what happened (${given.happenings.length}):`,
    ...given.happenings.map(({ at, name, args }) => `  ${(at / 1000).toFixed(3)} s  ${name} ${JSON.stringify(args)}`),
    `the last steps that concern ${names.join(', ') || 'it'}:`,
    ...(concerned.length > 0 ? concerned : told).slice(-linesMost).map((line) => `  ${line}`),
    'as they were written last:',
    ...objects
      .slice(-6)
      .map(
        ({ version, kind, by, before, after }) =>
          `  ${version} ${by}: ${kind} ${after === undefined ? 'gone ' : ''}${JSON.stringify((after ?? before)!).slice(0, 1_500)}`,
      ),
  ].join('\n')
}
