// A copy of the code in which a patch of mutations/ puts a fault, and the first case there that fails.
import { spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { Dice } from './dice.ts'
import type { Case } from './happening.ts'

export interface Failed {
  readonly seed: number
  readonly invariant: string
  readonly what: string
}

const root = resolve(import.meta.dirname, '../..')
const folder = join(import.meta.dirname, 'mutations')

/** Their names, in order. */
export const mutations: readonly string[] = readdirSync(folder)
  .filter((name) => name.endsWith('.patch'))
  .map((name) => name.slice(0, -'.patch'.length))
  .sort()
const patchOf = (mutation: string): string => join(folder, `${mutation}.patch`)

/** The case in regressions/ that is to fail, where its patch names one above: random seeds meet it too seldom. */
export const keptCaseOf = (mutation: string): string | undefined =>
  /^seen by (\S+)$/m.exec(readFileSync(patchOf(mutation), 'utf8').split('diff --git')[0]!)?.[1]
const keptCase = (name: string): string => join(import.meta.dirname, 'regressions', `${name}.json`)

/**
 * The kept case, and the same with some of its happenings up to 30 ms earlier or later, or with other chance: what a race needs moves when
 * a process takes one step more, and the case would see nothing though the fault is there.
 */
function nearby(name: string, copy: string): readonly string[] {
  const kept = JSON.parse(readFileSync(keptCase(name), 'utf8')) as Case
  const moved = Array.from({ length: 40 }, (_, i) => {
    const dice = new Dice(i)
    const isMoved = i % 2 === 0
    const happenings = kept.happenings.map((each) =>
      isMoved && dice.chance(0.3) ? { ...each, at: Math.max(0, each.at + dice.between(-30, 30)) } : each,
    )
    const file = join(copy, `nearby-${i}.json`)
    writeFileSync(
      file,
      JSON.stringify({ ...kept, seed: isMoved ? kept.seed : kept.seed + i, happenings: happenings.toSorted((a, b) => a.at - b.at) }),
    )
    return file
  })
  return [keptCase(name), ...moved]
}

function git(cwd: string, ...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd, encoding: 'utf8', maxBuffer: 2 ** 28 })
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`)
  return stdout
}

/** The code alone, with what it needs to run. */
export function copied(): string {
  const copy = mkdtempSync(join(tmpdir(), 'megrez-mutation-'))
  for (const file of git(root, 'ls-files')
    .split('\n')
    .filter((each) => /\.(ts|json|yaml)$/.test(each)))
    cpSync(join(root, file), join(copy, file))
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  return copy
}

/** Runs with the fault in the copy. */
export async function withMutation<T>(mutation: string, copy: string, run: () => Promise<T>): Promise<T> {
  git(copy, 'apply', patchOf(mutation))
  try {
    return await run()
  } finally {
    git(copy, 'apply', '-R', patchOf(mutation))
  }
}

/** @param asked as of `npm run sim`: seeds and their kind, or a case to replay */
export async function firstFailed(copy: string, asked: readonly string[]): Promise<Failed | undefined> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'test/sim/main.ts', ...asked], {
    cwd: copy,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, MEGREZ_SIM_JOB: '1' },
  })
  const ended = new Promise<number | null>((done) => child.once('close', done))
  let failed: Failed | undefined
  for await (const line of createInterface({ input: child.stdout })) {
    const said = JSON.parse(line) as Partial<Failed>
    if (said.invariant !== undefined) failed = said as Failed
  }
  if ((await ended) !== 0) throw new Error('the simulation does not run')
  return failed
}

/** @returns the kept case of a mutation, or the first near it, that fails with the fault */
export async function seenNearby(mutation: string, copy: string): Promise<{ readonly file: string; readonly failed: Failed } | undefined> {
  for (const file of nearby(keptCaseOf(mutation)!, copy)) {
    const failed = await withMutation(mutation, copy, () => firstFailed(copy, ['--replay', file]))
    if (failed !== undefined) return { file, failed }
  }
  return undefined
}
