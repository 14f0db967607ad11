import assert from 'node:assert/strict'
import { isIP } from 'node:net'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { canonicalIp, maxOf, parseIp, printIp, sixteens, type Ip } from '../../core/net/ip.ts'

const v4 = fc.bigInt({ min: 0n, max: maxOf(4) }).map((value): Ip => ({ family: 4, value }))
const v6 = fc.bigInt({ min: 0n, max: maxOf(6) }).map((value): Ip => ({ family: 6, value }))
/** Zeros in runs, which random values never have. */
const sparse = fc
  .array(fc.oneof(fc.constant(0), fc.nat(0xffff)), { minLength: 8, maxLength: 8 })
  .map((groups): Ip => ({ family: 6, value: groups.reduce((value, group) => (value << 16n) | BigInt(group), 0n) }))
const ip = fc.oneof(v4, v6, sparse)

describe('an address', () => {
  const spellings = {
    '10.0.0.1': '10.0.0.1',
    '0.0.0.0': '0.0.0.0',
    '255.255.255.255': '255.255.255.255',
    '::': '::',
    '::1': '::1',
    '1::': '1::',
    '2001:DB8::0001': '2001:db8::1',
    '2001:db8:0:0:1:0:0:1': '2001:db8::1:0:0:1',
    '2001:db8:0:1:1:1:1:1': '2001:db8:0:1:1:1:1:1',
    '2001:0:0:1:0:0:0:1': '2001:0:0:1::1',
    '1:2:3:4:5:6:7::': '1:2:3:4:5:6:7:0',
    '::2:3:4:5:6:7:8': '0:2:3:4:5:6:7:8',
    '::ffff:192.0.2.1': '::ffff:c000:201',
  }
  for (const [text, canonical] of Object.entries(spellings)) {
    test(`written ${text} is spelled ${canonical}`, () => assert.equal(canonicalIp(text), canonical))
  }

  const refused = [
    '',
    '10',
    '10.0.0',
    '10.0.0.1.2',
    '10.0.0.256',
    '010.0.0.1',
    '10.0.0.1 ',
    '0x0a.0.0.1',
    '10.0.0.-1',
    ':',
    ':::',
    '1::2::3',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '1:2:3:4::5:6:7:8',
    '12345::',
    'g::',
    'fe80::1%eth0',
    '1.2.3.4::',
    '::1.2.3',
    '::1.2.3.4:5',
    '10.0.0.1/32',
    '1::2:',
    ':1::2',
  ]
  for (const text of refused) test(`is not ${JSON.stringify(text)}`, () => assert.equal(parseIp(text), undefined))

  test('survives being printed and read', () => fc.assert(fc.property(ip, (each) => assert.deepEqual(parseIp(printIp(each)), each))))

  test("is printed as the platform's own URL parser prints it", () =>
    fc.assert(
      fc.property(fc.oneof(v6, sparse), (each) => assert.equal(new URL(`http://[${printIp(each)}]/`).hostname, `[${printIp(each)}]`)),
    ))

  test('is one exactly where the platform finds one, zones aside', () => {
    const part = fc.oneof(fc.constantFrom('', '0', '00', '1', 'ffff', '10000', 'g', '255', '256', '1.2.3.4', '01.2.3.4'))
    const text = fc.tuple(fc.array(part, { maxLength: 9 }), fc.constantFrom(':', '.')).map(([parts, mark]) => parts.join(mark))
    fc.assert(
      fc.property(text, (each) => assert.equal(parseIp(each)?.family ?? 0, isIP(each))),
      { numRuns: 2000 },
    )
  })

  test('has eight groups that make it up again', () =>
    fc.assert(
      fc.property(v6, (each) =>
        assert.equal(
          sixteens(each.value).reduce((value, group) => (value << 16n) | BigInt(group), 0n),
          each.value,
        ),
      ),
    ))
})
