import assert from 'node:assert/strict'
import { test } from 'node:test'
import { linuxRenderer } from '../../core/linux/render.ts'
import type { LocalPort, PortPolicy } from '../../core/node/wanted.ts'
import { portPiece } from '../../core/pieces/port.ts'

const renderer = linuxRenderer({ tunnelAddress: '192.0.2.1', l4Port: 4789 })
const port: LocalPort = {
  uid: 'u1',
  of: { kind: 'Port', namespace: 'a', name: 'p' },
  number: 1,
  ifcName: 'mgz1',
  attachment: { kind: 'vni', vni: 5000 },
  mac: '02:00:00:00:00:01',
  addresses: ['10.0.0.2'],
  allowedAddressPairs: [],
  portSecurity: true,
  type: 'kernel',
  mtu: 1450,
}
const kindsWith = (policy?: PortPolicy): string[] =>
  renderer.render(portPiece, { ...port, ...(policy && { policy }) }).map(({ value }) => value.kind)

test('a Port that policies close is on no bridge of the kernel, its guard stays, and others know who it is', () => {
  const policy = { identity: 7, ruleSets: ['vni-5000-1'] }
  assert.deepEqual(kindsWith({ ...policy, isClosed: false }), [...kindsWith(), 'identity'])
  assert.deepEqual(kindsWith({ ...policy, isClosed: true }), ['guarded', 'source', 'source', 'neighbour', 'identity'])
})
