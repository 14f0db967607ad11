import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { baseItems } from '../../core/graph/base.ts'
import { guardMasksMax, guardRules, masksOf } from '../../core/graph/guards/guard.ts'
import type { ModuleElement, Element } from '../../core/graph/elements.ts'
import { ruleKey, ruleOfKey } from '../../core/graph/elements.ts'
import { netOf } from '../../core/graph/networks.ts'
import { graphRenderer } from '../../core/graph/renderer.ts'
import { copies, segmentElements } from '../../core/graph/segments.ts'
import { farUnsupported, refusalOf, unsupportedOf } from '../../core/graph/unsupported.ts'
import type { LocalPort } from '../../core/node/wanted.ts'
import { portPiece } from '../../core/pieces/port.ts'
import { endpointPiece } from '../../core/pieces/endpoint.ts'

const port: LocalPort = {
  uid: 'u',
  of: { kind: 'Port', namespace: 'a', name: 'p' },
  number: 7,
  ifcName: 'mgz7',
  attachment: { kind: 'vni', vni: 5001 },
  mac: '02:00:00:00:00:07',
  addresses: ['10.0.0.7'],
  allowedAddressPairs: [],
  portSecurity: true,
  type: 'kernel',
  mtu: 1450,
}
const uplink = { ifcName: 'eth0', mac: '02:00:00:00:0f:01', address: '192.0.2.1', l4Port: 4789 }
const renderer = graphRenderer({ uplink, dpdkBy: 'vhost-user', socketFolder: '/run/dpdk' })
const modulesOf = (elements: readonly Element[]): readonly ModuleElement[] => elements.filter((element) => element.kind === 'module')

/** What a frame of these bytes is told by a guard's rules: the highest that matches. */
function verdict(rules: ReturnType<typeof guardRules>, frame: string): string {
  const at = [6, 12, 22, 28, 38, 26, 22, 30]
  const matching = rules.filter(({ values, masks }) =>
    values.every((value, i) => {
      const there = BigInt(`0x${frame.slice(at[i]! * 2, at[i]! * 2 + value.length)}`)
      return (there & BigInt(`0x${masks![i]!}`)) === BigInt(`0x${value}`)
    }),
  )
  return matching.toSorted((a, b) => b.priority! - a.priority!)[0]?.to ?? 'drop'
}
const pad = (hex: string): string => hex.padEnd(140, '0')
const ether = (mac: string, type: string): string => `ffffffffffff${mac}${type}`
const ipv4 = (mac: string, from: string): string => pad(`${ether(mac, '0800')}4500002800000000400100${'00'}${from}0a000001`)
const arp = ({ mac = '020000000007', sha = '', spa = '0a000007', tpa = '0a000001' } = {}): string =>
  pad(`${ether(mac, '0806')}0001080006040001${sha || mac}${spa}000000000000${tpa}`)
const ipv6 = (mac: string, from: string): string => pad(`${ether(mac, '86dd')}6000000000203aff${from}`)

describe('the guard of a port', () => {
  const rules = guardRules({ ...port, addresses: ['10.0.0.7', '2001:db8::7'] }, 'guard.7')

  test('passes its own addresses and nothing else', () => {
    const own = '020000000007'
    assert.equal(verdict(rules, ipv4(own, '0a000007')), 'bum')
    assert.equal(verdict(rules, ipv4(own, '0a000008')), 'drop')
    assert.equal(verdict(rules, ipv4('020000000008', '0a000007')), 'drop')
    assert.equal(verdict(rules, ipv6(own, '20010db8000000000000000000000007')), 'bum')
    assert.equal(verdict(rules, ipv6(own, 'fe80000000000000000000fffe000007')), 'bum', 'its link-local address')
    assert.equal(verdict(rules, ipv6(own, '20010db8000000000000000000000008')), 'drop')
    assert.equal(verdict(rules, pad(ether(own, '88cc'))), 'drop', 'LLDP')
    assert.equal(verdict(rules, pad(ether(own, '8100'))), 'drop', 'a VLAN of its own making')
  })

  test('answers its ARP, floods what it says about itself, and drops what it says about others', () => {
    assert.equal(verdict(rules, arp()), 'arp')
    assert.equal(verdict(rules, arp({ spa: '00000000' })), 'arp', 'a probe of an address')
    assert.equal(verdict(rules, arp({ tpa: '0a000007' })), 'bum', 'an announcement')
    assert.equal(verdict(rules, arp({ spa: '00000000', tpa: '0a000007' })), 'bum', 'a probe of its own')
    assert.equal(verdict(rules, arp({ spa: '0a000001' })), 'drop', "another's address")
    assert.equal(verdict(rules, arp({ spa: '0a000001', tpa: '0a000007' })), 'drop', "another's address, towards itself")
    assert.equal(verdict(rules, arp({ sha: '020000000099' })), 'drop', "another's MAC inside")
  })

  test('passes pairs: blocks, and other MACs', () => {
    const more = guardRules(
      { ...port, allowedAddressPairs: [{ ip: '10.9.0.0/16' }, { ip: '10.0.0.100', mac: '00:00:5e:00:01:0a' }] },
      'guard.7',
    )
    assert.equal(verdict(more, ipv4('020000000007', '0a09ff01')), 'bum')
    assert.equal(verdict(more, ipv4('00005e00010a', '0a000064')), 'bum')
    assert.equal(verdict(more, ipv4('020000000007', '0a000064')), 'drop')
    assert.equal(verdict(more, arp({ mac: '00005e00010a', spa: '0a000064' })), 'arp')
  })

  test('lets everything pass without port security, ARP to who answers it', () => {
    const free = guardRules({ ...port, portSecurity: false }, 'guard.7')
    assert.equal(verdict(free, arp({ spa: '0a0000ff', mac: '020000000099' })), 'arp')
    assert.equal(
      modulesOf(renderer.render(portPiece, { ...port, portSecurity: false }).map(({ value }) => value))
        .find(({ role }) => role === 'guard.7')
        ?.next.join(),
      'bum',
    )
  })
})

describe('what BESS cannot do', () => {
  test('is told by name', () => {
    assert.deepEqual(
      unsupportedOf({ ...port, attachment: { kind: 'vlan', physicalNetwork: 'p', mode: 'access', vlans: [10] } }, undefined, {
        q: 'eth1',
      }).map(({ name }) => name),
      ['vlan'],
    )
    assert.equal(refusalOf({ ...port, mtu: 9000 })?.name, 'mtu')
    assert.deepEqual(
      unsupportedOf({ ...port, addresses: ['2001:db8::7'] }, undefined).map(({ name }) => name),
      ['neighbour-discovery'],
    )
    const flooding = { subnets: [], flood: true }
    assert.deepEqual(
      unsupportedOf({ ...port, addresses: ['2001:db8::7'] }, flooding).map(({ name }) => name),
      ['broadcast-limit'],
    )
    assert.deepEqual(
      unsupportedOf({ ...port, portSecurity: false }, flooding).map(({ name }) => name),
      ['broadcast-limit', 'learning'],
    )
    assert.equal(farUnsupported({ vni: 1, address: '10.0.0.1', mac: port.mac, hostIP: '2001:db8::1' })?.name, 'tunnel-over-ipv6')
    assert.equal(refusalOf(port), undefined)
  })

  test('a port whose pairs are too many kinds may send nothing, and the others still reach it', () => {
    const many = { ...port, allowedAddressPairs: [8, 12, 16, 20, 24].map((prefix) => ({ ip: `10.0.0.0/${prefix}` })) }
    assert.ok(masksOf(guardRules(many, 'guard.7')) > guardMasksMax)
    assert.equal(refusalOf(many)?.name, 'guard-masks')
    const items = renderer.render(portPiece, many)
    assert.equal(
      items.some(({ key }) => key.startsWith('rule/guard.7/')),
      false,
    )
    assert.ok(items.some(({ key }) => key === 'module/out.7'))
  })

  test('a port on a VLAN of a network that this node has no way to is left out', () =>
    assert.deepEqual(
      renderer.render(portPiece, { ...port, attachment: { kind: 'vlan', physicalNetwork: 'p', mode: 'access', vlans: [10] } }),
      [],
    ))
})

describe('a port in VLANs', () => {
  const uplinks = { physnet1: 'eth1' }
  const onVlans = graphRenderer({ uplinks, dpdkBy: 'vhost-user', socketFolder: '/run/dpdk' })
  const trunk: LocalPort = {
    ...port,
    attachment: { kind: 'vlan', physicalNetwork: 'physnet1', mode: 'selectivetrunk', vlans: [100, 200] },
    allowedAddressPairs: [{ ip: '10.0.0.9', mac: '02:00:00:00:00:09' }],
  }
  const access: LocalPort = { ...port, attachment: { kind: 'vlan', physicalNetwork: 'physnet1', mode: 'access', vlans: [100] } }
  const keys = (of: LocalPort): readonly string[] => onVlans.render(portPiece, of).map(({ key }) => key)
  const copies = (of: LocalPort): readonly string[] => keys(of).filter((key) => key.startsWith('copy/'))

  test('is known by its own MAC in its VLANs, takes those tags alone, and gets copies of broadcasts', () => {
    assert.deepEqual(
      keys(trunk).filter((key) => key.startsWith('rule/vfwd') || key.startsWith('rule/tag')),
      [
        'rule/tag.7/81000064',
        'rule/tag.7/810000c8',
        'rule/vfwd.physnet1/81000064.020000000007',
        'rule/vfwd.physnet1/810000c8.020000000007',
      ],
    )
    assert.deepEqual(copies({ ...trunk, allowedAddressPairs: [] }), ['copy/vflood.physnet1/vto.7'])
  })

  test('gets what goes to nobody known here where it may have other MACs than its own, which other ports may have too', () => {
    const both = ['copy/vflood.physnet1/vto.7', 'copy/vloose.physnet1/vto.7']
    assert.deepEqual(copies(trunk), both)
    assert.deepEqual(copies({ ...trunk, allowedAddressPairs: [], portSecurity: false }), both)
    assert.deepEqual(copies({ ...trunk, allowedAddressPairs: [{ ip: '10.0.0.9/32' }] }), ['copy/vflood.physnet1/vto.7'])
  })

  test('has its tag pushed and popped where it is in one VLAN alone', () => {
    const own = (of: LocalPort): readonly string[] => keys(of).filter((key) => /^module\/(push|pop)\./.test(key))
    assert.deepEqual([own(access), own(trunk)], [['module/push.7', 'module/pop.7'], []])
  })

  test('is guarded behind its tag as elsewhere behind the MACs', () => {
    const guarded = (of: LocalPort): readonly string[] =>
      modulesOf(onVlans.render(portPiece, of).map(({ value }) => value))
        .filter(({ role }) => role === 'guard.7')
        .flatMap(({ args }) => (args.mclass === 'WildcardMatch' ? args.fields.map(({ at }) => String(at)) : []))
    assert.deepEqual(guarded(trunk), ['6', '16', '26', '32', '42', '30', '26', '34'])
    assert.deepEqual(guarded(port), ['6', '12', '22', '28', '38', '26', '22', '30'])
  })

  test('reads no metadata, which copies do not have', () => {
    const base = graphRenderer({ dpdkBy: 'vhost-user', socketFolder: '/run/dpdk' })
      .base()
      .map(({ key }) => key)
    const own = [
      ...onVlans.base().filter(({ key }) => !base.includes(key)),
      ...onVlans.render(portPiece, trunk),
      ...onVlans.render(portPiece, access),
    ].map(({ value }) => value)
    assert.ok(modulesOf(own).length > 20)
    assert.deepEqual(
      modulesOf(own).filter(({ args }) => 'fields' in args && args.fields.some((field) => 'at' in field && typeof field.at === 'string')),
      [],
    )
  })

  test('asks for nothing of a physical network that this node has no way to, and says so', () => {
    const elsewhere: LocalPort = { ...trunk, attachment: { ...trunk.attachment, physicalNetwork: 'other' } as LocalPort['attachment'] }
    assert.deepEqual(keys(elsewhere), [])
    assert.deepEqual(
      onVlans.unsupported(portPiece, elsewhere).map(({ why }) => why),
      ['no interface of this node leads to other'],
    )
    assert.deepEqual(onVlans.unsupported(portPiece, trunk), [])
  })

  test('stands in roles by a name without dots, whatever the physical network is called', () => {
    for (const name of ['physnet1', 'a.b/c d', 'x'.repeat(200)]) assert.match(netOf(name), /^[\w-]{1,32}$/)
  })
})

describe('copies', () => {
  const targets = (n: number): string[] => Array.from({ length: n }, (_, i) => `out.${i}`)

  test('go to all, by a tree where one Replicate has too few gates', () => {
    for (const n of [0, 1, 32, 33, 100, 1025, 3000]) {
      const elements = new Map(modulesOf(copies('flood', targets(n))).map((element) => [element.role, element]))
      const leaves = (role: string): readonly string[] => elements.get(role)?.next.flatMap(leaves) ?? [role]
      assert.deepEqual(leaves('flood'), targets(n), `${n}`)
      for (const { next, args } of elements.values())
        assert.ok(next.length <= 32 && args.mclass === 'Replicate' && args.gates === next.length)
    }
  })

  test('of a port never lead back to it, and those out of the tunnel never back in', () => {
    const elements = modulesOf(
      segmentElements({ vni: 5001, subnets: [], flood: true, hosts: ['192.0.2.2'], numbers: [1, 2, 3] }, '192.0.2.1'),
    )
    const next = (role: string): readonly string[] | undefined => elements.find((element) => element.role === role)?.next
    assert.deepEqual(next('flood.5001.from.2'), ['out.1', 'out.3', 'flood.5001.to.192.0.2.2'])
    assert.deepEqual(next('flood.5001.in'), ['out.1', 'out.2', 'out.3'])
  })
})

test('an explanation goes the way of a packet, with fields by name, and says why', () => {
  const lines = renderer.explain([...renderer.render(portPiece, port), ...renderer.base()])
  const at = (where: string, match: RegExp): number => lines.findIndex((line) => line.where === where && match.test(line.match))
  const way = [
    at('port', /^p\.7$/),
    at('module', /^in\.7$/),
    at('module', /^guard\.7$/),
    at('table guard.7', /ipv4_src=10\.0\.0\.7/),
    at('table arp', /arp_tpa=10\.0\.0\.7/),
    at('table fwd', /eth_dst=02:00:00:00:00:07/),
    at('module', /^out\.7$/),
  ]
  assert.ok(
    way.every((place, i) => place > (way[i - 1] ?? -1)),
    way.join(' '),
  )
  assert.deepEqual(lines[at('table fwd', /eth_dst/)], {
    key: 'rule/fwd/00001389.020000000007',
    where: 'table fwd',
    match: 'vni=5001, eth_dst=02:00:00:00:00:07',
    does: 'go to out.7',
    because: 'a Port on this node: Port a/p',
  })
  assert.equal(lines[at('table guard.7', /ipv4_src/)]?.match, 'eth_src=02:00:00:00:00:07, eth_type=0x0800, ipv4_src=10.0.0.7')
  assert.equal(new Set(lines.map(({ key }) => key)).size, lines.length)
})

describe('the graph', () => {
  test('leaves no module without a way in, save those that packets come from and the anchor', () => {
    const items = [
      ...baseItems(uplink),
      ...renderer.render(portPiece, port),
      ...renderer.render(endpointPiece, { vni: 5001, address: '10.0.0.9', mac: '02:00:00:00:00:09', hostIP: '192.0.2.2' }),
    ].map(({ value }) => value)
    const led = new Set(
      items.flatMap((element) => (element.kind === 'module' ? element.next : element.kind === 'rule' ? [element.to] : [])),
    )
    // The data plane leads to etherencap by ways to hosts.
    assert.deepEqual(
      modulesOf(items)
        .map(({ role }) => role)
        .filter((role) => !led.has(role))
        .sort(),
      ['anchor', 'etherencap', 'in.7', 'up.in'],
    )
  })

  test('names dpdk ports by their socket, of either kind', () => {
    const vdev = (dpdkBy: 'vhost-user' | 'memif'): string =>
      graphRenderer({ dpdkBy, socketFolder: '/run/dpdk' })
        .render(portPiece, { ...port, type: 'dpdk' })
        .find(({ key }) => key === 'port/p.7')!.text
    assert.equal(vdev('vhost-user'), 'net_vhost7,iface=/run/dpdk/mgz7.sock,queues=1')
    assert.match(
      JSON.stringify(
        graphRenderer({ dpdkBy: 'vhost-user', socketFolder: '/run/dpdk' }).render(portPiece, {
          ...port,
          type: 'dpdk',
          socket: '/run/u1/net1.sock',
        }),
      ),
      /net_vhost7,iface=\/run\/u1\/net1\.sock,queues=1/,
    )
    assert.equal(vdev('memif'), 'net_memif7,role=server,id=0,socket=/run/dpdk/mgz7.sock,socket-abstract=no')
  })

  test('a rule can be had back from its key', () => {
    for (const rule of [
      { table: 'fwd', values: ['00001389', '020000000007'] },
      { table: 'guard.7', values: ['00', '01'], masks: ['ff', 'ff'] },
    ])
      assert.deepEqual(ruleOfKey(ruleKey(rule)), rule)
    assert.equal(ruleOfKey('module/fwd'), undefined)
  })
})
