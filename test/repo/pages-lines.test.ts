// Pages are read in editors and in reviews too: lines of Markdown end at 140 columns. A row of a table cannot be broken; above 300 it is
// a list.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wrapped } from '../../openapi/wrapped.ts'
import { isWrapped } from './pages.ts'
import { read, repoFiles } from './sources.ts'

const columns = 140
const rowMax = 300
const isTooLong = (line: string): boolean => line.length > (line.startsWith('|') ? rowMax : columns)

/** Lines by number, but those of code that is shown. */
function tooLong(text: string): string[] {
  let isCode = false
  return text.split('\n').flatMap((line, i) => {
    if (line.trimStart().startsWith('```')) isCode = !isCode
    return !isCode && isTooLong(line) ? [`${i + 1} (${line.length}): ${line.slice(0, 60)}…`] : []
  })
}

test('no line of a page is too long', () => {
  const pages = repoFiles().filter(isWrapped)
  const found = pages.flatMap((path) => tooLong(read(path)).map((line) => `${path}:${line}`))
  assert.deepEqual(found, [], 'npm run gen wraps them')
  assert.ok(pages.length > 50)
})

test('a long line of a page, and a long row, are found', () => {
  const long = 'a '.repeat(80)
  assert.equal(tooLong(`${long}\n| ${long}|\n| ${long}${long}|\n\`\`\`\n${long}\n\`\`\`\n`).length, 2)
})

test('what is generated is wrapped: the same words, in lines that end', () => {
  const words = (text: string): string[] => text.split(/\s+/)
  const sentence = 'A sentence with `code that is not broken` and [a link to a page](x.md) in it. '.repeat(5)
  const page = `# Title\n\n${sentence}\n\n- ${sentence}\n  that goes on\n- short\n\n| a | b |\n|---|---|\n| c | ${sentence.repeat(2)} |\n| d | e |\n`
  const text = wrapped(page)
  assert.deepEqual(tooLong(text), [])
  assert.equal(wrapped(text), text)
  assert.deepEqual(words(text.replace('see 1 below', '').replace('1. ', '')).sort(), words(page).sort())
  assert.ok(text.includes('| c | see 1 below |\n| d | e |\n\n1. A sentence'))
  assert.ok(text.split('\n').every((line) => line.split('`').length % 2 === 1))
})
