// The same policies on two nodes with bessd.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { heldSentences } from '../setup/stories.ts'
import { bessSkip } from './test-nodes.ts'

test(
  'each sentence of the policy of Nimbess that needs no connections holds between pods of two nodes on bess',
  { skip: bessSkip },
  async () => {
    assert.ok((await heldSentences('nimbess', '--dataplane', 'bess')).length >= 8)
  },
)
