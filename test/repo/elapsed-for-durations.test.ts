import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Linter } from 'eslint'
import tseslint from 'typescript-eslint'
import { elapsedForDurations } from './elapsed-for-durations.ts'

const found = (line: string): number =>
  new Linter().verify(
    line,
    [
      {
        files: ['**/*.ts'],
        plugins: { ours: { rules: { 'elapsed-for-durations': elapsedForDurations as never } } },
        languageOptions: { parser: tseslint.parser },
        rules: { 'ours/elapsed-for-durations': 'error' },
      },
    ],
    { filename: 'a.ts' },
  ).length

test('a duration that is measured by the time of day is found, however it is kept', () => {
  for (const line of [
    'const began = clock.now()',
    'const left = due - this.#clock.now()',
    'const heard = { at: env.clock.now() }',
    'this.heardAt = this.options.clock.now()',
    'if (clock.now() >= due) end()',
    'const age = () => clock.now() - since',
  ])
    assert.equal(found(line), 1, line)
})

test('a date is none', () => {
  for (const line of [
    'const said = new Date(env.clock.now()).toISOString()',
    'const over = Date.parse(until) <= clock.now()',
    'plan({ now: this.clock.now(), lives })',
    'open({ now: () => clock.now() })',
    'const began = clock.elapsed()',
    'const other = sundial.now()',
  ])
    assert.equal(found(line), 0, line)
})
