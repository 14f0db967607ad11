import assert from 'node:assert/strict'
import { test } from 'node:test'
import { realUids, uidsOf } from '../../platform/chance.ts'
import { seeded } from '../workers/test-cluster.ts'

const form = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

test('UIDs out of a seed have the form of any others, differ, and are the same again', () => {
  const many = (seed: number): string[] => {
    const uids = uidsOf(seeded(seed))
    return Array.from({ length: 1_000 }, uids)
  }
  const made = many(1)
  assert.ok([...made, realUids()].every((uid) => form.test(uid)))
  assert.equal(new Set([...made, ...many(2)]).size, 2_000)
  assert.deepEqual(many(1), made)
})
