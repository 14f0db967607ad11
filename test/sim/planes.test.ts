import assert from 'node:assert/strict'
import { test } from 'node:test'
import { datagram, onWire, question } from './world/switch/frame.ts'
import { frameOf, hexOf, outerOf, outerBytes } from './world/planes/bytes.ts'

const from = { mac: '02:00:00:00:00:01', address: '10.0.0.1' }
const from6 = { mac: '02:00:00:00:00:01', address: '2001:db8::1' }

test('a frame written as bytes and read again is the same frame', () => {
  const sent = [
    question(from, '10.0.0.2'),
    question(from6, '2001:db8::2'),
    datagram(from, { mac: 0x020000000002, address: '10.0.0.2' }),
    datagram(from6, { mac: 0x020000000002, address: '2001:db8::2' }),
  ]
  for (const frame of sent) {
    const read = frameOf(hexOf(frame))
    for (const [field, value] of frame) assert.equal(read.get(field), value, field.name)
    assert.equal(hexOf(onWire(read)), hexOf(frame))
  }
  assert.equal(outerOf({ vni: 5001, from: 1, to: 2, l4Port: 4789 }).length, outerBytes * 2)
})
