// A folder of code has fifteen files at most, or a reason; those that have more than that may shrink, and not grow.
import assert from 'node:assert/strict'
import { dirname } from 'node:path'
import { test } from 'node:test'
import { generatedTypes, sourceFiles } from './sources.ts'

const most = 15
/** How many files a folder has that is larger, and why. */
const larger: Readonly<Record<string, readonly [files: number, why: string]>> = {
  'cli/commands': [24, 'a command a file'],
}

function sizesOf(paths: readonly string[]): ReadonlyMap<string, number> {
  const sizes = new Map<string, number>()
  for (const path of paths) sizes.set(dirname(path), (sizes.get(dirname(path)) ?? 0) + 1)
  return sizes
}
const code = sourceFiles().filter((path) => !path.startsWith('test/') && path !== generatedTypes)
const tooLarge = (paths: readonly string[]): readonly string[] =>
  [...sizesOf(paths)].filter(([folder, files]) => files > (larger[folder]?.[0] ?? most)).map(([folder, files]) => `${folder}: ${files}`)

test('no folder of code has more than fifteen files, but for those that say why', () => assert.deepEqual(tooLarge(code), []))

test('a folder that has shrunk may not grow again', () => {
  const sizes = sizesOf(code)
  assert.deepEqual(
    Object.entries(larger).filter(([folder, [files]]) => sizes.get(folder) !== files),
    [],
  )
})

test('one that is too large is found', () => {
  const files = Array.from({ length: 16 }, (_, i) => `new/${i}.ts`)
  assert.deepEqual(tooLarge([...files, 'old/one.ts']), ['new: 16'])
})
