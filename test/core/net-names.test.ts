import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { maxOf } from '../../core/net/ip.ts'
import {
  addressLockName,
  addressLockNameOf,
  derivedName,
  hash80,
  hostInterfaceName,
  macLockName,
  noticeName,
  portIDLockName,
  portNameOf,
  vlanLockName,
  vniLockName,
} from '../../core/net/names.ts'
import { parseVlan, parseVni } from '../../core/net/segment.ts'
import { sha256 } from '../../core/net/sha256.ts'

const objectName = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/
const text = fc.string({ unit: 'grapheme', maxLength: 80 })

describe('sha256', () => {
  test('is the one of the platform, at every length around its blocks and for any text', () => {
    const platform = (of: string): string => createHash('sha256').update(of, 'utf8').digest('hex')
    const ours = (of: string): string => Buffer.from(sha256(of)).toString('hex')
    for (let length = 0; length < 200; length++) assert.equal(ours('a'.repeat(length)), platform('a'.repeat(length)))
    fc.assert(fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (each) => assert.equal(ours(each), platform(each))))
  })
})

describe('a derived name', () => {
  test('is the first 80 bits of SHA-256 in base32hex', () => {
    const digest = createHash('sha256').update('1:a2:bc').digest()
    const bits = [...digest.subarray(0, 10)].map((byte) => byte.toString(2).padStart(8, '0')).join('')
    const expected = Array.from({ length: 16 }, (_, i) => Number.parseInt(bits.slice(i * 5, i * 5 + 5), 2).toString(32)).join('')
    assert.equal(hash80('a', 'bc'), expected)
  })

  test('tells parts apart however they are cut', () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 4 }), fc.array(text, { maxLength: 4 }), (a, b) => {
        assert.equal(hash80(...a) === hash80(...b), JSON.stringify(a) === JSON.stringify(b))
      }),
    )
    assert.notEqual(hash80('ab', 'c'), hash80('a', 'bc'))
    assert.notEqual(hash80('a', ''), hash80('a'))
    assert.notEqual(hash80('', '1:a'), hash80('0:', 'a'))
  })

  test('is a name that Kubernetes takes, within its limit, whatever is put in front', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 300 }),
        text,
        fc.constantFrom(63 as const, 253 as const),
        (readable, part, limit) => {
          const name = derivedName(readable, [part], limit)
          assert.match(name, objectName)
          assert.ok(name.length <= limit)
          assert.ok(name.endsWith(hash80(part)))
        },
      ),
    )
  })

  test('begins with what a person recognises', () => {
    assert.equal(derivedName('Web_0/eth0', ['x']), `web-0-eth0-${hash80('x')}`)
    assert.equal(derivedName('---', ['x']), `x-${hash80('x')}`)
  })
})

describe('names of locks', () => {
  test('of IPv4 addresses are those of KOS', () => assert.equal(addressLockNameOf(7, '10.1.2.3'), 'v1-7-10-1-2-3'))
  test('of IPv6 addresses have eight full groups, whatever the spelling', () => {
    assert.equal(addressLockNameOf(7, '2001:DB8::1'), 'v1-7-2001-0db8-0000-0000-0000-0000-0000-0001')
    assert.equal(addressLockNameOf(7, '2001:db8:0:0:0:0:0:1'), addressLockNameOf(7, '2001:db8::1'))
  })
  test('of what is no address are none', () => assert.equal(addressLockNameOf(7, '10.0.0'), undefined))
  test('are one for each (VNI, address)', () => {
    const lock = fc.tuple(
      fc.integer({ min: 1, max: 2 ** 24 - 1 }),
      fc
        .constantFrom(4 as const, 6 as const)
        .chain((family) => fc.bigInt({ min: 0n, max: maxOf(family) }).map((value) => ({ family, value }))),
    )
    fc.assert(
      fc.property(lock, lock, ([vniA, a], [vniB, b]) => {
        assert.equal(addressLockName(vniA, a) === addressLockName(vniB, b), vniA === vniB && a.family === b.family && a.value === b.value)
        assert.match(addressLockName(vniA, a), objectName)
      }),
    )
  })
  test('of MACs, portIDs, VNIs and VLANs are ones that Kubernetes takes', () => {
    assert.equal(macLockName(7, '02:00:00:00:00:0A'), 'mac-7-02000000000a')
    assert.equal(vniLockName(7), 'vni-7')
    assert.match(portIDLockName(7, 'Any thing/at all'), /^id-7-[0-9a-v]{16}$/)
    assert.match(vlanLockName('physnet_1', 100), /^vlan-100-physnet-1-[0-9a-v]{16}$/)
    assert.notEqual(vlanLockName('a_b', 1), vlanLockName('a-b', 1))
  })
})

describe('names of what a pod causes', () => {
  test('follow its UID, so that a pod made anew has Ports of its own', () => {
    assert.equal(portNameOf({ name: 'web-0', uid: 'a' }, 'eth0'), portNameOf({ name: 'web-0', uid: 'a' }, 'eth0'))
    assert.notEqual(portNameOf({ name: 'web-0', uid: 'a' }, 'eth0'), portNameOf({ name: 'web-0', uid: 'b' }, 'eth0'))
    assert.match(portNameOf({ name: 'web-0', uid: 'a' }, 'eth0'), /^web-0-eth0-/)
    assert.ok(portNameOf({ name: 'w'.repeat(253), uid: 'a' }, 'e'.repeat(15)).length <= 253)
  })
  test('of host interfaces fit into 15 characters', () =>
    assert.match(hostInterfaceName('5f2b7c1e-0f3a-4c1e-9d43-0a1b2c3d4e5f'), /^mgz[0-9a-v]{12}$/))
  test('of notices sort by their number', () =>
    assert.deepEqual([noticeName('u', 10), noticeName('u', 9)].sort(), [noticeName('u', 9), noticeName('u', 10)]))
})

describe('numbers of segments', () => {
  test('are those of IEEE 802.1Q and RFC 7348', () => {
    assert.deepEqual([0, 1, 4094, 4095, 1.5].map(parseVlan), [undefined, 1, 4094, undefined, undefined])
    assert.deepEqual([0, 1, 16777215, 16777216, Number.NaN].map(parseVni), [undefined, 1, 16777215, undefined, undefined])
  })
})
