// The smallest case that still fails as it did: without whole kinds of faults first, then without halves of what happens, then one by one.
import type { Case, Happening } from './happening.ts'
import { runCase, type Failure } from './run.ts'

/** Each try is a run. */
const triesMost = 250

export async function shrink(given: Case, failure: Failure): Promise<Case> {
  let tries = 0
  const fails = async (happenings: readonly Happening[]): Promise<boolean> => {
    if (++tries > triesMost) return false
    return (await runCase({ ...given, happenings }, { traces: false })).failure?.invariant === failure.invariant
  }
  // What had not happened yet cannot have mattered.
  let left: readonly Happening[] = given.happenings.filter(({ at }) => at <= failure.at)
  if (!(await fails(left))) left = given.happenings
  for (const name of new Set(left.map((each) => each.name))) {
    const without = left.filter((each) => each.name !== name)
    if (without.length < left.length && (await fails(without))) left = without
  }
  for (let size = Math.ceil(left.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < left.length;) {
      const without = [...left.slice(0, from), ...left.slice(from + size)]
      if (await fails(without)) left = without
      else from += size
    }
  }
  return { ...given, happenings: left }
}
