import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { test } from 'node:test'
import { generatedFolders, outputs } from '../../openapi/outputs.ts'
import { read, repoFiles, root } from './sources.ts'

const files = await outputs()

test('every generated file is as npm run gen writes it', () => {
  const known = repoFiles()
  const stale = [...files].filter(([path, text]) => !known.includes(path) || read(path) !== text).map(([path]) => path)
  assert.deepEqual(stale, [], 'npm run gen writes these anew')
})

test('nothing else lies among the generated files', () => {
  const lying = generatedFolders.flatMap((folder) => globSync(`${folder}/*`, { cwd: root }))
  assert.deepEqual(
    lying.filter((path) => !files.has(path)),
    [],
  )
})

test('generating twice gives the same', async () => assert.deepEqual(await outputs(), files))
