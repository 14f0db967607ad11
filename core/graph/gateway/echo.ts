// What a gateway does by itself: it answers pings, as no module of BESS does. All else that is for its MAC goes on to whoever routes.
//
// A ping and its answer (RFC 792) differ in their type, 8 and 0, so the answer's checksum is 0x0800 more (RFC 1624). No module writes a
// checksum of ICMP; but UpdateTTL takes one off a byte, and adds 0x0100 to the checksum two bytes behind it. With the MACs taken off in
// front, the type and checksum of ICMP stand where it looks for those of a hop (core/modules/update_ttl.cc): eight of them are the sum,
// whatever stands in the byte meanwhile.
import { gatewayMac } from '../../net/gateway-mac.ts'
import { hexOf, hexOfMac, hexOfV4 } from '../bytes.ts'
import type { MadeElement as Element } from '../elements.ts'
import { module, tunId, type TableRow } from '../modules.ts'

/** Metadata: the MAC of who asks. */
const asker = 'mgz_asker'
const [macBytes, macs] = [6, 12] as const
/** Where UpdateTTL finds the byte that it counts down. */
const hop = 22
const hops = hexOf(64, 1)

/**
 * `gate`: pings of gateways, by VNI and address, without options, no fragments. `routed`: VNIs that the kernel routes; others are routed
 * here.
 */
export const gatewayTables: readonly TableRow[] = [
  {
    role: 'gate',
    fields: [
      { at: tunId, bytes: 4 },
      { at: 12, bytes: 2 },
      { at: 14, bytes: 1 },
      { at: 20, bytes: 2, mask: '3fff' },
      { at: 23, bytes: 1 },
      { at: 30, bytes: 4 },
      { at: 34, bytes: 2 },
    ],
    next: ['routed'],
  },
  { role: 'routed', fields: [{ at: tunId, bytes: 4 }], next: ['route'] },
]

const counts = Array.from({ length: 8 }, (_, i) => `echo.sum.${i}`)

export const echoElements = (): readonly Element[] => [
  module('echo', { mclass: 'SetMetadata', attrs: [{ name: asker, offset: macBytes, bytes: macBytes }] }, ['echo.bare']),
  module('echo.bare', { mclass: 'GenericDecap', bytes: macs }, ['echo.begin']),
  module('echo.begin', { mclass: 'Update', fields: [{ offset: hop, value: 'ff' }] }, [counts[0]!]),
  ...counts.map((role, i) => module(role, { mclass: 'UpdateTTL' }, [counts[i + 1] ?? 'echo.reply'])),
  module('echo.reply', { mclass: 'Update', fields: [{ offset: hop, value: '00' }] }, ['echo.macs']),
  module('echo.macs', { mclass: 'GenericEncap', attr: { name: asker, bytes: macBytes }, value: hexOfMac(gatewayMac) }, ['echo.swap']),
  module('echo.swap', { mclass: 'IPSwap' }, ['echo.hops']),
  module('echo.hops', { mclass: 'Update', fields: [{ offset: hop, value: hops }] }, ['echo.header']),
  module('echo.header', { mclass: 'IPChecksum' }, ['reply']),
]

/** @param gateway IPv4 */
export const echoed = (vni: number, gateway: string): Element => ({
  kind: 'rule',
  table: 'gate',
  values: [hexOf(vni, 4), '0800', '45', '0000', '01', hexOfV4(gateway), '0800'],
  to: 'echo',
})
