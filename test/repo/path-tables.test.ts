// Tables of paths rot in silence: a row whose files have moved lets through, or leaves out, what it was written for.
import assert from 'node:assert/strict'
import { join, matchesGlob } from 'node:path'
import { test } from 'node:test'
import { groups } from '../setup/groups.ts'
import { table } from './import-table.ts'
import { read, repoFiles, root } from './sources.ts'

const files = repoFiles()

/** `a/{b,c}.ts` is `a/b.ts` and `a/c.ts`: each of them has to be there. */
function alternatives(glob: string): readonly string[] {
  const open = glob.lastIndexOf('{')
  if (open < 0) return [glob]
  const close = glob.indexOf('}', open)
  const [before, after] = [glob.slice(0, open), glob.slice(close + 1)]
  return glob
    .slice(open + 1, close)
    .split(',')
    .flatMap((each) => alternatives(before + each + after))
}
const dead = (globs: readonly string[]): readonly string[] =>
  globs.flatMap(alternatives).filter((glob) => !files.some((file) => matchesGlob(file, glob)))
/** Folders, files, and beginnings of names. */
const deadBeginnings = (paths: readonly string[]): readonly string[] => paths.filter((path) => !files.some((file) => file.startsWith(path)))

interface LintConfig {
  readonly files?: readonly string[]
  readonly ignores?: readonly string[]
}
const { default: lint } = (await import(join(root, 'eslint.config.js'))) as { readonly default: readonly LintConfig[] }

test('each exception of lint is for a file that is there', () => {
  // What is made, and not kept, is ignored by an entry of its own.
  const rows = lint.filter((each) => each.files !== undefined)
  const exceptions = rows.flatMap(({ ignores = [] }) => ignores)
  assert.ok(exceptions.length > 20, `${exceptions.length} exceptions`)
  assert.deepEqual(dead([...exceptions, ...rows.flatMap(({ files: globs = [] }) => globs)]), [])
})

test('each folder and file of the table of imports is there', () => {
  assert.deepEqual(deadBeginnings(table.flatMap(({ of, from, never = [] }) => [of, ...from, ...never])), [])
})

test('each group of tests has files, and what it shares or leaves to --all is there', () => {
  assert.deepEqual(dead(Object.values(groups).flatMap(({ files: globs, shared = [], long = [] }) => [...globs, ...shared, ...long])), [])
})

test('each folder that is type-checked is there', () => {
  const { include } = JSON.parse(read('tsconfig.json')) as { readonly include: readonly string[] }
  assert.deepEqual(deadBeginnings(include.map((each) => `${each}/`)), [])
})

test('a row whose files have gone is found', () => {
  assert.deepEqual(dead(['test/repo/{sizes,gone}.test.ts', 'core/**/*.ts']), ['test/repo/gone.test.ts'])
  assert.deepEqual(deadBeginnings(['core/kinds/', 'core/gone/']), ['core/gone/'])
})
