// Flows as values, as text and as bytes. That a real switch reads back what was sent is test/node's.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { switchRenderer } from '../../core/pipeline/compile.ts'
import { cookieOf, features, ours, printCookie, readCookie } from '../../core/pipeline/cookie.ts'
import { explain } from '../../core/pipeline/explain.ts'
import { fields } from '../../core/pipeline/openflow/fields.ts'
import { printActions, type Action } from '../../core/pipeline/openflow/actions.ts'
import { flowKey, flowText, is, isMasked, parseFlowKey, type Flow } from '../../core/pipeline/openflow/flow.ts'
import { portItem, type SwitchItem } from '../../core/pipeline/items.ts'
import { gatewayMac } from '../../core/net/gateway-mac.ts'
import { sortedChange, withoutUncorrected } from '../../core/pipeline/sorted-change.ts'
import { linkLocalOf } from '../../core/pipeline/sources.ts'
import { tables } from '../../core/pipeline/tables.ts'
import { ipv4Value, ipv6Value, macValue, prefixMask, printValue } from '../../core/pipeline/openflow/values.ts'
import { kosMac } from '../../core/net/mac.ts'
import { Bytes } from '../../core/wire/bytes.ts'
import { readInstructions, writeInstructions } from '../../core/wire/openflow/actions.ts'
import { describeRefusal } from '../../core/wire/openflow/errors.ts'
import { readMatch, writeMatch } from '../../core/wire/openflow/match.ts'
import { readFlowStats, readHeader, viewOf, writeBundledFlow, writeFlowMod, writeHello } from '../../core/wire/openflow/openflow.ts'
import { itemsOf } from '../../core/plan/node/items.ts'
import { portPiece } from '../../core/pieces/port.ts'
import { endpointPiece } from '../../core/pieces/endpoint.ts'
import { drawNode, usualDrawing, piecesOf } from '../laws/node-wanted.ts'
import { trials } from '../setup/trials.ts'
import { seeded } from '../workers/test-cluster.ts'

const renderer = switchRenderer(() => ({
  node: 'n',
  bridge: 'mgz',
  datapath: 'netdev',
  tunnelAddress: '192.0.2.1',
  tunnelL4Port: 4789,
  uplinks: { physnet1: 'up0' },
}))
const drawn = (seed: number): SwitchItem[] => [...itemsOf(renderer, piecesOf(drawNode(seeded(seed), usualDrawing)))]
const flowsOf = (items: readonly SwitchItem[]): Flow[] => items.flatMap(({ value }) => (value.kind === 'flow' ? [value.flow] : []))
const hex = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')

/** Matches and instructions through bytes and back. */
function throughBytes({ match, actions, ...rest }: Flow): Flow {
  const out = new Bytes(16)
  writeMatch(out, match)
  const middle = out.at
  writeInstructions(out, actions)
  const view = viewOf(out.written())
  const read = readMatch(view, 0)
  assert.equal(read.end, middle)
  return { ...rest, match: read.match, actions: readInstructions(view, middle, out.at) }
}

test('every flow that can be rendered comes back from its bytes, its key and its text as it was', () => {
  for (let seed = 1; seed <= trials(200); seed++) {
    for (const flow of flowsOf(drawn(seed))) {
      const back = throughBytes(flow)
      assert.deepEqual([flowKey(back), flowText(back)], [flowKey(flow), flowText(flow)])
      assert.deepEqual(parseFlowKey(flowKey(flow)), { table: flow.table, priority: flow.priority, match: flow.match })
    }
  }
})

test('terms stand in the order of the fields, and what a field presupposes stands before it', () => {
  for (const { match } of flowsOf(drawn(4)))
    assert.deepEqual(
      match.map(({ field }) => field.order),
      match.map(({ field }) => field.order).sort((a, b) => a - b),
    )
})

test('packets only go forward through the tables', () => {
  const known = Object.values(tables).map(({ number }): number => number)
  assert.deepEqual(
    known,
    [...known].sort((a, b) => a - b),
  )
  for (const { table, actions } of flowsOf(drawn(5)))
    for (const action of actions)
      if (action.do === 'goto') assert.ok(action.table > table && known.includes(action.table), `${table} → ${action.table}`)
})

test('a remote address is two flows, a local port of one IPv4 address is seven and its switch port', () => {
  const endpoint = renderer.render(endpointPiece, { vni: 1, address: '10.0.0.2', mac: '06:00:00:02:00:01', hostIP: '192.0.2.2' })
  assert.deepEqual(
    endpoint.map(({ key, text }) => `${key} ${text}`),
    [
      'flow/mgz/40/100/reg0=0x1,reg4=0xa000002 cookie=0x4d32060000020001 set_field:0x60000020001->xreg3,goto_table:45',
      'flow/mgz/50/100/reg0=0x1,eth_dst=06:00:00:02:00:01 cookie=0x4d42060000020001 set_field:192.0.2.2->tun_dst,set_field:0xfde8->reg2,goto_table:80',
    ],
  )
  const port = renderer.render(portPiece, {
    uid: 'u',
    of: { kind: 'Port', namespace: 'a', name: 'p' },
    number: 7,
    ifcName: 'mgz0',
    attachment: { kind: 'vni', vni: 1 },
    mac: '06:00:00:02:00:01',
    addresses: ['10.0.0.2'],
    allowedAddressPairs: [],
    portSecurity: true,
    type: 'kernel',
    mtu: 1450,
  })
  assert.deepEqual([port.length, flowsOf(port).length], [8, 7])
})

test('a port in a VLAN without VLANs, or in a network that this node has no way to, is nowhere', () => {
  const port = {
    uid: 'u',
    of: { kind: 'Port', namespace: 'a', name: 'p' },
    number: 7,
    ifcName: 'mgz0',
    mac: '02:00:00:00:00:01',
    addresses: [],
    allowedAddressPairs: [],
    portSecurity: true,
    type: 'kernel',
    mtu: 1450,
  } as const
  assert.deepEqual(
    renderer.render(portPiece, { ...port, attachment: { kind: 'vlan', physicalNetwork: 'physnet1', mode: 'trunk', vlans: [] } }),
    [],
  )
  assert.deepEqual(
    renderer.render(portPiece, { ...port, attachment: { kind: 'vlan', physicalNetwork: 'elsewhere', mode: 'access', vlans: [5] } }),
    [],
  )
})

test("KOS's cookies are the owners of ours", () => {
  const vectors: readonly [number, string, number][] = [
    [1, '10.0.0.2', 6597069897729],
    [1, '192.168.0.2', 2920577892353],
    [1, '172.16.0.2', 2267742863361],
    [74565, '10.1.2.3', 15397491516229],
    [65535, '10.0.0.2', 6597069963263],
    [65536, '172.31.4.5', 11128327700480],
    [2097151, '10.255.255.254', 280375465017343],
    [2097151, '192.168.255.254', 275603756351487],
  ]
  for (const [vni, address, cookie] of vectors) {
    const mac = kosMac(vni, address)!
    for (const flow of flowsOf([...renderer.render(endpointPiece, { vni, address, mac, hostIP: '192.0.2.2' })]))
      assert.equal(readCookie(flow.cookie)?.owner, cookie)
  }
})

test('cookies say whose flow it is; no other is read as ours', () => {
  for (const feature of features) assert.equal(readCookie(cookieOf(feature, 2 ** 48 - 1))?.feature, feature)
  assert.equal(printCookie(cookieOf('base', 0)), '0x4d02000000000000')
  assert.equal(readCookie({ high: 0, low: 5 }), undefined)
  assert.equal(printCookie(ours.mask), '0xff00000000000000')
})

test('messages are those of OpenFlow 1.4, byte by byte', () => {
  const hello = new Bytes()
  writeHello(hello, 1)
  assert.equal(hex(hello.written()), '05000010000000010001000800000020')
  const flow: Flow = {
    table: 40,
    priority: 100,
    cookie: cookieOf('base', 5),
    match: [
      is(
        fields.find(({ name }) => name === 'eth_type')!,
        0x800,
      ),
    ],
    actions: [
      { do: 'output', number: 7 },
      { do: 'goto', table: 50 },
    ],
  }
  const out = new Bytes()
  writeFlowMod(out, 9, 'add', flow)
  assert.equal(
    hex(out.written()),
    [
      '050e006000000009',
      '4d02000000000005',
      '0000000000000000',
      '2800000000000064',
      'ffffffffffffffff',
      'ffffffff00000000',
      '0001000a80000a02',
      '0800000000000000',
      '0004001800000000',
      '0000001000000007',
      '0000000000000000',
      '0001000832000000',
    ].join(''),
  )
  assert.deepEqual(readHeader(viewOf(out.written()), 0), { type: 14, length: out.at, xid: 9 })
  const bundled = new Bytes()
  writeBundledFlow(bundled, 9, 3, { command: 'add', flow })
  assert.equal(hex(bundled.written()), `0522${(out.at + 16).toString(16).padStart(4, '0')}000000090000000300000003${hex(out.written())}`)
})

test('what a switch may read back otherwise is brought to one spelling', () => {
  const out = new Bytes()
  const named = (name: string) => fields.find((each) => each.name === name)!
  writeMatch(out, [
    is(named('reg6'), 1),
    is(named('reg7'), 2),
    is(named('reg8'), 0x20010db8),
    is(named('reg9'), 0),
    is(named('reg10'), 0),
    is(named('reg11'), 1),
  ])
  assert.equal(
    flowKey({ table: 0, priority: 0, match: readMatch(viewOf(out.written()), 0).match }),
    '0/0/xreg3=0x100000002,xxreg2=2001:db8::1',
  )
})

test('replies that are none are refused, and nothing is read past their end', () => {
  for (let seed = 1; seed <= trials(2_000); seed++) {
    const random = seeded(seed)
    const bytes = Uint8Array.from({ length: 16 + Math.floor(random() * 120) }, () => Math.floor(random() * 256))
    try {
      readFlowStats(bytes)
    } catch (err) {
      assert.ok(err instanceof RangeError, String(err))
    }
  }
})

test('masks of leading ones are lengths, others are values', () => {
  const source = fields.find(({ name }) => name === 'ipv4_src')!
  const key = (mask: number): string => flowKey({ table: 1, priority: 2, match: [isMasked(source, ipv4Value('10.0.0.0'), mask)] })
  assert.deepEqual(
    [key(0xffffff00), key(0xff0000ff), key(Number(prefixMask(source, 9)))],
    ['1/2/ipv4_src=10.0.0.0/24', '1/2/ipv4_src=10.0.0.0/255.0.0.255', '1/2/ipv4_src=10.0.0.0/9'],
  )
})

test('values are what they say', () => {
  const mac = fields.find(({ name }) => name === 'eth_dst')!
  assert.equal(printValue(mac, macValue('06:0a:ff:00:00:01')), '06:0a:ff:00:00:01')
  assert.equal(linkLocalOf(macValue('02:00:5e:10:00:01')), ipv6Value('fe80::5eff:fe10:1'))
  assert.equal(gatewayMac, printValue(mac, macValue(gatewayMac)))
})

test('an explanation has the tables in order, names them, and says why', () => {
  const lines = explain([
    ...renderer.base(),
    ...renderer.render(endpointPiece, { vni: 1, address: '10.0.0.2', mac: '06:00:00:02:00:01', hostIP: '192.0.2.2' }),
  ])
  const numbers = lines.filter(({ where }) => /^\d/.test(where)).map(({ where }) => Number.parseInt(where, 10))
  assert.deepEqual(
    numbers,
    [...numbers].sort((a, b) => a - b),
  )
  assert.deepEqual(
    lines.find(({ match }) => match.includes('eth_dst=06:00:00:02:00:01')),
    {
      key: 'flow/mgz/50/100/reg0=0x1,eth_dst=06:00:00:02:00:01',
      where: '50 forward',
      match: 'reg0=0x1,eth_dst=06:00:00:02:00:01',
      does: 'set_field:192.0.2.2->tun_dst, set_field:0xfde8->reg2, go to qos',
      because: 'an address of this VNI on another node: IPLock v1-1-10-0-0-2',
    },
  )
})

test('refusals are told in words', () => {
  assert.equal(describeRefusal({ type: 2, code: 4 }), 'bad action: bad output port')
  assert.equal(describeRefusal({ type: 99, code: 4 }), 'error type 99: code 4')
  const actions: readonly Action[] = []
  assert.equal(printActions(actions), 'drop')
  assert.match(flowText({ table: 0, priority: 0, cookie: ours.value, match: [], actions }), /drop$/)
})

test("what could not be corrected has no flows: its number is another port's", () => {
  const portOf = (name: string, number: number): SwitchItem =>
    portItem(
      { bridge: 'mgz', name, type: '', options: {}, number, vlan: undefined, uid: name },
      { rule: 'r', of: { kind: 'Node', name: 'n' } },
    )
  const items = drawn(3)
  const [one, other] = items.flatMap(({ value }) =>
    value.kind === 'port' && value.port.type === '' && value.port.uid !== '' && value.port.bridge === 'mgz' ? [value.port] : [],
  )
  const change = sortedChange({ drop: [portOf(one!.name, other!.number)], put: items })
  assert.deepEqual(
    change.corrected.map(({ name }) => name),
    [one!.name],
  )
  const left = [...withoutUncorrected(change).put.flows.values()].flat().map((flow) => `${flowKey(flow)} ${flowText(flow)}`)
  for (const { number } of [one!, other!])
    assert.deepEqual(
      left.filter((text) => new RegExp(`in_port=${number}\\b|set_field:0x${number.toString(16)}->reg2`).test(text)),
      [],
    )
  assert.ok(left.length > flowsOf([...renderer.base()]).length)
})
