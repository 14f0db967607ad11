// The faults that the simulator must see are patches: whoever changes what one of them changes carries it along.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'

const folder = join(import.meta.dirname, 'mutations')

test('every mutation still applies to the code', () => {
  const patches = readdirSync(folder)
  const stale = patches.filter(
    (name) => spawnSync('git', ['apply', '--check', join(folder, name)], { cwd: resolve(import.meta.dirname, '../..') }).status !== 0,
  )
  assert.deepEqual(stale, [])
  assert.ok(patches.length > 0)
})
