import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as errors from '../../core/errors.ts'
import { read, sourceFiles } from './sources.ts'

const { errorTable } = errors
const classes = Object.entries(errors).flatMap(([name, made]) =>
  typeof made === 'function' && 'code' in made ? [{ name, code: made.code }] : [],
)

test('the page of errors lists exactly the table', () => {
  const listed = read('docs/errors.md')
    .split('\n')
    .flatMap((line) => /^\| `([\w-]+)` \|/.exec(line)?.[1] ?? [])
  assert.deepEqual(
    listed,
    errorTable.map(({ code }) => code),
  )
})

test('every error is thrown somewhere', () => {
  const text = sourceFiles()
    .filter((file) => !file.startsWith('test/') && file !== 'core/errors.ts')
    .map(read)
    .join('\n')
  assert.deepEqual(
    classes.map(({ name }) => name).filter((name) => !new RegExp(`new (errors\\.)?${name}\\(`).test(text)),
    [],
  )
})
