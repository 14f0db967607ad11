// Proof that the simulator sees: each patch in mutations/ puts one fault into the mended code, in a copy of the tree, and seeds are run
// until one fails that does not fail without the patch; cases of Fabrics for those named fabric-…. `npm run sim:mutations [-- NAME …
// --seeds N --from N --jobs J]`; outside CI.
import { spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { caseOf } from './case.ts'
import { fabricCaseOf } from './fabric-case.ts'
import { runCase } from './run.ts'

interface Failed {
  readonly seed: number
  readonly invariant: string
  readonly what: string
}
interface Verdict {
  readonly name: string
  readonly found: Failed | undefined
}

const root = resolve(import.meta.dirname, '../..')
const folder = join(import.meta.dirname, 'mutations')
const { values, positionals } = parseArgs({
  options: {
    seeds: { type: 'string', default: '2000' },
    from: { type: 'string', default: '1' },
    jobs: { type: 'string', default: String(availableParallelism()) },
  },
  allowPositionals: true,
})
const from = Number(values.from)
const end = from + Number(values.seeds)
const patches = readdirSync(folder)
  .filter((name) => name.endsWith('.patch') && (positionals.length === 0 || positionals.some((each) => name.includes(each))))
  .sort()

function git(cwd: string, ...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd, encoding: 'utf8', maxBuffer: 2 ** 28 })
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`)
  return stdout
}

/** The code alone, with what it needs to run. */
function copied(): string {
  const copy = mkdtempSync(join(tmpdir(), 'megrez-mutation-'))
  for (const file of git(root, 'ls-files')
    .split('\n')
    .filter((each) => /\.(ts|json|yaml)$/.test(each)))
    cpSync(join(root, file), join(copy, file))
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  return copy
}

/** The first seed from this one on that fails in a copy; it ends there. */
async function firstFailed(copy: string, seed: number, kind: readonly string[]): Promise<Failed | undefined> {
  const args = ['--disable-warning=ExperimentalWarning', 'test/sim/main.ts', '--seeds', String(end - seed), '--from', String(seed), ...kind]
  const child = spawn(process.execPath, args, {
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

async function tried(patch: string, copy: string): Promise<Verdict> {
  const name = basename(patch, '.patch')
  const isFabric = name.startsWith('fabric-')
  git(copy, 'apply', join(folder, patch))
  try {
    for (let seed = from; seed < end;) {
      const found = await firstFailed(copy, seed, isFabric ? ['--fabrics'] : [])
      if (found === undefined) break
      // A fault that is there without the patch proves nothing.
      if ((await runCase((isFabric ? fabricCaseOf : caseOf)(found.seed), { traces: false })).failure === undefined) return { name, found }
      seed = found.seed + 1
    }
    return { name, found: undefined }
  } finally {
    git(copy, 'apply', '-R', join(folder, patch))
  }
}

function show({ name, found }: Verdict): void {
  console.log(
    found === undefined
      ? `NOT FOUND in ${values.seeds} seeds: ${name}`
      : `found after ${found.seed - from + 1} seeds: ${name}: ${found.invariant}: ${found.what.slice(0, 200)}`,
  )
}

const verdicts: Verdict[] = []
const waiting = [...patches]
await Promise.all(
  Array.from({ length: Math.min(Number(values.jobs), patches.length) }, async () => {
    const copy = copied()
    try {
      for (let patch = waiting.shift(); patch !== undefined; patch = waiting.shift()) {
        const verdict = await tried(patch, copy)
        verdicts.push(verdict)
        show(verdict)
      }
    } finally {
      rmSync(copy, { recursive: true })
    }
  }),
)
const missed = verdicts.filter(({ found }) => found === undefined)
console.log(`${verdicts.length - missed.length} of ${verdicts.length} were found`)
// All of the faults that were once there; of the others one may escape.
process.exitCode = patches.length === 0 || missed.some(({ name }) => /^s\d/.test(name)) || missed.length > 1 ? 1 : 0
