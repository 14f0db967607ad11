// Hooks of nftables as bytes: what is asked for is read back as what it was, and anything else that may come. The kernel has its say in
// test/node.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { encodeHook, encodeUnhook, readHooked, readMap } from '../../core/wire/nft/hooks.ts'
import { encodeGateways, readGateways } from '../../core/wire/nft/gateways.ts'
import { messages } from '../../core/wire/netlink/message.ts'
import { trials } from '../setup/trials.ts'

const table = { table: 'megrez', map: 'bridges', to: 'route' }
const typesOf = (bytes: Uint8Array): number[] => messages(bytes).map(({ type }) => type & 255)
/** One message of a batch, as a dump would have it. */
const only = (bytes: Uint8Array, type: number): Uint8Array => {
  let at = 0
  for (const { body, type: each } of messages(bytes)) {
    const length = body.length + 16
    if ((each & 255) === type) return bytes.subarray(at, at + length)
    at += (length + 3) & ~3
  }
  return new Uint8Array()
}

test('a hook is a chain, its one rule and an element in one transaction; taking it away is two', () => {
  const bytes = encodeHook(table, { ifname: 'mgvx001389', index: 70_000 })
  assert.deepEqual(typesOf(bytes), [0x10, 3, 6, 12, 0x11])
  assert.deepEqual(encodeUnhook(table, 'mgvx001389').map(typesOf), [
    [0x10, 14, 0x11],
    [0x10, 5, 0x11],
  ])
  assert.deepEqual(readHooked(only(bytes, 3), table).all, ['mgvx001389'])
  assert.deepEqual(readHooked(only(bytes, 3), { ...table, table: 'theirs' }).all, [])
  assert.deepEqual(readMap(only(bytes, 12)).all, [{ ifname: 'mgvx001389', index: 70_000 }])
})

test('gateways are elements of the set of their family, and read back as what they were', () => {
  const sets = { table: 'megrez', v4: 'gateways4', v6: 'gateways6' }
  const gateways = [
    { ifname: 'mggw001770', address: '10.0.0.1' },
    { ifname: 'mgvx001389', address: '2001:db8::1' },
  ]
  const bytes = encodeGateways(sets, gateways, 'put')
  assert.deepEqual(typesOf(bytes), [0x10, 12, 12, 0x11])
  assert.deepEqual(typesOf(encodeGateways(sets, gateways, 'drop')), [0x10, 14, 14, 0x11])
  for (const one of gateways) assert.deepEqual(readGateways(only(encodeGateways(sets, [one], 'put'), 12)).all, [one])
  assert.match(Buffer.from(bytes).toString('latin1'), /gateways4.*gateways6/s)
})

test('no bytes whatever make the readers throw', () => {
  const whole = encodeHook(table, { ifname: 'mgvx001389', index: 7 })
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255))), (bends) => {
      const bytes = Uint8Array.from(whole)
      for (const [at, value] of bends) bytes[at] = value
      readHooked(bytes, table)
      readMap(bytes)
      readGateways(bytes)
    }),
    { numRuns: trials(1000) },
  )
})
