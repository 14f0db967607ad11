import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { blockOf, contains, defaultGateway, overlaps, parseCidr, printCidr, usable, type Cidr } from '../../core/net/cidr.ts'
import { blocksOf } from '../../core/net/ranges.ts'
import { bitsOf, maxOf, printIp, type Ip } from '../../core/net/ip.ts'

const cidr = (text: string): Cidr => parseCidr(text) ?? assert.fail(`${text} is no block`)
const print = (family: 4 | 6, value: bigint): string => printIp({ family, value })
const anyIp = fc
  .constantFrom(4 as const, 6 as const)
  .chain((family) => fc.bigInt({ min: 0n, max: maxOf(family) }).map((value): Ip => ({ family, value })))
const anyBlock = anyIp.chain((ip) => fc.nat(bitsOf(ip.family)).map((length) => blockOf(ip, length)))

/** The naive model: an address as a text of bits; a block as its prefix. */
const bits = (ip: Ip): string => ip.value.toString(2).padStart(bitsOf(ip.family), '0')
const prefix = (block: Cidr): string => bits({ family: block.family, value: block.first }).slice(0, block.length)

describe('a block', () => {
  for (const text of ['0.0.0.0/0', '10.0.0.0/8', '10.1.2.3/32', '::/0', '2001:db8::/64', '::1/128']) {
    test(`${text} is read and printed as it is`, () => assert.equal(printCidr(cidr(text)), text))
  }
  for (const text of [
    '10.0.0.5/24',
    '10.0.0.0',
    '10.0.0.0/33',
    '10.0.0.0/08',
    '10.0.0.0/-1',
    '10.0.0.0/',
    '/24',
    '10.0.0.0/24/24',
    '2001:db8::/129',
    '2001:db8::1/64',
    'x/24',
    '10.0.0.0/2 4',
  ]) {
    test(`is not ${text}`, () => assert.equal(parseCidr(text), undefined))
  }

  test('survives being printed and read', () =>
    fc.assert(fc.property(anyBlock, (block) => assert.deepEqual(parseCidr(printCidr(block)), block))))

  test('contains what begins with its prefix', () => {
    fc.assert(
      fc.property(anyBlock, anyIp, (block, ip) =>
        assert.equal(contains(block, ip), ip.family === block.family && bits(ip).startsWith(prefix(block))),
      ),
    )
    fc.assert(fc.property(anyIp, fc.nat(32), (ip, length) => assert.ok(contains(blockOf(ip, length), ip))))
  })

  test('overlaps another where one prefix begins with the other', () => {
    const short = anyIp.chain((ip) => fc.nat(6).map((length) => blockOf(ip, length)))
    fc.assert(
      fc.property(short, short, (a, b) => {
        const expected = a.family === b.family && (prefix(a).startsWith(prefix(b)) || prefix(b).startsWith(prefix(a)))
        assert.equal(overlaps(a, b), expected)
        assert.equal(overlaps(b, a), expected)
      }),
    )
  })
})

describe('what a block offers', () => {
  const cases: Readonly<Record<string, readonly [first: string, last: string, gateway: string | undefined]>> = {
    '10.0.0.0/24': ['10.0.0.2', '10.0.0.254', '10.0.0.1'],
    '10.0.0.8/29': ['10.0.0.10', '10.0.0.14', '10.0.0.9'],
    '10.0.0.4/30': ['10.0.0.4', '10.0.0.7', undefined],
    '10.0.0.4/31': ['10.0.0.4', '10.0.0.5', undefined],
    '10.0.0.4/32': ['10.0.0.4', '10.0.0.4', undefined],
    '2001:db8::/64': ['2001:db8::2', '2001:db8::ffff:ffff:ffff:ffff', '2001:db8::1'],
    '2001:db8::/126': ['2001:db8::', '2001:db8::3', undefined],
  }
  for (const [text, [first, last, gateway]] of Object.entries(cases)) {
    test(`${text}: ${first} to ${last}, gateway ${gateway ?? 'none'}`, () => {
      const block = cidr(text)
      const range = usable(block)
      assert.deepEqual([print(block.family, range.first), print(block.family, range.last)], [first, last])
      const found = defaultGateway(block)
      assert.equal(found === undefined ? undefined : printIp(found), gateway)
    })
  }
})

test('a range is the fewest blocks that have its addresses and no others', () => {
  fc.assert(
    fc.property(anyIp, anyIp, (one, other) => {
      const second = other.value & maxOf(one.family)
      const [first, last] = one.value < second ? [one.value, second] : [second, one.value]
      const blocks = blocksOf({ family: one.family, first, last })
      const ends = [first, ...blocks.map((block) => block.last + 1n)]
      assert.deepEqual(
        blocks.map((block) => block.first),
        ends.slice(0, -1),
      )
      assert.equal(ends.at(-1), last + 1n)
      // Two that touch would be one, if they began where a wider block does.
      for (const [i, block] of blocks.entries()) {
        const wider = block.length === 0 ? undefined : blockOf({ family: one.family, value: block.first }, block.length - 1)
        assert.ok(wider === undefined || wider.first < first || wider.last > last, `${i}: ${printCidr(block)}`)
      }
    }),
  )
})
