import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lostIn } from '../../lab/nodes/ping.ts'

/** What ping prints of these answers. */
const printed = (sent: number, answered: readonly number[]): string =>
  [
    ...answered.map((number) => `64 bytes from 10.0.0.2: icmp_seq=${number} ttl=64 time=0.1 ms`),
    `${sent} packets transmitted, ${answered.length} received`,
  ].join('\n')

test('all that is asked for is answered: nothing is lost', () => assert.deepEqual(lostIn(printed(3, [1, 2, 3]), 3), { sent: 3, lost: 0 }))
test('what was sent after the last that was waited for counts for nothing', () =>
  assert.deepEqual(lostIn(printed(5, [1, 2, 3]), 3), { sent: 3, lost: 0 }))
test('a gap is lost', () => assert.deepEqual(lostIn(printed(4, [1, 2, 4]), 3), { sent: 4, lost: 1 }))
test('where the deadline comes first, all that was not answered is lost', () =>
  assert.deepEqual(lostIn(printed(200, [1, 2, 3]), 100), { sent: 200, lost: 197 }))
test('a program that said nothing sent nothing', () => assert.deepEqual(lostIn('', 3), { sent: 0, lost: 0 }))
