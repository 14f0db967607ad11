// npm run story nsm, its sentences read from its own output.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ovsSkip } from '../setup/ovs.ts'
import { heldSentences } from '../setup/stories.ts'

test('what the deck of NSM says of network services is so', { skip: ovsSkip }, async () => {
  assert.equal((await heldSentences('nsm')).length, 7)
})
