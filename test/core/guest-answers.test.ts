// What the guest behind a TAP is answered, byte by byte, and that nothing it may say makes more of it.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { Guest } from '../../core/node/guest.ts'
import { advertisementFor } from '../../core/wire/guest/advertisement.ts'
import { answerOf } from '../../core/wire/guest/answer.ts'

const guest: Guest = {
  mac: '02:0a:00:00:05:01',
  mtu: 1450,
  v4: { address: '10.7.0.5', length: 24, gateway: '10.7.0.1' },
  v6: { address: '2001:db8:7::5', length: 64, gateway: '2001:db8:7::1' },
  routes: [
    { destination: '10.99.0.0/16', nextHop: '10.7.0.9' },
    { destination: '2001:db8:99::/48', nextHop: '2001:db8:7::1' },
    { destination: '2001:db8:98::/48', nextHop: '2001:db8:7::9' },
  ],
  defaultRoute: true,
  routed: true,
  dns: { nameservers: ['10.7.0.53', '2001:db8:7::53'], domain: 'vms.example', search: ['vms.example'] },
}
const hex = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString('hex')
const bytes = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text.replaceAll(/\s/g, ''), 'hex'))
const mac = guest.mac.replaceAll(':', '')
const zeros = (count: number): string => '00'.repeat(count)
const u16 = (value: number): string => value.toString(16).padStart(4, '0')

interface Dhcp {
  readonly type: number
  readonly has?: string
  readonly relay?: string
  readonly of?: string
  readonly more?: string
}
/** From 0.0.0.0 to all. */
function dhcp({ type, has = zeros(4), relay = zeros(4), of = mac, more = '' }: Dhcp): Uint8Array {
  const message = `01010600 12345678 0000 0000 ${has} ${zeros(8)} ${relay} ${of}${zeros(10)} ${zeros(192)} 63825363 3501${type.toString(16).padStart(2, '0')} ${more} ff`
  const length = bytes(message).length
  return bytes(
    `ffffffffffff ${mac} 0800 4500 ${u16(28 + length)} 00000000 4011 0000 ${zeros(4)} ffffffff 0044 0043 ${u16(8 + length)} 0000 ${message}`,
  )
}
const optionsOf = (answer: Uint8Array | undefined): ReadonlyMap<number, string> => {
  const found = new Map<number, string>()
  const part = answer?.subarray(14 + 28 + 240) ?? new Uint8Array()
  for (let at = 0; at < part.length && part[at] !== 255; at += 2 + part[at + 1]!)
    found.set(part[at]!, hex(part.subarray(at + 2, at + 2 + part[at + 1]!)))
  return found
}
const typeOf = (answer: Uint8Array | undefined): string | undefined => optionsOf(answer).get(53)

describe('DHCPv4', () => {
  test('an offer has address, lease, mask, router, MTU, names and routes, the way out among them', () => {
    const answer = answerOf(dhcp({ type: 1 }), guest)!
    assert.equal(hex(answer.subarray(58, 62)), '0a070005')
    assert.deepEqual(Object.fromEntries(optionsOf(answer)), {
      1: 'ffffff00',
      3: '0a070001',
      6: '0a070035',
      15: Buffer.from('vms.example').toString('hex'),
      26: u16(1450),
      51: '00015180',
      53: '02',
      54: '0a070001',
      119: `03766d73076578616d706c6500`,
      121: '100a630a070009000a070001',
    })
  })
  const cases: Readonly<Record<string, readonly [Dhcp, string | undefined]>> = {
    'its own address': [{ type: 3, more: '32040a070005' }, '05'],
    'another address': [{ type: 3, more: '32040a070006' }, '06'],
    'its own address once more': [{ type: 3, has: '0a070005' }, '05'],
    'the address of another network': [{ type: 3, has: 'c0a80005' }, '06'],
    'another server': [{ type: 3, more: '32040a070005 36040a070063' }, undefined],
    'this server': [{ type: 3, more: '32040a070005 36040a070001' }, '05'],
    'more about its network': [{ type: 8, has: '0a070005' }, '05'],
    'more about the network of another': [{ type: 8, has: '0a070006' }, undefined],
    'to give its address back': [{ type: 7, has: '0a070005' }, undefined],
    'for another': [{ type: 1, of: '02aaaaaaaaaa' }, undefined],
    'by a relay': [{ type: 1, relay: '0a070063' }, undefined],
    'with an option that is cut off': [{ type: 1, more: '3220' }, undefined],
  }
  for (const [name, [asked, type]] of Object.entries(cases))
    test(`who asks for ${name} is ${type === undefined ? 'answered nothing' : `answered ${type}`}`, () =>
      assert.equal(typeOf(answerOf(dhcp(asked), guest)), type))
  test('what does not fit into the least that clients take is left out, the longest way first', () => {
    const routes = Array.from({ length: 64 }, (_, i) => ({ destination: `10.${i}.0.0/16`, nextHop: '10.7.0.9' }))
    const small = optionsOf(answerOf(dhcp({ type: 1 }), { ...guest, routes }))
    assert.deepEqual([small.has(121), small.has(3), small.has(119)], [false, true, true])
    assert.equal(optionsOf(answerOf(dhcp({ type: 1, more: `3902${u16(1400)}` }), { ...guest, routes })).has(121), true)
  })
  test('a guest without the way out is told of no router', () => {
    const told = optionsOf(answerOf(dhcp({ type: 1 }), { ...guest, defaultRoute: false }))
    assert.deepEqual([told.get(3), told.get(121)], [undefined, '100a630a070009'])
  })
})

describe('router advertisements', () => {
  const text = (of: Guest): string => hex(advertisementFor(of)?.subarray(54))
  test('say that addresses come by DHCPv6, and tell gateway, MTU, prefix, names, and the routes that lead there', () => {
    const said = text(guest)
    // Hop limit 64, managed and other, 9000 s.
    assert.equal(said.slice(8, 16), '40c02328')
    for (const option of [
      '0101024d65677265',
      '0501000000005aa'.replace('5aa', '05aa'),
      `0304 40 80 ffffffff ffffffff 00000000 20010db80007${zeros(10)}`,
    ])
      assert.ok(said.includes(option.replaceAll(' ', '')), option)
    assert.ok(said.includes('18033000' + '00002328' + `20010db80099${zeros(10)}`))
    assert.ok(!said.includes('20010db80098'))
    assert.ok(said.includes(`1903000000002328` + `20010db80007${zeros(9)}53`))
  })
  test('in a VLAN say nothing of a router: it has its own', () => assert.equal(text({ ...guest, routed: false }).slice(12, 16), '0000'))
  test('are not for a guest without IPv6', () => {
    const { v6: _, ...only4 } = guest
    assert.equal(advertisementFor(only4), undefined)
  })
})

describe('DHCPv6', () => {
  const client = '0001000a00030001' + mac
  const association = (more = ''): string =>
    `0003${u16(12 + more.length / 2)}0000000100000000000000000${more}`.replace('00000000000000000', '0000000000000000')
  const dhcp6 = (type: number, options: string, to = `ff02${zeros(11)}010002`): Uint8Array => {
    const message = `${type.toString(16).padStart(2, '0')}abcdef${options}`
    const length = 8 + message.length / 2
    return bytes(`333300010002 ${mac} 86dd 60000000 ${u16(length)} 11 01 fe80${zeros(13)}05 ${to} 0222 0223 ${u16(length)} 0000 ${message}`)
  }
  const address = '20010db80007' + zeros(9) + '05'
  const server = '0002000a00030001024d65677265'
  const ends = (answer: Uint8Array | undefined): string => hex(answer?.subarray(62))
  test('solicit is answered by an advertisement with the address and names, and by a reply where that is rapid', () => {
    const offered = ends(answerOf(dhcp6(1, client + association()), guest))
    assert.ok(offered.startsWith(`02abcdef${client}${server}`))
    for (const part of [`00050018${address}0001518000015180`, `00170010${'20010db80007' + zeros(9)}53`, '0018000d03766d73'])
      assert.ok(offered.includes(part), part)
    assert.ok(ends(answerOf(dhcp6(1, `${client}000e0000${association()}`), guest)).startsWith('07abcdef'))
  })
  test('only who names this server is answered where it is to be named', () => {
    assert.ok(ends(answerOf(dhcp6(3, client + server + association()), guest)).includes(address))
    for (const options of [client + association(), client + server.replace('7265', '7266') + association(), server + association()])
      assert.equal(answerOf(dhcp6(3, options), guest), undefined)
  })
  test('an address that is not its own ends, and a second association gets none', () => {
    const other = '20010db80007' + zeros(9) + '99'
    const answer = ends(answerOf(dhcp6(5, client + server + association(`00050018${other}0000ffff0000ffff`) + association()), guest))
    assert.ok(answer.includes(`00050018${other}0000000000000000`))
    assert.ok(answer.includes('000d00020002'))
  })
  test('what is not sent to all servers is answered nothing', () =>
    assert.equal(answerOf(dhcp6(1, client + association(), `20010db80007${zeros(9)}01`), guest), undefined))
})

test('no bytes make it throw, or answer more than a frame', () => {
  const seeds = [dhcp({ type: 1 }), dhcp({ type: 3, more: '32040a070005' })]
  fc.assert(
    fc.property(
      fc.constantFrom(...seeds),
      fc.array(fc.tuple(fc.nat(400), fc.nat(255)), { maxLength: 6 }),
      fc.nat(400),
      (seed, edits, cut) => {
        const frame = Uint8Array.from(seed).subarray(0, Math.max(14, seed.length - cut))
        for (const [at, value] of edits) if (at < frame.length) frame[at] = value
        assert.ok((answerOf(frame, guest)?.length ?? 0) <= guest.mtu + 14)
      },
    ),
  )
  fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (frame) => void answerOf(frame, guest)))
})
