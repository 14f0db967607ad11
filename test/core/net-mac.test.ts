import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { canonicalMac, hashedMac, isKosMac, kosInterfaceName, kosMac, macOf } from '../../core/net/mac.ts'

describe('the KOS function of VNI and address', () => {
  const vectors: readonly (readonly [vni: number, address: string, mac: string, name: string])[] = [
    [1, '10.0.0.2', '06:00:00:02:00:01', 'kos060000020001'],
    [1, '192.168.0.2', '02:a8:00:02:00:01', 'kos02a800020001'],
    [1, '172.16.0.2', '02:10:00:02:00:01', 'kos021000020001'],
    [74565, '10.1.2.3', '0e:01:02:03:23:45', 'kos0e0102032345'],
    [65535, '10.0.0.2', '06:00:00:02:ff:ff', 'kos06000002ffff'],
    [65536, '172.31.4.5', '0a:1f:04:05:00:00', 'kos0a1f04050000'],
    [2097151, '10.255.255.254', 'fe:ff:ff:fe:ff:ff', 'kosfefffffeffff'],
    [2097151, '192.168.255.254', 'fa:a8:ff:fe:ff:ff', 'kosfaa8fffeffff'],
  ]
  for (const [vni, address, mac, name] of vectors) {
    test(`gives ${mac} for ${address} on VNI ${vni}, and the interface ${name}`, () => {
      assert.equal(kosMac(vni, address), mac)
      assert.equal(kosInterfaceName(mac), name)
      assert.deepEqual(macOf(vni, address), { mac, lock: false })
      assert.ok(isKosMac(vni, mac, ['2001:db8::1', address]))
      assert.ok(!isKosMac(vni + 1, mac, [address]))
    })
  }

  const outside: readonly (readonly [vni: number, address: string])[] = [
    [0, '10.0.0.2'],
    [2097152, '10.0.0.2'],
    [1, '8.8.8.8'],
    [1, '11.0.0.1'],
    [1, '172.15.0.1'],
    [1, '172.32.0.1'],
    [1, '192.169.0.1'],
    [1, '2001:db8::1'],
    [1, 'x'],
  ]
  for (const [vni, address] of outside) {
    test(`says nothing for ${address} on VNI ${vni}, and the hash steps in with a lock`, () => {
      assert.equal(kosMac(vni, address), undefined)
      assert.equal(macOf(vni, address).lock, true)
      assert.match(macOf(vni, address).mac, /^[0-9a-f][26ae](:[0-9a-f]{2}){5}$/)
    })
  }

  test('is one-to-one', () => {
    const address = fc
      .oneof(
        fc.tuple(fc.constant(10), fc.nat(255), fc.nat(255), fc.nat(255)),
        fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), fc.nat(255), fc.nat(255)),
        fc.tuple(fc.constant(192), fc.constant(168), fc.nat(255), fc.nat(255)),
      )
      .map((bytes) => bytes.join('.'))
    const one = fc.tuple(fc.integer({ min: 1, max: 2097151 }), address)
    fc.assert(
      fc.property(one, one, ([vniA, a], [vniB, b]) => {
        assert.equal(kosMac(vniA, a) === kosMac(vniB, b), vniA === vniB && a === b)
        // Neighbours, which two random draws never are: other VNI bits, and the same host part in another private block.
        for (const vni of [vniA ^ 1, vniA ^ 0x10000].filter((v) => v >= 1)) assert.notEqual(kosMac(vniA, a), kosMac(vni, a))
        const tail = a.split('.').slice(2).join('.')
        assert.equal(new Set(['10.168', '192.168', '172.16', '10.16'].map((head) => kosMac(vniA, `${head}.${tail}`))).size, 4)
      }),
    )
  })
})

describe('a hashed MAC', () => {
  test('is a locally administered unicast address, the same each time, another one at each attempt', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 24 - 1 }), fc.ipV6(), (vni, address) => {
        const macs = [0, 1, 2].map((attempt) => hashedMac(vni, address, attempt))
        for (const mac of macs) assert.equal(Number.parseInt(mac.slice(0, 2), 16) & 3, 2)
        assert.equal(new Set(macs).size, 3)
        assert.equal(hashedMac(vni, address, 0), macs[0])
      }),
    )
  })

  test("is never one that KOS's function gives some address of some VNI", () => {
    fc.assert(
      fc.property(fc.nat(2 ** 24 - 1), fc.ipV6(), fc.nat(7), (vni, address, attempt) => {
        const bytes = hashedMac(vni, address, attempt)
          .split(':')
          .map((each) => Number.parseInt(each, 16))
        const [first = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = bytes
        // Its VNI, if it had one, stands in the first and the last two bytes.
        const byVni = ((first & 0xf8) << 13) | (e << 8) | f
        for (const a of [10, 172, 192]) assert.notEqual(kosMac(Math.max(1, byVni), `${a}.${b}.${c}.${d}`), hashedMac(vni, address, attempt))
      }),
    )
  })

  test('replaces the KOS one from the second attempt on', () =>
    assert.deepEqual(macOf(1, '10.0.0.2', 1), { mac: hashedMac(1, '10.0.0.2', 1), lock: true }))
})

describe('the one spelling of a MAC', () => {
  const cases = {
    '02:00:00:00:00:0A': '02:00:00:00:00:0a',
    '02-00-00-00-00-0a': '02:00:00:00:00:0a',
    '01:00:5e:00:00:01': undefined,
    'ff:ff:ff:ff:ff:ff': undefined,
    '02:00:00:00:00': undefined,
    '02:00:00:00:00:0g': undefined,
    '020000000000': undefined,
  }
  for (const [text, mac] of Object.entries(cases)) test(`of ${text} is ${mac ?? 'none'}`, () => assert.equal(canonicalMac(text), mac))
})
