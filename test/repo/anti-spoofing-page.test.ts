import assert from 'node:assert/strict'
import { test } from 'node:test'
import { spoofs } from '../laws/spoofing.ts'
import { antiSpoofingPage, antiSpoofingPath } from './anti-spoofing-page.ts'
import { read } from './sources.ts'

test('the page of what a port may send is as npm run gen writes it', () => assert.equal(read(antiSpoofingPath), antiSpoofingPage()))

test('no frame of the table is there twice, and none can be taken for another', () => {
  assert.equal(new Set(spoofs.map(({ about, says }) => `${about} ${says}`)).size, spoofs.length)
  for (const one of spoofs)
    assert.deepEqual(
      spoofs.filter(({ frame }) => frame.includes(one.core)).map(({ says }) => says),
      [one.says],
    )
})
