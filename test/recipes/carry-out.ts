// Recipes in a copy of the tree: applied, generated, compiled, and shown to work.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { repoFiles, root } from '../repo/sources.ts'
import { recipes } from './recipes.ts'

/** `A+B`: what two recipes need where both are carried out. */
const together = (names: readonly string[]): readonly string[] =>
  patches().filter((name) => name.includes('+') && name.split('+').every((each) => names.includes(each)))

export const patches = (): readonly string[] =>
  readdirSync(import.meta.dirname)
    .filter((file) => file.endsWith('.patch'))
    .map((file) => basename(file, '.patch'))
export const patchOf = (name: string): string => join(import.meta.dirname, `${name}.patch`)

function must(copy: string, what: string, command: readonly string[]): void {
  const [program = '', ...args] = command
  // A test that runs tests is not to be told by its parent how to report.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: copy, env, encoding: 'utf8', maxBuffer: 2 ** 28 })
  if (status !== 0) throw new Error(`${what}: ${[stdout, stderr].join('\n').slice(-20_000)}`)
}

/** What git knows of here and would take, as a repository of its own: tests ask git which files there are. */
function copied(): string {
  const copy = mkdtempSync(join(tmpdir(), 'megrez-recipes-'))
  for (const file of repoFiles()) cpSync(join(root, file), join(copy, file))
  must(copy, 'git', ['git', 'init', '-q'])
  must(copy, 'git', ['git', 'add', '-A'])
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  return copy
}

const node = [process.execPath, '--disable-warning=ExperimentalWarning']

/** @param tell is told of each stage before it begins @throws Error with what was printed, by the first stage that fails */
export function carryOut(names: readonly string[], tell: (stage: string) => void): void {
  const copy = copied()
  try {
    for (const name of [...names, ...together(names)]) {
      tell(`apply ${name}`)
      must(copy, `${name} does not apply`, ['git', 'apply', patchOf(name)])
    }
    tell('generate')
    must(copy, 'npm run gen', [...node, 'test/gen.ts'])
    tell('compile')
    must(copy, 'tsc', [...node, 'node_modules/typescript/bin/tsc', '-p', 'tsconfig.json', '--incremental', 'false'])
    const tests = [...new Set(names.flatMap((name) => recipes[name]?.tests ?? []))]
    tell(`run ${tests.length} test files`)
    must(copy, 'tests', [...node, '--test', '--test-concurrency=2', ...tests])
  } finally {
    rmSync(copy, { recursive: true })
  }
}
