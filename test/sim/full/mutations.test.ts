// Faults that random seeds meet too seldom for `npm run sim:mutations`: each is seen by the case that was kept when it was found.
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { after, describe, test } from 'node:test'
import { copied, firstFailed, keptCaseOf, mutations, seenNearby } from '../mutated.ts'

describe('a kept case sees the fault that it was kept for', () => {
  const copy = copied()
  after(() => rmSync(copy, { recursive: true }))

  for (const mutation of mutations.filter((each) => keptCaseOf(each) !== undefined))
    test(mutation.replaceAll('-', ' '), async () => {
      const seen = await seenNearby(mutation, copy)
      assert.ok(seen, 'neither the kept case nor one near it sees the fault')
      assert.equal(await firstFailed(copy, ['--replay', seen.file]), undefined, 'it fails without the fault too')
    })
})
