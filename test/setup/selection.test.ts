import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { groups, stages } from './groups.ts'
import { select, type Selection } from './selection.ts'

const root = join(import.meta.dirname, '../..')
const selected = (...args: readonly string[]): Selection => {
  const selection = select(args, root)
  assert.ok(!('unknown' in selection))
  return selection
}
const filesOf = ({ groups }: Selection): string[] => groups.flatMap(({ files }) => files)

describe('what npm test runs', () => {
  test('is every test file there is with --all', () => {
    const { everyday, groups } = selected('--all')
    assert.equal(everyday, false)
    assert.deepEqual(filesOf({ groups } as Selection).sort(), globSync('test/**/*.test.ts', { cwd: root }).sort())
    assert.deepEqual(
      groups.flatMap(({ left }) => left),
      [],
    )
  })

  test('is all but the long files where nothing is said, and those are named', () => {
    const { everyday, groups } = selected()
    assert.equal(everyday, true)
    const left = groups.flatMap((each) => each.left)
    assert.ok(left.length > 0)
    assert.deepEqual([...filesOf({ groups } as Selection), ...left].sort(), filesOf(selected('--all')).sort())
  })

  test('is the whole of a group, and any file, that is named', () => {
    for (const name of ['node', 'kube'])
      assert.deepEqual(filesOf(selected(name)), globSync(`test/${name}/**/*.test.ts`, { cwd: root }).sort())
    const long = selected().groups.flatMap((each) => each.left)[0]!
    assert.deepEqual(filesOf(selected(long)), [long])
  })

  test('has every group in one track of a stage', () => assert.deepEqual(stages.flat(2).sort(), Object.keys(groups).sort()))

  test('names no file that is not there', () => {
    for (const { long = [], shared = [] } of Object.values(groups))
      for (const glob of [...long, ...shared]) assert.notDeepEqual(globSync(glob, { cwd: root }), [], glob)
  })
})
