// Service chains in the model of a switch: which functions a packet goes through, and that both ways of a conversation have the same.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CompiledChain } from '../../core/kinds/policy/chain.ts'
import { gatewayMac } from '../../core/net/gateway-mac.ts'
import { ethDst, ethSrc, ethType, ipProto, ipv4Dst, ipv4Src, tunId } from '../../core/pipeline/openflow/fields.ts'
import { onWire, type Frame } from '../../core/pipeline/model/frame.ts'
import { flowKey, flowText, parseFlowKey } from '../../core/pipeline/openflow/flow.ts'
import { ipv4Value, macValue } from '../../core/pipeline/openflow/values.ts'
import { unifiedSet } from '../laws/unified-set.ts'
import { seeded } from '../workers/test-cluster.ts'
import { markedMac } from '../../core/pipeline/chains/stage.ts'
import { addressOf, endpointsOf, flowsOfNode, macOf, ModelSwitch, portOf, tunnel, tunnelled, vni } from './policy-frames.ts'

const [subject, functions, servers] = [1, [11, 12, 13, 14, 15], Array.from({ length: 40 }, (_, i) => 30 + i)]
const instance = (n: number) => ({ port: `uid-${n}`, mac: macOf(n), addresses: [addressOf(n, 4), addressOf(n, 6)] })

type Draft = Omit<CompiledChain, 'index' | 'name'>
const numbered = (drafts: readonly Draft[]): CompiledChain[] => drafts.map((chain, index) => ({ ...chain, index, name: `c${index}` }))
const switchWith = (...chains: readonly Draft[]): ModelSwitch => switchBetween(chains)

/** @param beside known to the nodes of functions, and begun by nobody */
function switchBetween(chains: readonly Draft[], ...beside: readonly Draft[]): ModelSwitch {
  const ends = [{ mac: macOf(subject), addresses: [addressOf(subject, 4), addressOf(subject, 6)] }]
  const set = unifiedSet({
    vni,
    rules: [],
    chains: {
      ends,
      round: 40,
      chains: numbered(chains),
      beside: beside.map((each, i) => ({ is: 'former', until: '2030-01-01T00:00:00Z', round: 39 - i, chains: numbered([each]) })),
    },
  })
  const flows = flowsOfNode({ ports: [subject, ...functions, ...servers].map((n) => portOf(n)), endpoints: [], sets: [set] })
  for (const flow of flows) assert.deepEqual(parseFlowKey(flowKey(flow)).match, flow.match, flowText(flow))
  const model = new ModelSwitch()
  model.carry(flows)
  return model
}

const frame = (from: number, to: number, proto = 17): Frame =>
  new Map([
    [ethSrc, macValue(macOf(from))],
    [ethDst, macValue(macOf(to))],
    [ethType, 0x800],
    [ipProto, proto],
    [ipv4Src, ipv4Value(addressOf(from, 4))],
    [ipv4Dst, ipv4Value(addressOf(to, 4))],
  ])

/** Ports that it comes to, one after the other: functions send on what they get, as a router does. */
function wayOf(model: ModelSwitch, sent: Frame, from: number): readonly number[] {
  const way: number[] = []
  for (let [at, now] = [from, sent]; way.length < 20;) {
    const [out] = model.outs(now, at)
    if (out === undefined) return way
    way.push(out.number)
    if (!functions.includes(out.number)) return way
    at = out.number
    now = onWire(new Map(out.frame).set(ethSrc, macValue(macOf(at))).set(ethDst, macValue(gatewayMac)))
  }
  return way
}

test('an answer goes through the functions that its question went through, the other way, whoever carries them out', () => {
  const random = seeded(3)
  const used = new Set<number>()
  for (let trial = 0; trial < 60; trial++) {
    const drawn = functions.toSorted(() => random() - 0.5)
    const cut = 1 + Math.floor(random() * 4)
    const model = switchWith({
      direction: random() < 0.5 ? 'egress' : 'ingress',
      functions: [drawn.slice(0, cut), [], drawn.slice(cut)].map((each, i) => ({
        name: `f${i}`,
        onFailure: 'pass',
        instances: each.map(instance),
      })),
    })
    for (const server of servers) {
      const there = wayOf(model, frame(subject, server), subject)
      assert.equal(there.length, 3)
      assert.deepEqual(wayOf(model, frame(server, subject), server), [...there.slice(0, -1).reverse(), subject])
      for (const each of there.slice(0, -1)) used.add(each)
    }
  }
  assert.deepEqual([...used].sort(), functions)
})

test('instances have shares alike of the others that a subject talks to, and one that goes takes along little but its own share', () => {
  const through = (members: readonly number[]): ReadonlyMap<number, number> => {
    const model = switchWith({ direction: 'egress', functions: [{ name: 'f', onFailure: 'drop', instances: members.map(instance) }] })
    return new Map(servers.slice(0, 16).map((server) => [server, wayOf(model, frame(subject, server), subject)[0]!]))
  }
  const [all, fewer] = [through([11, 12, 13, 14]), through([11, 12, 14])]
  for (const n of [11, 12, 13, 14]) assert.ok([3, 4, 5].includes([...all.values()].filter((each) => each === n).length), `${n}`)
  const moved = [...all].filter(([server, by]) => by !== 13 && fewer.get(server) !== by)
  assert.ok(moved.length <= 4, `${moved.length}`)
})

test('what two subjects, or a subject and a function, say to each other goes by no chain', () => {
  const model = switchWith({ direction: 'egress', functions: [{ name: 'f', onFailure: 'drop', instances: [instance(11)] }] })
  assert.deepEqual(wayOf(model, frame(subject, 11), subject).slice(0, 1), [11])
  assert.deepEqual(wayOf(model, frame(11, subject), 11), [subject])
})

test('what a function was handed by a former round of chains goes on by that one, and nothing begins by it', () => {
  const by = (n: number, transport?: CompiledChain['transport']): Draft => ({
    direction: 'egress',
    functions: [{ name: 'f', onFailure: 'drop', instances: [instance(n)] }],
    ...(transport && { transport }),
  })
  const sentBy = (n: number, proto?: number): Frame => new Map(frame(subject, 40, proto)).set(ethSrc, macValue(macOf(n)))
  const replaced = switchBetween([by(11)], by(12))
  assert.deepEqual(wayOf(replaced, frame(subject, 40), subject), [11, 40])
  for (const n of [11, 12]) assert.deepEqual(wayOf(replaced, sentBy(n), n), [40])
  // It is about other packets now: of the round before it still sends on what that was about, and of neither nothing else.
  const [tcp, udp, sctp] = [6, 17, 132]
  const about = switchBetween([by(11, [{ protocol: tcp }])], by(12, [{ protocol: sctp }]), by(11, [{ protocol: udp }]))
  assert.deepEqual(wayOf(about, frame(subject, 40, udp), subject), [40])
  for (const [protocol, comes] of [
    [tcp, [40]],
    [udp, [40]],
    [sctp, []],
  ] as const)
    // prettier-ignore
    assert.deepEqual(wayOf(about, sentBy(11, protocol), 11), comes)
})

test('a function that is in no place of a chain any more sends for nobody', () => {
  const model = switchWith({ direction: 'egress', functions: [{ name: 'f', onFailure: 'drop', instances: [instance(11)] }] })
  assert.deepEqual(wayOf(model, new Map(frame(subject, 40)).set(ethSrc, macValue(macOf(12))), 12), [])
  assert.deepEqual(wayOf(model, new Map(frame(subject, 40)).set(ethSrc, macValue(macOf(11))), 11), [40])
})

test('what comes from one node for a subject goes to a function on another, and what was handed over there goes to no third one', () => {
  const [far, server] = [111, 130]
  const chain: Draft = { direction: 'egress', functions: [{ name: 'f', onFailure: 'drop', instances: [instance(far)] }] }
  const ends = [{ mac: macOf(subject), addresses: [addressOf(subject, 4)] }]
  const sets = [unifiedSet({ vni, rules: [], chains: { ends, chains: numbered([chain]) } })]
  const model = new ModelSwitch()
  model.carry(flowsOfNode({ ports: [portOf(subject)], endpoints: [far, server].flatMap((n) => endpointsOf(n)), sets }))
  const outs = model.outs(tunnelled(frame(server, subject)), tunnel)
  assert.deepEqual(
    outs.map(({ number, frame: out }) => [number, out.get(ethDst), out.get(ethSrc), out.get(tunId)]),
    [[tunnel, macValue(macOf(far)), markedMac.handed, vni]],
  )
  const handed = new Map(frame(server, subject)).set(ethSrc, markedMac.handed).set(ethDst, macValue(macOf(far)))
  assert.deepEqual(model.send(tunnelled(handed), tunnel), [])
})
