// Minimums that add up against what a node has: whatever comes, goes and changes, in whatever order.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { bookableOf, bookedFor, notBookedText } from '../../core/node/booking/booking.ts'
import fc from 'fast-check'
import { trials } from '../setup/trials.ts'

const uplink = { ifname: 'eth1', rate: 10_000_000 }

describe('what is booked of a link', () => {
  test('is never more than there is, is no more than anybody asks for, and stays with who has it where more does not fit', () => {
    const change = fc.record({ who: fc.integer({ min: 0, max: 5 }), min: fc.integer({ min: 0, max: 6_000_000 }) })
    fc.assert(
      fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
        const has = new Map<number, number>()
        for (const { who, min } of changes) {
          const before = has.get(who) ?? 0
          const others = [...has.values()].reduce((sum, each) => sum + each, -before)
          const now = bookedFor({ min, before, others }, uplink)
          assert.ok(now <= min && now + others <= bookableOf(uplink))
          assert.equal(now, min + others <= bookableOf(uplink) ? min : Math.min(before, min))
          has.set(who, now)
        }
      }),
      { numRuns: trials(2_000) },
    )
  })

  test('shrinks with a link that has become slower, until it fits', () => {
    const slower = { ...uplink, rate: 5_000_000 }
    assert.equal(bookedFor({ min: 6_000_000, before: 6_000_000, others: 2_000_000 }, slower), 2_750_000)
    assert.equal(bookedFor({ min: 6_000_000, before: 6_000_000, others: 6_000_000 }, slower), 0)
  })

  test('is refused with the link, the node and the figures, and what stays', () => {
    assert.equal(
      notBookedText({ min: 9_000_000, before: 1_000_000, others: 5_000_000 }, uplink, 'n1'),
      '9 Mbit/s are not booked: of the 9.5 Mbit/s of eth1 on node n1 4.5 Mbit/s are left for it; 1 Mbit/s stay booked',
    )
  })
})
