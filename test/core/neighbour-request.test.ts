import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checksum } from '../../core/net/checksum.ts'
import { gatewayMac } from '../../core/net/gateway-mac.ts'
import { ipv6Value } from '../../core/pipeline/openflow/values.ts'
import { readFrame, router } from '../../core/wire/guest/frames.ts'
import { neighbourRequest } from '../../core/wire/guest/neighbour.ts'

const mac = '02:00:00:00:00:07'
const plain = (text: string): string => text.replaceAll(':', '')

test('an IPv4 address is asked for by a probe, to its MAC alone, that says nothing of who asks', () => {
  assert.equal(
    Buffer.from(neighbourRequest(mac, '10.1.2.3')!).toString('hex'),
    `${plain(mac)}${plain(gatewayMac)}0806${'0001080006040001'}${plain(gatewayMac)}00000000${'000000000000'}0a010203`,
  )
})

test('an IPv6 address by a solicitation of the gateway, with its MAC, a hop limit of 255 and a checksum that is right', () => {
  const frame = neighbourRequest(mac, 'fd00::7')!
  assert.equal(Buffer.from(frame.subarray(0, 14)).toString('hex'), `${plain(mac)}${plain(gatewayMac)}86dd`)
  const { from, to, protocol, hopLimit, payload } = readFrame(frame)!
  assert.deepEqual([from, to, protocol, hopLimit], [router.linkLocal, ipv6Value('fd00::7'), 58, 255])
  assert.deepEqual([payload[0], payload[1], payload.length], [135, 0, 32])
  assert.equal(Buffer.from(payload.subarray(8)).toString('hex'), `fd00${'0'.repeat(27)}70101${plain(gatewayMac)}`)
  const pseudo = Uint8Array.of(...frame.subarray(22, 54), 0, 0, 0, payload.length, 0, 0, 0, 58, ...payload)
  assert.equal(checksum(pseudo), 0)
})

test('what is no address is not asked for', () => assert.equal(neighbourRequest(mac, 'nobody'), undefined))
