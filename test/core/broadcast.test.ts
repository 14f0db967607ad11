// What a VNI carries to all, as pieces and on each data plane: the difference that one word makes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Renderer } from '../../core/contracts/dataplane.ts'
import { graphRenderer } from '../../core/graph/renderer.ts'
import { linuxRenderer } from '../../core/linux/render.ts'
import { kosMac, kosMacsOf } from '../../core/net/mac.ts'
import type { LocalPort, Segment } from '../../core/node/wanted.ts'
import { portPiece } from '../../core/pieces/port.ts'
import { segmentPiece } from '../../core/pieces/segment.ts'
import { switchRenderer } from '../../core/pipeline/compile.ts'
import type { PipelineSettings } from '../../core/pipeline/settings.ts'
import { segmentFrom } from '../../core/plan/node/pieces.ts'

const portOf = (number: number, more: Partial<LocalPort> = {}): LocalPort => ({
  uid: `u${number}`,
  of: { kind: 'Port', namespace: 'a', name: `p${number}` },
  number,
  ifcName: `mgz${number}`,
  attachment: { kind: 'vni', vni: 5001 },
  mac: `02:00:00:00:00:0${number}`,
  addresses: [`10.0.0.${number}`],
  allowedAddressPairs: [],
  portSecurity: true,
  type: 'kernel',
  mtu: 1450,
  ...more,
})
const ports = [
  portOf(3, { portSecurity: false }),
  portOf(1),
  portOf(2, { allowedAddressPairs: [{ ip: '10.0.0.9', mac: '00:00:5e:00:01:07' }] }),
  portOf(4, { policy: { identity: 1, ruleSets: [], isClosed: true } }),
  portOf(5, { attachment: { kind: 'vni', vni: 5002 } }),
  portOf(6, { allowedAddressPairs: [{ ip: '10.0.0.9' }] }),
]
const parts = { vni: 5001, subnets: [], hosts: ['192.0.2.2'], ports }
const [quiet, loud] = [false, true].map((flood) => segmentFrom({ ...parts, flood })) as [Segment, Segment]
const settings: PipelineSettings = {
  node: 'n',
  bridge: 'mgz-int',
  datapath: 'netdev',
  tunnelAddress: '192.0.2.1',
  tunnelL4Port: 4789,
  uplinks: {},
}
const uplink = { ifcName: 'eth0', mac: '02:00:00:00:0f:01', address: '192.0.2.1', l4Port: 4789 }
const renderers = {
  ovs: switchRenderer(() => settings),
  bess: graphRenderer({ uplink, dpdkBy: 'vhost-user', socketFolder: '/run' }),
  linux: linuxRenderer({ tunnelAddress: '192.0.2.1', l4Port: 4789 }),
} as const
type Name = keyof typeof renderers

/** Keys and texts of the Segment and its Ports that are there with it, and not without. */
function added(name: Name, with_ = loud, without = quiet): string[] {
  const renderer: Pick<Renderer<unknown>, 'render'> = renderers[name]
  const lines = (segment: Segment): string[] =>
    [...renderer.render(segmentPiece, segment), ...ports.slice(0, 3).flatMap((port) => renderer.render(portPiece, port, { segment }))].map(
      ({ key, text }) => `${key} ${text}`,
    )
  const before = new Set(lines(without))
  return lines(with_)
    .filter((line) => !before.has(line))
    .sort()
}

test('to all are open Ports of the VNI, and to those that may have more MACs than their own what is for MACs that nobody has', () => {
  assert.deepEqual(
    [loud.numbers, loud.loose],
    [
      [1, 2, 3, 6],
      [2, 3],
    ],
  )
  assert.deepEqual([quiet.numbers, quiet.loose, quiet.flood], [[], undefined, false])
})

test('Open vSwitch limits what Ports of the VNI send to all, by one meter, and nothing that came by a tunnel', () => {
  const flood = added('ovs').filter((line) => /^flow\/mgz-int\/60\/|^meter/.test(line))
  const meter = 'meter:125139'
  assert.deepEqual(
    flood.map((line) => line.replace(/cookie=\w+ /, '').replaceAll(/set_field:(0x\w+)->reg2,resubmit\(,70\)/g, 'to $1')),
    [
      `flow/mgz-int/60/100/reg0=0x1389,reg1=0x10000/0x30000 ${meter},to 0x2,to 0x3,move:reg0[0..23]->tun_id[0..23],set_field:192.0.2.2->tun_dst,output:65000`,
      'flow/mgz-int/60/100/reg0=0x1389,reg1=0x20000/0x30000 to 0x2,to 0x3',
      `flow/mgz-int/60/110/reg0=0x1389,reg1=0x10000/0x30000,eth_dst=01:00:00:00:00:00/01:00:00:00:00:00 ${meter},to 0x1,to 0x2,to 0x3,to 0x6,move:reg0[0..23]->tun_id[0..23],set_field:192.0.2.2->tun_dst,output:65000`,
      'flow/mgz-int/60/110/reg0=0x1389,reg1=0x20000/0x30000,eth_dst=01:00:00:00:00:00/01:00:00:00:00:00 to 0x1,to 0x2,to 0x3,to 0x6',
      'meter/mgz-int/125139 pktps burst stats bands=type=drop rate=1000 burst_size=1000',
    ],
  )
  const without = switchRenderer(() => ({ ...settings, meters: false }))
  const items = without.render(segmentPiece, loud)
  assert.equal(items.filter(({ key, text }) => key.startsWith('meter') || text.includes('meter')).length, 0)
  assert.deepEqual(
    without.unsupported(portPiece, ports[1]!, { segment: loud }).map(({ name }) => name),
    ['broadcast-limit'],
  )
  assert.deepEqual(without.unsupported(portPiece, ports[1]!, { segment: quiet }), [])
})

test('Open vSwitch learns behind Ports that may have more MACs than their own, each its share, and behind tunnels what is no MAC of a Port', () => {
  const learning = (segment: Segment): string[] =>
    added('ovs', segment)
      .filter((line) => line.startsWith('flow/mgz-int/27/'))
      .map((line) => line.replace('flow/mgz-int/27/', '').replace(/cookie=\w+ /, ''))
  const way = (cookie: string, most: number, ...loads: readonly string[]): string =>
    `learn(table=55, hard_timeout=300, priority=100, delete_learned, cookie=${cookie}, limit=${most}, reg0[0..31]=reg0[0..31], eth_dst[0..47]=eth_src[0..47], ${['load:0x1->reg1[19..19]', ...loads].join(', ')})`
  const behindPort = (number: number, most: number): string =>
    `100/reg0=0x1389,reg1=0x1000${number},eth_src=00:00:00:00:00:00/01:00:00:00:00:00 ${way(`0x4dc200000${number}001389`, most, 'load:reg1[0..15]->reg2[0..15]')},goto_table:30`
  const behindTunnels = [
    `100/reg0=0x1389,reg1=0x20000/0x30000,eth_src=00:00:00:00:00:00/01:00:00:00:00:00 ${way('0x4dc2000000001389', 256, 'load:0xfde8->reg2[0..15]', 'load:tun_src[0..31]->tun_dst[0..31]')},goto_table:50`,
    '110/reg0=0x1389,reg1=0x20000/0x30000,eth_src=02:00:00:00:13:89/fb:00:00:00:ff:ff goto_table:50',
  ]
  assert.deepEqual(learning(loud), [behindPort(2, 128), behindPort(3, 128), ...behindTunnels])
  assert.deepEqual(learning({ ...loud, loose: [3], hosts: [] }), [behindPort(3, 256)])
  const six = learning({ ...loud, hosts: ['2001:db8::2'] })
  assert.ok(six.some((line) => line.includes('load:tun_ipv6_src[0..127]->tun_ipv6_dst[0..127]')))
})

test('MACs of KOS in a VNI are those that its function gives there', () => {
  for (const vni of [1, 5001, 0x1fffff]) {
    const all = kosMacsOf(vni)!
    const isOne = (mac: string): boolean => (BigInt(`0x${mac.replaceAll(':', '')}`) & BigInt(all.mask)) === BigInt(all.value)
    for (const address of ['10.0.0.1', '10.255.3.4', '172.16.0.9', '172.31.255.1', '192.168.7.7'])
      assert.ok(isOne(kosMac(vni, address)!), `${vni} ${address}`)
    assert.ok(!isOne(kosMac(vni - 1 || 2, '10.0.0.1')!))
  }
  assert.equal(kosMacsOf(0x200000), undefined)
})

test("the kernel's plane copies to nodes, limits each Port by its VNI, and learns, so much, behind tunnels and those alone that may have more MACs", () => {
  assert.deepEqual(added('linux'), [
    'broadcast/mgz1 1000 frames a second of 5001',
    'broadcast/mgz2 1000 frames a second of 5001',
    'broadcast/mgz3 1000 frames a second of 5001',
    'flood/5001/192.0.2.2 copied',
    'learnt/5001 256 at most',
    'member/mgvx001389 of 5001 flood all learning',
    'member/mgz2 of 5001 flood all learning',
    'member/mgz3 of 5001 flood all learning',
  ])
  const unbound = linuxRenderer({ tunnelAddress: '192.0.2.1', l4Port: 4789, noLearning: 'no bounds', noTraffic: 'no limits' })
  const items = [...unbound.render(segmentPiece, loud), ...unbound.render(portPiece, ports[0]!, { segment: loud })]
  assert.deepEqual(
    items.filter(({ key, text }) => /^(learnt|broadcast)/.test(key) || text.includes('learning')),
    [],
  )
})

test('BESS has copies of what is for all, and others of what is for MACs that nobody has', () => {
  const wiring = added('bess').filter((line) => /^rule\/(bum|unknown)/.test(line))
  assert.equal(wiring.filter((line) => line.includes('flood.5001.')).length, 5)
  assert.equal(wiring.filter((line) => line.includes('loose.5001.')).length, 5)
  const nextOf = (role: string): string =>
    renderers.bess
      .render(segmentPiece, loud)
      .flatMap(({ value }) => (value.kind === 'module' && value.role === role ? value.next : []))
      .join(' ')
  assert.equal(nextOf('flood.5001.from.1'), 'out.2 out.3 out.6 flood.5001.to.192.0.2.2')
  assert.equal(nextOf('loose.5001.from.1'), 'out.2 out.3 flood.5001.to.192.0.2.2')
  assert.equal(nextOf('loose.5001.in'), 'out.2 out.3')
})
