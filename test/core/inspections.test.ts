// What is said in connections, in the model of a switch: which packets come to an inspector, both ways, and what it may send.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Inspection } from '../../core/kinds/policy/compiled/inspection.ts'
import { gatewayMac } from '../../core/net/gateway-mac.ts'
import { inspectorMac, inspectorName, inspectorPorts, type InspectedDirection } from '../../core/node/inspectors/names.ts'
import type { LocalPort, RuleSet } from '../../core/node/wanted.ts'
import { endpointPiece } from '../../core/pieces/endpoint.ts'
import { pieceSet } from '../../core/pieces/piece-set.ts'
import { ruleSetPiece } from '../../core/pieces/policy/rule-set.ts'
import { portPiece } from '../../core/pieces/port.ts'
import { segmentPiece } from '../../core/pieces/segment.ts'
import { switchRenderer } from '../../core/pipeline/compile.ts'
import { readCookie } from '../../core/pipeline/cookie.ts'
import type { Frame } from '../../core/pipeline/model/frame.ts'
import { onWire } from '../../core/pipeline/model/frame.ts'
import {
  ethDst,
  ethSrc,
  ethType,
  ipProto,
  ipv4Dst,
  ipv4Src,
  ipv6Dst,
  ipv6Src,
  tcpDst,
  tcpSrc,
} from '../../core/pipeline/openflow/fields.ts'
import { flowKey, flowText, parseFlowKey } from '../../core/pipeline/openflow/flow.ts'
import { ipv4Value, ipv6Value, macValue } from '../../core/pipeline/openflow/values.ts'
import { numbers } from '../../core/pipeline/settings.ts'
import { itemsOf } from '../../core/plan/node/items.ts'
import { unifiedSet } from '../laws/unified-set.ts'
import { addressOf, endpointsOf, macOf, ModelSwitch, portOf, tunnel, tunnelled, vni } from './policy-frames.ts'

const http = { http: [{ paths: ['/api/*'] }] }
const web: Inspection['transport'] = [{ protocol: 6, first: 80 }]
const entry = (direction: InspectedDirection, more: Partial<Inspection> = {}): Inspection => ({
  index: 0,
  source: `/spec/${direction}/0`,
  direction,
  action: 'allow',
  transport: web,
  l7: http,
  ...more,
})
const [client, server, far] = [1, 2, 120]
const setOf = (number: number, subjects: readonly number[], inspections: readonly Inspection[], rules: RuleSet['rules'] = []): RuleSet =>
  unifiedSet({ vni, number, subjects: [...subjects], rules, inspections: [...inspections] })
const judgedBy = (n: number, ...sets: readonly number[]): LocalPort =>
  portOf(n, { policy: { identity: n, ruleSets: sets.map((set) => `vni-${vni}-${set}`), isClosed: false } })

interface Built {
  readonly model: ModelSwitch
  /** OpenFlow numbers of the inspectors. */
  readonly inspector: (direction: InspectedDirection) => number
}

const segment = { vni, subnets: [{ cidr: '10.0.0.0/24', gateway: '10.0.0.254' }], flood: false, hosts: ['192.0.2.2'], numbers: [] }

function built(ports: readonly LocalPort[], sets: readonly RuleSet[], inspectors = true): Built {
  const renderer = switchRenderer(() => ({
    ...{ node: 'n', bridge: 'mgz', datapath: 'system', tunnelAddress: '192.0.2.1', tunnelL4Port: 4789, uplinks: {} },
    inspectors,
  }))
  const items = [
    ...itemsOf(
      renderer,
      pieceSet([
        [portPiece, ports],
        [segmentPiece, [segment]],
        [endpointPiece, endpointsOf(far, far)],
        [ruleSetPiece, sets],
      ]),
    ),
  ]
  const flows = items.flatMap(({ value }) => (value.kind === 'flow' ? [value.flow] : []))
  for (const flow of flows) assert.deepEqual(parseFlowKey(flowKey(flow)).match, flow.match, flowText(flow))
  const own = flows.filter(({ cookie }) => readCookie(cookie)?.feature === 'inspection').map(flowKey)
  assert.equal(new Set(own).size, own.length)
  const model = new ModelSwitch()
  model.carry(flows)
  return {
    model,
    inspector: (direction) =>
      items.flatMap(({ value }) =>
        value.kind === 'port' && value.port.name === inspectorName(vni, direction) ? [value.port.number] : [],
      )[0] ?? -1,
  }
}

interface Ends {
  readonly from: number
  readonly to: number
  readonly l4: readonly [src: number, dst: number]
  readonly family?: 4 | 6
  /** Whose MAC it is sent from. */
  readonly mac?: string
  readonly toMac?: string
}

function frame({ from, to, l4, family = 4, mac = macOf(from), toMac = macOf(to) }: Ends): Frame {
  const [src, dst] = [addressOf(from, family), addressOf(to, family)]
  return new Map([
    [ethSrc, macValue(mac)],
    [ethDst, macValue(toMac)],
    [ethType, family === 4 ? 0x800 : 0x86dd],
    [ipProto, 6],
    ...(family === 4
      ? ([
          [ipv4Src, ipv4Value(src)],
          [ipv4Dst, ipv4Value(dst)],
        ] as const)
      : ([
          [ipv6Src, ipv6Value(src)],
          [ipv6Dst, ipv6Value(dst)],
        ] as const)),
    [tcpSrc, l4[0]],
    [tcpDst, l4[1]],
  ] as never)
}
/** As an inspector sends: everything through the gateway. */
const fromInspector = (ends: Ends): Frame => frame({ ...ends, mac: inspectorMac, toMac: gatewayMac })
const back = ({ from, to, l4: [src, dst], ...more }: Ends): Ends => ({ ...more, from: to, to: from, l4: [dst, src] })

const anew = (direction: InspectedDirection, ends: Ends): Ends => ({ ...ends, l4: [inspectorPorts[direction].first + 7, ends.l4[1]] })

describe('at the client', () => {
  for (const family of [4, 6] as const)
    test(`over IPv${family} a connection goes to the inspector both ways, and what it begins anew to the server and back`, () => {
      const { model, inspector } = built([judgedBy(client, 1)], [setOf(1, [client], [entry('egress')])])
      const here = inspector('egress')
      const ends: Ends = { from: client, to: far, l4: [40_000, 80], family }
      const [asked] = model.outs(frame(ends), client)
      assert.deepEqual([asked?.number, asked?.frame.get(ethDst)], [here, macValue(inspectorMac)])
      const [answer] = model.outs(fromInspector(back(ends)), here)
      assert.deepEqual(
        [answer?.number, answer?.frame.get(ethDst), answer?.frame.get(ethSrc)],
        [client, macValue(macOf(client)), macValue(gatewayMac)],
      )
      const [begun] = model.outs(fromInspector(anew('egress', ends)), here)
      assert.deepEqual([begun?.number, begun?.frame.get(ethDst)], [tunnel, macValue(macOf(far))])
      assert.deepEqual(model.send(tunnelled(frame(back(anew('egress', ends)))), tunnel), [here])
    })

  test('what no entry is about, and what a plain entry before is about, goes past the inspector, both ways', () => {
    const plain = entry('egress', { transport: [{ protocol: 6, first: 80 }], peers: { identities: [far], blocks: [] } })
    const { l7: _, ...before } = plain
    const { model, inspector } = built(
      [judgedBy(client, 1), judgedBy(server, 2)],
      [setOf(1, [client], [before, entry('egress', { index: 1 })]), setOf(2, [server], [])],
    )
    const to = (peer: number, l4Port: number): Ends => ({ from: client, to: peer, l4: [40_001, l4Port] })
    assert.deepEqual(model.send(frame(to(far, 80)), client), [tunnel])
    assert.deepEqual(model.send(tunnelled(frame(back(to(far, 80)))), tunnel), [client])
    assert.deepEqual(model.send(frame(to(server, 80)), client), [inspector('egress')])
    assert.deepEqual(model.send(frame(to(server, 443)), client), [server])
    // What comes to it is of no connection that it has begun, whatever port it is from.
    assert.deepEqual(model.send(frame({ from: server, to: client, l4: [80, 22] }), server), [client])
  })

  test('who has no identity yet is inspected by a rule about some, and is let past by none', () => {
    const of = (more: Partial<Inspection>): Inspection => entry('egress', { peers: { identities: [server], blocks: [] }, ...more })
    const { l7: _, ...plain } = of({})
    const unknownOne = portOf(3)
    const sent = frame({ from: client, to: 3, l4: [40_002, 80] })
    const asked = built([judgedBy(client, 1), unknownOne], [setOf(1, [client], [of({ action: 'deny' })])])
    assert.deepEqual(asked.model.send(sent, client), [asked.inspector('egress')])
    const past = built([judgedBy(client, 1), unknownOne], [setOf(1, [client], [plain, entry('egress', { index: 1 })])])
    assert.deepEqual(past.model.send(sent, client), [past.inspector('egress')])
  })

  test('what policies deny never comes to an inspector', () => {
    const deny = { index: 0, source: '/spec/egress/1', direction: 'egress', level: 0, action: 'deny' } as const
    const { model } = built([judgedBy(client, 1)], [setOf(1, [client], [entry('egress')], [deny])])
    assert.deepEqual(model.send(frame({ from: client, to: far, l4: [40_000, 80] }), client), [])
  })
})

test('a connection between two on one node goes by the inspector of the client and that of the server, and back', () => {
  const { model, inspector } = built(
    [judgedBy(client, 1), judgedBy(server, 2)],
    [setOf(1, [client], [entry('egress')]), setOf(2, [server], [entry('ingress')])],
  )
  const [atClient, atServer] = [inspector('egress'), inspector('ingress')]
  assert.notEqual(atClient, atServer)
  const first: Ends = { from: client, to: server, l4: [40_000, 80] }
  const [second, third] = [anew('egress', first), anew('ingress', first)]
  assert.deepEqual(model.send(frame(first), client), [atClient])
  assert.deepEqual(model.send(fromInspector(second), atClient), [atServer])
  assert.deepEqual(model.send(fromInspector(third), atServer), [server])
  assert.deepEqual(model.send(frame(back(third)), server), [atServer])
  assert.deepEqual(model.send(fromInspector(back(second)), atServer), [atClient])
  assert.deepEqual(model.send(fromInspector(back(first)), atClient), [client])
})

test('at the server what comes by a tunnel is inspected, and what the server begins is not', () => {
  const { model, inspector } = built([judgedBy(server, 2)], [setOf(2, [server], [entry('ingress')])])
  const ends: Ends = { from: far, to: server, l4: [40_000, 80] }
  assert.deepEqual(model.send(tunnelled(frame(ends)), tunnel), [inspector('ingress')])
  assert.deepEqual(model.send(fromInspector(back(ends)), inspector('ingress')), [tunnel])
  assert.deepEqual(model.send(frame({ from: server, to: far, l4: [40_000, 80] }), server), [tunnel])
})

test('nothing leaves an inspector but what is of its subjects: no other address, no other protocol, no question', () => {
  const { model, inspector } = built([judgedBy(client, 1), portOf(server)], [setOf(1, [client], [entry('egress')])])
  const here = inspector('egress')
  for (const ends of [
    { from: server, to: far, l4: [61_007, 80] },
    { from: far, to: server, l4: [80, 40_000] },
    { from: client, to: far, l4: [40_000, 80] },
  ] as const)
    assert.deepEqual(model.send(fromInspector(ends), here), [], JSON.stringify(ends))
  const udp = new Map(fromInspector({ from: client, to: far, l4: [61_007, 80] })).set(ipProto, 17)
  const arp = new Map([
    [ethSrc, macValue(inspectorMac)],
    [ethDst, 0xffffffffffff],
    [ethType, 0x806],
  ] as const)
  for (const other of [udp, arp as Frame]) assert.deepEqual(model.send(other, here), [])
})

test('a tenant forges nothing: neither the inspector’s MAC nor its source ports lead past it', () => {
  const { model, inspector } = built([{ ...judgedBy(client, 1), portSecurity: false }], [setOf(1, [client], [entry('egress')])])
  const ends: Ends = { from: client, to: far, l4: [61_007, 80] }
  for (const mac of [macOf(client), inspectorMac, gatewayMac])
    assert.deepEqual(model.send(onWire(frame({ ...ends, mac })), client), [inspector('egress')])
})

test('on a node without what inspectors are made of a set that asks is not done, by name', () => {
  const can = (inspectors: boolean) =>
    switchRenderer(() => ({
      ...{ node: 'n', bridge: 'mgz', datapath: 'system', tunnelAddress: '192.0.2.1', tunnelL4Port: 4789, uplinks: {} },
      inspectors,
    })).unsupported(ruleSetPiece, setOf(1, [client], [entry('egress')]))
  assert.deepEqual(can(true), [])
  assert.match(can(false)[0]!.why, /^\/spec\/egress\/0 asks what is said in connections/)
})

test('of more inspectors than there are numbers for what the last would be asked is dropped', () => {
  const count = numbers.inspectors.count + 1
  const ports = Array.from({ length: count }, (_, i) => ({
    ...judgedBy(client, 1),
    uid: `uid-${i}`,
    number: i + 1,
    attachment: { kind: 'vni', vni: 7_000 + i } as const,
    policy: { identity: 1, ruleSets: [`vni-${7_000 + i}-1`], isClosed: false },
  }))
  const sets = ports.map((_, i) => ({ ...setOf(1, [client], [entry('egress')]), vni: 7_000 + i }))
  const { model } = built(ports, sets)
  const ways = ports.map(({ number }) => model.send(frame({ from: client, to: far, l4: [40_000, 80] }), number))
  assert.equal(ways.filter(([out]) => out !== undefined && out >= numbers.inspectors.first).length, numbers.inspectors.count)
  assert.equal(ways.filter((outs) => outs.length === 0).length, 1)
})
