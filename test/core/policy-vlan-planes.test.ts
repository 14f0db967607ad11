// A port in a VLAN that policies judge, as each data plane carries it: where it cannot be judged it has no way, or all of it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { graphRenderer } from '../../core/graph/renderer.ts'
import { linuxRenderer } from '../../core/linux/render.ts'
import { vlanSegment } from '../../core/net/segment.ts'
import type { LocalPort } from '../../core/node/wanted.ts'
import { ruleSetPiece } from '../../core/pieces/policy/rule-set.ts'
import { portPiece } from '../../core/pieces/port.ts'
import { switchRenderer } from '../../core/pipeline/compile.ts'
import { unifiedSet } from '../laws/unified-set.ts'

const uplinks = { physnet1: 'eth1' }
const renderers = {
  ovs: switchRenderer(() => ({
    node: 'n',
    bridge: 'mgz-int',
    datapath: 'netdev',
    tunnelAddress: '192.0.2.1',
    tunnelL4Port: 4789,
    uplinks,
  })),
  bess: graphRenderer({ uplinks, dpdkBy: 'vhost-user', socketFolder: '/run/dpdk' }),
  linux: linuxRenderer({ tunnelAddress: '192.0.2.1', l4Port: 4789, uplinks }),
} as const

const access: LocalPort = {
  uid: 'external/c/net1',
  of: { kind: 'L2ServiceAttachment', namespace: 'a', name: 'blue' },
  number: 7,
  ifcName: 'mgz1',
  attachment: { kind: 'vlan', physicalNetwork: 'physnet1', mode: 'access', vlans: [100] },
  mac: '02:00:00:00:00:01',
  addresses: [],
  allowedAddressPairs: [],
  portSecurity: false,
  type: 'kernel',
  mtu: 1_500,
}
const trunk: LocalPort = { ...access, attachment: { kind: 'vlan', physicalNetwork: 'physnet1', mode: 'trunk', vlans: [100, 200] } }
const judged = (port: LocalPort, isClosed: boolean): LocalPort => ({
  ...port,
  policy: { identity: 5, ruleSets: ['vni-1-1'], isClosed },
  wayNumber: 8,
  zones: [
    { vlan: 100, number: 9 },
    { vlan: 200, number: 10 },
  ],
})
type Plane = keyof typeof renderers
const textsOf = (plane: Plane, port: LocalPort): string[] =>
  renderers[plane].render(portPiece, port).map(({ key, text }) => `${key} ${text}`)

test('where nothing in a VLAN is judged, one that is closed has no way into it, and one that is open has it as ever', () => {
  for (const [plane, port] of [
    ['bess', access],
    ['linux', access],
    ['bess', trunk],
    ['linux', trunk],
  ] as const) {
    assert.notDeepEqual(textsOf(plane, port), [], plane)
    assert.deepEqual(textsOf(plane, judged(port, true)), [], plane)
    assert.deepEqual(textsOf(plane, judged(port, false)), textsOf(plane, port), plane)
  }
})

test('BESS and Linux do nothing of a rule set of a VLAN, and say so; Open vSwitch does it', () => {
  const set = unifiedSet({ vni: vlanSegment('physnet1', 100), rules: [] })
  const said = (plane: Plane): number => renderers[plane].unsupported(ruleSetPiece, set).length
  assert.deepEqual([said('ovs'), said('bess'), said('linux')], [0, 1, 1])
  assert.equal(renderers.linux.unsupported(ruleSetPiece, { ...set, vni: 5 }).length, 0)
})

test('on Open vSwitch a judged one is in no bridge but that of the overlay, and without a number for its way in none', () => {
  const bridgesOf = (port: LocalPort): string[] =>
    textsOf('ovs', port)
      .filter((text) => text.startsWith(`port/${port.ifcName} `))
      .map((text) => /bridge=([^,]+)/.exec(text)![1]!)
  for (const port of [access, trunk]) {
    assert.deepEqual(bridgesOf(judged(port, false)), ['mgz-int'])
    assert.notDeepEqual(bridgesOf(port), ['mgz-int'])
    const { wayNumber: _, ...without } = judged(port, false)
    assert.deepEqual(textsOf('ovs', without), [])
  }
})

test('a VLAN of several without a zone of its own is closed, and the others are not', () => {
  const classifies = (zones: LocalPort['zones']): string[] =>
    textsOf('ovs', { ...judged(trunk, false), ...(zones && { zones }) }).flatMap((text) => /vlan_vid=(0x\w+)/.exec(text)?.[1] ?? [])
  assert.deepEqual(new Set(classifies(judged(trunk, false).zones)), new Set(['0x1064', '0x10c8']))
  assert.deepEqual(new Set(classifies([{ vlan: 200, number: 10 }])), new Set(['0x10c8']))
  assert.deepEqual(new Set(classifies([{ vlan: 300, number: 10 }])), new Set())
})
