// What is called how around an inspector, on every node alike.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gatewayMac } from '../../core/net/gateway-mac.ts'
import { markedMac } from '../../core/pipeline/chains/stage.ts'
import { macValue } from '../../core/pipeline/openflow/values.ts'
import {
  inspectorMac,
  inspectorName,
  inspectorNamespace,
  inspectorPorts,
  type InspectedDirection,
} from '../../core/node/inspectors/names.ts'

const directions: readonly InspectedDirection[] = ['egress', 'ingress']

test('every VNI and direction has an interface and a namespace of its own, in names that Linux takes', () => {
  const all = [0, 2_590, 2 ** 24 - 1].flatMap((vni) => directions.map((direction) => inspectorName(vni, direction)))
  assert.equal(inspectorName(0xa1e, 'egress'), 'ml000a1ee')
  assert.equal(inspectorNamespace(0xa1e, 'ingress'), 'megrez-l7-000a1ei')
  assert.equal(new Set(all).size, 6)
  assert.ok(all.every((name) => name.length <= 15))
})

test('no two inspectors of a connection send from one port, nor from one that Linux gives to clients', () => {
  const { egress, ingress } = inspectorPorts
  assert.ok(60_999 < egress.first && egress.last < ingress.first && ingress.last === 65_535)
})

test('the MAC of an inspector is neither the gateway’s nor a mark of a chain', () => {
  assert.ok(![gatewayMac].includes(inspectorMac) && !Object.values(markedMac).includes(macValue(inspectorMac)))
})
