// The recipes of CONTRIBUTING.md are patches that whoever changes what one of them changes carries along. That they work is
// test/process/recipes.test.ts's to show.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { patches, patchOf } from '../recipes/carry-out.ts'
import { filesOf, pageRows } from '../recipes/page.ts'
import { recipes } from '../recipes/recipes.ts'
import { read, root } from './sources.ts'

const alone = patches().filter((name) => !name.includes('+'))
const filesIn = (name: string) => filesOf(read(`test/recipes/${name}.patch`))

test('every recipe is a patch, and every patch is of a recipe', () => {
  assert.deepEqual([...alone].sort(), Object.keys(recipes).sort())
  for (const name of patches()) for (const each of name.split('+')) assert.ok(alone.includes(each), name)
})

test('every recipe still applies to the code', () => {
  const stale = alone.filter((name) => spawnSync('git', ['apply', '--check', patchOf(name)], { cwd: root }).status !== 0)
  assert.deepEqual(stale, [])
})

test('what shows that a recipe works is there, or is made by it', () => {
  for (const [name, { tests }] of Object.entries(recipes)) {
    assert.ok(tests.length > 0, name)
    assert.deepEqual(
      tests.filter((path) => !existsSync(join(root, path)) && !filesIn(name).made.includes(path)),
      [],
      name,
    )
  }
})

const page = pageRows()

test('the numbers of the page are those of the files that its rows name', () => {
  assert.ok(page.size > 15, `only ${page.size} rows are found`)
  for (const [name, { made, touched, others, files }] of page) assert.deepEqual(files, [made.length, touched.length + others], name)
})

for (const [name, { rows }] of Object.entries(recipes))
  test(`${name} touches the files that its rows say, and no other`, () => {
    const said = rows.map((row) => page.get(row) ?? assert.fail(`the page has no row ${row}`))
    const { made, touched } = filesIn(name)
    const folders = said.flatMap((row) => row.made)
    assert.deepEqual(made.map((path) => folders.find((folder) => path.startsWith(folder)) ?? path).sort(), [...folders].sort())
    const named = said.flatMap((row) => row.touched)
    assert.deepEqual(
      named.filter((path) => !touched.includes(path)),
      [],
      'the page names more',
    )
    const others = said.reduce((sum, row) => sum + row.others, 0)
    assert.equal(touched.filter((path) => !named.includes(path)).length, others, `the patch touches ${touched.join(', ')}`)
  })
