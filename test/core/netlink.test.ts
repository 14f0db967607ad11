// rtnetlink as bytes: what Linux 6.18 answered, and anything else that may come.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { Answers, encodeRequests, encodeDump, readEvent, type NetlinkRequest, type Listed } from '../../core/wire/netlink/netlink.ts'
import { attributes, prefixed } from '../../core/wire/netlink/bytes.ts'
import { messages, kernelReply } from '../../core/wire/netlink/message.ts'
import { trials } from '../setup/trials.ts'
import samples from './netlink-samples.json' with { type: 'json' }

const bytes = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, 'hex'))
const answer = (hex: string, sequence: number) => {
  const answers = new Answers()
  answers.take(bytes(hex))
  assert.ok(answers.ended(sequence))
  return answers.answer(sequence)
}
const listed = <K extends keyof Listed>(what: K, hex: string) => {
  const answers = new Answers()
  answers.take(bytes(hex))
  return answers.listed(what, 20).items
}
const event = (hex: string) => messages(bytes(hex)).map(readEvent)
const requests: readonly NetlinkRequest[] = [
  {
    do: 'addLink',
    link: {
      ifname: 'mgz0',
      up: true,
      mtu: 1400,
      group: 77,
      shape: { kind: 'veth', peer: { ifname: 'eth0', netns: '/run/netns/x', mac: '02:00:00:00:00:01', mtu: 1400 } },
    },
  },
  { do: 'putAddress', on: { index: 2, ifname: 'eth0' }, address: '192.0.2.5/24' },
  { do: 'putRoute', route: { to: '0.0.0.0/0', via: '169.254.1.1', onlink: true, on: { index: 2, ifname: 'eth0' } } },
  { do: 'putFdb', append: true, fdb: { on: { index: 3, ifname: 'vx0' }, mac: '00:00:00:00:00:00', dst: '192.0.2.2' } },
]

describe('what was captured', () => {
  test('requests are the bytes that the kernel took', () => {
    assert.equal(Buffer.from(encodeRequests(requests, 7, () => 9)).toString('hex'), samples.asked)
  })

  test('a link says what it is', () => {
    assert.deepEqual(answer(samples.getVxlan, 5), {
      link: {
        index: 3,
        ifname: 'vx0',
        kind: 'vxlan',
        mac: '02:00:00:00:00:0c',
        mtu: 1500,
        up: true,
        group: 0,
        counters: { receivedPackets: 0, receivedBytes: 0, sentPackets: 0, sentBytes: 0, dropped: 0 },
        master: 0,
        peer: 0,
        vxlan: { vni: 5001, local: '192.0.2.1', l4Port: 4789, learning: false },
      },
    })
    assert.deepEqual(answer(samples.getVeth, 6), {
      link: {
        index: 5,
        ifname: 'h0',
        kind: 'veth',
        mac: '02:00:00:00:00:0d',
        mtu: 1400,
        up: true,
        group: 77,
        counters: { receivedPackets: 0, receivedBytes: 0, sentPackets: 0, sentBytes: 0, dropped: 0 },
        master: 0,
        peer: 4,
      },
    })
  })

  test("a refusal has its number, and the kernel's words where it has any", () => {
    assert.deepEqual(answer(samples.refused, 7), { refusal: { errno: 19 } })
    assert.deepEqual(answer(samples.words, 8), { refusal: { errno: 22, words: 'mtu less than device minimum' } })
  })

  test('lists are read to their end', () => {
    assert.deepEqual(listed('addresses', samples.addresses), [
      { index: 2, address: '192.0.2.1/24', permanent: true, scope: 0 },
      { index: 3, address: 'fe80::ff:fe00:c/64', permanent: true, scope: 253 },
    ])
    assert.deepEqual(listed('routes', samples.routes), [
      { to: '192.0.2.0/24', index: 2, protocol: 2 },
      { to: '198.51.100.0/24', index: 2, protocol: 4, via: '192.0.2.254' },
      { to: 'fe80::/64', index: 3, protocol: 2, metric: 256 },
    ])
    assert.deepEqual(listed('neighbours', samples.neighbours), [
      { index: 2, permanent: true, kind: 'neighbour', address: '2001:db8::9', mac: '02:00:00:00:00:09' },
    ])
    assert.deepEqual(
      listed('fdb', samples.fdb).filter(({ permanent }) => permanent),
      [{ index: 3, permanent: true, kind: 'fdb', mac: '02:00:00:00:00:09', dst: '192.0.2.2' }],
    )
  })

  test('what is told unasked is an event', () => {
    assert.deepEqual(
      event(samples.linkGone).map((each) => each?.kind === 'links' && [each.gone, each.link.ifname, each.link.group]),
      [[true, 'h0', 77]],
    )
    assert.deepEqual(event(samples.addressPut), [
      { gone: false, kind: 'addresses', address: { index: 2, address: '192.0.2.1/24', permanent: true, scope: 0 } },
    ])
    assert.deepEqual(event(samples.routePut), [
      {
        gone: false,
        kind: 'tableRoutes',
        route: { table: 254, to: '198.51.100.0/24', hops: [{ via: '192.0.2.254', index: 2 }], protocol: 4 },
        replaces: false,
      },
    ])
    assert.deepEqual(event(samples.fdbPut), [
      { gone: false, kind: 'fdb', neighbour: { index: 3, permanent: true, kind: 'fdb', mac: '02:00:00:00:00:09', dst: '192.0.2.2' } },
    ])
  })

  test('an answer in pieces is whole with the last of them', () => {
    const whole = bytes(samples.routes)
    const answers = new Answers()
    const cuts = messages(whole).map(({ body }) => body.byteOffset + body.byteLength)
    let from = 0
    for (const to of cuts) {
      assert.equal(answers.ended(20), false)
      answers.take(whole.subarray(from, (from = to)))
    }
    assert.equal(answers.ended(20), true)
    assert.equal(answers.listed('routes', 20).items.length, 3)
  })
})

/** Bytes that look right for longer than random ones do: samples with some bytes changed, cut off, or put together. */
const bent = fc
  .tuple(
    fc.constantFrom(...Object.values(samples).slice(1)),
    fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 8 }),
    fc.nat(),
    fc.boolean(),
  )
  .map(([hex, changes, cut, short]) => {
    const all = bytes(hex)
    for (const [at, value] of changes) all[at % all.length] = value
    return short ? all.subarray(0, cut % all.length) : all
  })

describe('anything may come', () => {
  test('no bytes make a reader throw, or read beyond them', () => {
    fc.assert(
      fc.property(fc.oneof(bent, fc.uint8Array({ maxLength: 400 })), (given) => {
        const answers = new Answers()
        answers.take(given)
        for (const each of messages(given)) {
          readEvent(each)
          kernelReply(each)
          answers.answer(each.sequence)
          for (const what of ['links', 'addresses', 'routes', 'tableRoutes', 'rules', 'neighbours', 'fdb'] as const)
            answers.listed(what, each.sequence)
          for (const value of attributes(each.body).values())
            assert.ok(value.byteOffset + value.byteLength <= given.byteOffset + given.byteLength)
        }
      }),
      { numRuns: trials(200_000) },
    )
  })

  test('what is asked can be read back: a header for each, lengths that fit, numbers in a row', () => {
    const address = fc.ipV4().map((ip) => `${ip}/24`)
    const ask = fc.oneof(
      fc.record({ do: fc.constant('putAddress' as const), on: fc.constant({ index: 2, ifname: '' }), address }),
      fc.record({ do: fc.constant('dropLink' as const), of: fc.record({ index: fc.nat(9), ifname: fc.stringMatching(/^[a-z]{1,15}$/) }) }),
      fc.record({
        do: fc.constant('setLink' as const),
        of: fc.constant({ index: 2, ifname: '' }),
        change: fc.record({ mtu: fc.nat(65535), alias: fc.string({ maxLength: 60 }) }),
      }),
      fc.constantFrom(...requests),
    )
    fc.assert(
      fc.property(fc.array(ask, { minLength: 1, maxLength: 20 }), (asks) => {
        const encoded = encodeRequests(asks, 100, () => 9)
        const back = messages(encoded)
        assert.deepEqual(
          back.map(({ sequence }) => sequence),
          asks.map((_, i) => 100 + i),
        )
        assert.equal(
          back.reduce((sum, { body }) => sum + ((body.length + 19) & ~3), 0),
          encoded.length,
        )
      }),
      { numRuns: trials(5_000) },
    )
  })

  test('a list is one message, whatever is listed', () => {
    for (const what of ['links', 'addresses', 'routes', 'tableRoutes', 'rules', 'neighbours', 'fdb'] as const)
      assert.deepEqual(
        messages(encodeDump(what, 3)).map(({ flags, sequence }) => [flags, sequence]),
        [[0x301, 3]],
      )
  })

  test("what is no address with a length is the program's fault", () => {
    for (const text of ['', '10.0.0.1/33', 'x/24', '::1/129', '10.0.0.1/x']) assert.throws(() => prefixed(text), RangeError)
  })
})
