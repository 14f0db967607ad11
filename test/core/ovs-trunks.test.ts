// VLANs and marks of a Port row, changed step by step, against what a reader of the text that comes out makes of it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { VlanId } from '../../core/net/segment.ts'
import { changed, openOn, parkedVlan, readTrunk, sameTrunks, type TrunkChange, type TrunkRow } from '../../core/wire/ovsdb/trunks.ts'

const row = (more: Partial<TrunkRow> = {}): TrunkRow => ({
  trunks: [parkedVlan],
  tag: undefined,
  vlanMode: undefined,
  marks: undefined,
  ...more,
})
const open = (vlan: number, of = 't'): TrunkChange => ({ do: 'open', vlan: vlan as VlanId, of })
const close = (vlan: number, of = 't'): TrunkChange => ({ do: 'close', vlan: vlan as VlanId, of })

const some = fc.integer({ min: 1, max: 12 })
const token = fc.constantFrom('a', 'b')
const change = fc.record({ do: fc.constantFrom('open' as const, 'close' as const), vlan: some as fc.Arbitrary<VlanId>, of: token })
const rows = fc.record({
  trunks: fc.uniqueArray(fc.oneof(some, fc.constant(parkedVlan))),
  tag: fc.constant(undefined),
  vlanMode: fc.constant(undefined),
  marks: fc.array(fc.tuple(some, token)).map((all) => all.map(([vlan, of]) => `${vlan}=${of}`).join(',')),
})

test('what a change makes of a row that has been read is what a reader finds in the row that is written', () => {
  fc.assert(
    fc.property(rows, fc.array(fc.array(change, { maxLength: 5 }), { maxLength: 4 }), (before, batches) => {
      let trunk = readTrunk(before)
      for (const batch of batches) trunk = changed(trunk, batch)
      const read = readTrunk({ ...before, trunks: trunk.trunks.toReversed(), marks: trunk.text })
      assert.deepEqual({ ...read, text: '' }, { ...trunk, text: '' })
      assert.deepEqual(openOn(read), openOn(trunk))
      assert.ok(sameTrunks(trunk.trunks.toReversed(), trunk.trunks))
    }),
  )
})

test('a list is never emptied, and what changes nothing is the same row', () => {
  fc.assert(
    fc.property(rows, fc.array(change), (before, changes) => {
      const trunk = readTrunk(before)
      const after = changed(trunk, changes)
      if (after !== trunk) assert.ok(after.trunks.length > 0)
      assert.ok(after.trunks.length === 1 || after === trunk || !after.trunks.includes(parkedVlan))
      assert.equal(changed(after, []), after)
    }),
  )
})

test('what others have opened stays theirs, whoever asks', () => {
  fc.assert(
    fc.property(rows, fc.array(change), (before, changes) => {
      const theirs = [...openOn(readTrunk(before)).others]
      const after = openOn(changed(readTrunk(before), changes))
      assert.deepEqual(
        theirs.filter((vlan) => after.ours.has(vlan) || !after.others.has(vlan)),
        [],
      )
    }),
  )
})

test('a port that begins closed ends closed, and a port of every VLAN carries nothing in the end', () => {
  for (const trunks of [[parkedVlan], []]) {
    const opened = changed(readTrunk(row({ trunks })), [open(100), open(7)])
    assert.deepEqual([opened.trunks, opened.text, opened.mode], [[7, 100], '7=t,100=t', 'trunk'])
    const closed = changed(opened, [close(7), close(100)])
    assert.deepEqual([closed.trunks, closed.text, closed.mode], [[parkedVlan], '', 'closed'])
  }
})

test('a port of every VLAN on which nothing of ours is closed is left as it is', () => {
  const trunk = readTrunk(row({ trunks: [] }))
  assert.equal(changed(trunk, [close(100)]), trunk)
  assert.equal(trunk.mode, 'unrestricted')
})

test('a mark of another owner is no leave to close, and lists that differ are not the same', () => {
  const trunk = readTrunk(row({ trunks: [100], marks: '100=a' }))
  assert.equal(changed(trunk, [close(100, 'b')]), trunk)
  assert.equal(sameTrunks([1, 2], [1, 3]), false)
  assert.equal(sameTrunks([1], [1, 3]), false)
})

test('the mode is that of ovs-vswitchd: a tag alone makes an access port, a trunk of 4095 carries nothing', () => {
  assert.equal(readTrunk(row({ tag: 5, trunks: [] })).mode, 'access')
  assert.equal(readTrunk(row({ tag: 5, trunks: [], vlanMode: 'native-untagged' })).mode, 'unrestricted')
  assert.equal(readTrunk(row({ vlanMode: 'access', trunks: [7] })).mode, 'access')
  assert.equal(readTrunk(row()).mode, 'closed')
})
