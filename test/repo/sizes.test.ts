import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cFiles, read, sourceFiles } from './sources.ts'

const lines = (path: string): number => read(path).trimEnd().split('\n').length
const sizesOf = (paths: readonly string[]) => paths.map((path) => ({ path, lines: lines(path) })).sort((a, b) => a.lines - b.lines)
const sizes = sizesOf(sourceFiles())

test('no file is longer than 400 lines', () =>
  assert.deepEqual(
    sizes.filter((each) => each.lines > 400),
    [],
  ))

test('nor is one of C', () => {
  const ofC = sizesOf(cFiles())
  assert.ok(ofC.length > 0, 'there is none')
  assert.deepEqual(
    ofC.filter((each) => each.lines > 400),
    [],
  )
})

test('half of the files are shorter than 90 lines, nine in ten shorter than 250', () => {
  const at = (part: number): number => sizes[Math.floor(sizes.length * part)]!.lines
  assert.ok(at(0.5) < 90, `median ${at(0.5)}`)
  assert.ok(at(0.9) < 250, `nine in ten ${at(0.9)}`)
})
