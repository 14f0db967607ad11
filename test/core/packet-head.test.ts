// What a packet is, from the first bytes of its frame, also where there are too few.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readPacketHead } from '../../core/wire/packet-head.ts'

const bytes = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex.replaceAll(' ', ''), 'hex'))
const macs = '020000000002 020000000001'
const v4 = (protocol: string, offset = '0000'): string => `45000028 0001${offset} 40${protocol}0000 0a000002 0a000003`
const v6 = (next: string): string => `60000000 0010${next}40 fd000000000000000000000000000002 fd000000000000000000000000000003`

test('is of either family, with a tag or without, and behind headers that IPv6 puts in between', () => {
  const ends = { from: '10.0.0.2', to: '10.0.0.3' }
  const tcp = { ...ends, protocol: 6, l4Ports: { from: 4_000, to: 80 } }
  assert.deepEqual(readPacketHead(bytes(`${macs} 0800 ${v4('06')} 0fa00050`)), tcp)
  assert.deepEqual(readPacketHead(bytes(`${macs} 81000007 0800 ${v4('06')} 0fa00050`)), tcp)
  assert.deepEqual(readPacketHead(bytes(`${macs} 0800 ${v4('01')} 0800`)), { ...ends, protocol: 1, icmp: { type: 8, code: 0 } })
  const ends6 = { from: 'fd00::2', to: 'fd00::3' }
  const behind = `${v6('00')} 3c00000000000000 2c01000000000000 0000000000000000 11000001 00000001 0fa00035`
  assert.deepEqual(readPacketHead(bytes(`${macs} 86dd ${behind}`)), { ...ends6, protocol: 17, l4Ports: { from: 4_000, to: 53 } })
  assert.deepEqual(readPacketHead(bytes(`${macs} 86dd ${v6('2f')}`)), { ...ends6, protocol: 47 })
})

test('of a fragment that is not the first no ports are read', () => {
  assert.deepEqual(readPacketHead(bytes(`${macs} 0800 ${v4('11', '00b9')} 0fa00050`)), { from: '10.0.0.2', to: '10.0.0.3', protocol: 17 })
  const later = `${v6('2c')} 110000b9 00000001 0fa00035`
  assert.deepEqual(readPacketHead(bytes(`${macs} 86dd ${later}`)), { from: 'fd00::2', to: 'fd00::3', protocol: 17 })
})

test('what is no IP is none, nor what is cut off anywhere', () => {
  assert.equal(readPacketHead(bytes(`${macs} 0806 0001`)), undefined)
  const whole = bytes(`${macs} 86dd ${v6('00')} 0600000000000000 0fa00050`)
  for (let length = 0; length < whole.length; length++) assert.equal(readPacketHead(whole.subarray(0, length)), undefined, `${length}`)
  assert.ok(readPacketHead(whole))
})
