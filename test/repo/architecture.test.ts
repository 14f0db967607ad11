import assert from 'node:assert/strict'
import { test } from 'node:test'
import { architecturePage, architecturePath, foldersTable } from './folders-table.ts'
import { read, sourceFiles } from './sources.ts'

test('the table of folders is as npm run gen writes it', () => assert.equal(read(architecturePath), architecturePage()))

test('the table of folders has every folder of core and every other folder of code', () => {
  const folders = new Set(sourceFiles().flatMap((path) => /^core\/[\w-]+(?=\/)/.exec(path)?.[0] ?? /^[\w-]+(?=\/)/.exec(path)?.[0] ?? []))
  const missing = [...folders].filter((folder) => folder !== 'test' && !foldersTable().includes(`\n| \`${folder}\` |`))
  assert.deepEqual(missing, [])
  assert.ok(folders.size > 15)
})
