// npm run story l3, its sentences read from its own output.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bgpMissing } from '../../lab/programs/bgp.ts'
import { ovsSkip } from '../setup/ovs.ts'
import { heldSentences } from '../setup/stories.ts'

const skip = ovsSkip || ((await bgpMissing({ install: false, print: () => undefined })) ?? false)

test('what the design texts say of layer 3 and of one fabric is so', { skip }, async () => {
  assert.equal((await heldSentences('l3')).length, 7)
})
