import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lookAround } from '../../core/admit/own.ts'
import type { World } from '../../core/admit/world.ts'

const world = {} as World
const spec = { switches: [{ name: 'tor1', driver: 'ovsdb' as const, address: 'tcp:192.0.2.1:6640' }] }
const link = { node: 'n1', interface: 'ens26', switch: 'tor1', switchPort: 'eth1' }
const gateway = { physicalNetwork: 'physnet', switch: 'tor1', switchPort: 'eth48' }
const at = (more: object): string | undefined => lookAround({ kind: 'Fabric', metadata: { name: 'f' }, spec: { ...spec, ...more } }, world)?.at

test('each link and each gateway of a Fabric names one of its switches', () => {
  assert.equal(at({ links: [link], gateways: [gateway] }), undefined)
  assert.equal(at({ links: [link, { ...link, switch: 'tor2' }] }), '/spec/links/1/switch')
  assert.equal(at({ gateways: [{ ...gateway, switch: 'tor2' }] }), '/spec/gateways/0/switch')
})
