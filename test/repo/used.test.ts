// What is exported is somebody's: a name that stands nowhere but where it is made is dead.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { read, sourceFiles } from './sources.ts'

const declared = /^export (?:async )?(?:function\*?|const|class|interface|type) ([\w$]+)/gm

test('every name that is exported stands somewhere else too, or once more in its own file', () => {
  const texts = sourceFiles().map((path) => ({ path, text: read(path) }))
  const times = new Map<string, number>()
  for (const { text } of texts) for (const [word] of text.matchAll(/[\w$]+/g)) times.set(word, (times.get(word) ?? 0) + 1)
  const exported = texts.flatMap(({ path, text }) => [...text.matchAll(declared)].map(([, name = '']) => ({ path, name })))
  assert.ok(exported.length > 1_000, `only ${exported.length} are found`)
  assert.deepEqual(
    exported.filter(({ name }) => times.get(name) === 1),
    [],
  )
})
