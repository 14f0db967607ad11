import assert from 'node:assert/strict'
import { test } from 'node:test'
import { owners, type Owned } from '../../core/pipeline/registers.ts'
import { pipelinePage, pipelinePath } from './pipeline-page.ts'
import { read } from './sources.ts'

test('the page of the pipeline is as npm run gen writes it', () => assert.equal(read(pipelinePath), pipelinePage()))

/** The drawing at the head of registers.ts: a line with the numbers of bits, and below it the boxes. */
function drawn(): Map<string, { readonly name: string; readonly from: number; readonly to: number }> {
  const lines = read('core/pipeline/registers.ts')
    .split('\n')
    .filter((line) => line.startsWith('//'))
    .map((line) => line.slice(2))
  const found = new Map<string, { name: string; from: number; to: number; register: string }>()
  for (const [i, line] of lines.entries()) {
    const register = /^\s+(x{0,2}reg\d+)\s+\d/.exec(line)?.[1]
    if (register === undefined) continue
    const numbers = line
      .slice(line.indexOf(register) + register.length)
      .trim()
      .split(/\s+/)
      .map(Number)
    const names = lines[i + 1]!.split('|')
      .slice(1, -1)
      .map((box) => box.trim())
    assert.equal(numbers.length, 2 * names.length, `${register}: two numbers for each box`)
    for (const [nth, name] of names.entries())
      if (name !== 'unused') found.set(name, { name, register, to: numbers[2 * nth]!, from: numbers[2 * nth + 1]! })
  }
  return found
}
test('the drawing in registers.ts is what the code says', () => {
  const expected = new Map(
    Object.entries(owners).map(([name, { from, count, field }]: [string, Owned]) => [
      name,
      { name, register: field.name, to: from + count - 1, from },
    ]),
  )
  assert.deepEqual(new Map([...drawn()].sort()), new Map([...expected].sort()))
})

test('no bit of a register has two owners', () => {
  const taken = new Map<string, string>()
  for (const [name, { field, from, count }] of Object.entries(owners)) {
    // Wide registers are numbered ones side by side, the first the highest.
    const wide = /^(x{1,2})reg(\d+)$/.exec(field.name)
    const words = wide === null ? 1 : wide[1] === 'x' ? 2 : 4
    const first = wide === null ? Number(field.name.slice(3)) : Number(wide[2]) * words
    for (let bit = from; bit < from + count; bit++) {
      const key = `reg${first + words - 1 - Math.floor(bit / 32)}:${bit % 32}`
      assert.equal(taken.get(key), undefined, `${key} is ${name}'s`)
      taken.set(key, name)
    }
  }
})
