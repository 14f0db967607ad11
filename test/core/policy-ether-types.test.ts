// Rules for frames that are no IP: what is compiled of them, what the verdict on such a frame is, and that flows in the model of a switch
// say the same of each.
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { describe, test } from 'node:test'
import { notDone } from '../../core/pieces/policy/not-done.ts'
import { ethDst, ethSrc, ethType, type Field } from '../../core/pipeline/openflow/fields.ts'
import { macValue, type FieldValue } from '../../core/pipeline/openflow/values.ts'
import { forecast, type ForecastPort } from '../../core/policy/forecast.ts'
import type { ReadPolicy } from '../../core/policy/one-form.ts'
import { readPolicy } from '../../core/policy/read.ts'
import { verdictOn } from '../../core/policy/verdict.ts'
import { drawRuleSets, etherTypes } from '../laws/rule-sets.ts'
import { trials } from '../setup/trials.ts'
import { seeded } from '../workers/test-cluster.ts'
import { flowsOfNode, macOf, ModelSwitch, portOf, tunnel, tunnelled, vni, type Node } from './policy-frames.ts'
import { drawNode, local } from './policy-packets.ts'
import { member, resource, worldOf } from './policy-things.ts'

const [one, other, lldp] = [...etherTypes, 0x88cc] as [number, number, number]
const mine = '02:00:00:00:00:01'
const read = (rule: object, more: object = {}): ReadPolicy =>
  readPolicy(resource('UnifiedNetworkPolicy', 'a/p', { podSelector: {}, ingress: [rule], ...more }))
const x = member('a/x', { app: 'x' })
const denying = { defaults: { ingress: 'deny' } }

/** Of frames of each EtherType whether they come in, and last of a datagram. */
function comes(rule: object, more: object, types: readonly number[], mac = mine): readonly boolean[] {
  const { sets, numberOf } = worldOf([x], [read(rule, more).policy!])
  const of = { subject: numberOf('a/x'), direction: 'ingress' } as const
  const datagram = { ...of, peer: { identity: 0, address: '10.0.0.9', mac }, transport: { protocol: 17, l4Port: 1 } }
  return [...types.map((etherType) => ({ ...of, etherType, peer: { mac } })), datagram].map((each) => verdictOn(sets, each).isAllowed)
}

describe('a rule with an EtherType that is no IP', () => {
  test('is for such frames alone, and what it does not name is as the default says', () => {
    assert.deepEqual(comes({ action: 'allow', l2: { etherType: one } }, denying, [one, other, lldp]), [true, false, false, false])
    assert.deepEqual(comes({ action: 'deny', l2: { etherType: one } }, {}, [one, other, lldp]), [false, true, true, true])
  })

  test('may ask for the MAC of the other end too', () => {
    const rule = { action: 'allow', l2: { etherType: one, mac: mine } }
    assert.deepEqual(comes(rule, denying, [one, other]), [true, false, false])
    assert.deepEqual(comes(rule, denying, [one], '02:00:00:00:00:02'), [false, false])
  })

  test('of none, a rule is for frames of all as for IP, where it asks for nothing that stands in IP alone', () => {
    assert.deepEqual(comes({ action: 'allow' }, denying, [one]), [true, true])
    assert.deepEqual(comes({ action: 'allow', l2: { mac: mine } }, denying, [one]), [true, true])
    for (const more of [{ peers: [{ cidr: '10.0.0.0/24' }] }, { ports: [{ protocol: 'udp' }] }, { l2: { etherType: 0x0800 } }])
      assert.deepEqual(comes({ action: 'allow', ...more }, denying, [one]), [false, true], JSON.stringify(more))
    const selects = { peers: [{ podSelector: { matchLabels: { app: 'x' } } }] }
    assert.deepEqual(comes({ action: 'allow', ...selects }, denying, [one]), [false, false])
    assert.deepEqual(comes({ action: 'deny', ...selects }, {}, [one]), [false, true], 'its sender may be anybody')
  })

  test('denies everything for an agent that does not know of it, and allows nothing', () => {
    for (const action of ['allow', 'deny']) {
      const { sets } = worldOf([x], [read({ action, l2: { etherType: one } }).policy!])
      assert.deepEqual(sets[0]!.rules[0]!.families, action === 'allow' ? [] : undefined)
    }
  })

  test('is refused at its path where it asks for what no such frame has, or for a tag, or says what is not done', () => {
    const problemsOf = (rule: object): readonly string[] =>
      read({ action: 'allow', ...rule }).problems.map(({ path, isUnsupported }) => `${path} ${isUnsupported ? 'unsupported' : 'wrong'}`)
    const at = '/spec/ingress/0'
    const l2 = { etherType: one }
    assert.deepEqual(problemsOf({ l2, bandwidth: { max: '1M' } }), [])
    for (const more of [{ peers: [{ cidr: '10.0.0.0/8' }] }, { ports: [{ l4Port: 80 }] }])
      assert.deepEqual(problemsOf({ l2, ...more }), [`${at}/l2/etherType wrong`])
    for (const etherType of [0x8100, 0x88a8, 0x0806]) {
      assert.deepEqual(problemsOf({ l2: { etherType } }), [`${at}/l2/etherType wrong`])
      assert.deepEqual(comes({ action: 'allow', l2: { etherType } }, denying, [one]), [false, false])
      assert.deepEqual(comes({ action: 'deny', l2: { etherType } }, {}, [one]), [false, false])
    }
    assert.deepEqual(problemsOf({ l2, log: true, dscp: 8 }), [`${at}/log unsupported`, `${at}/dscp unsupported`])
  })

  test('is done on BESS and Linux where it denies, as nothing passes there that is no IP, and else is not', () => {
    const whyNot = (plane: 'bess' | 'linux', action: string): readonly string[] => {
      const { sets } = worldOf([x], [read({ action, l2: { etherType: one } }).policy!])
      return notDone[plane](sets[0]!).map(({ why }) => why)
    }
    for (const plane of ['bess', 'linux'] as const) {
      assert.deepEqual(whyNot(plane, 'deny'), [])
      assert.match(whyNot(plane, 'allow')[0]!, /^\/spec\/ingress\/0 is for frames that are no IP, and none of them pass here$/)
    }
  })
})

test('a plan tells of frames that rules name, and one that none names, where their sender is not guarded', () => {
  const portOf = (name: string, portSecurity: boolean): ForecastPort => ({
    port: { ...resource('Port', `a/${name}`, { subnet: 'net', portSecurity }), status: { addresses: ['10.0.0.1'], vni } },
    member: member(`a/${name}`, { app: name }),
    isShown: true,
  })
  const network = { vni, families: [4] as const, subnets: new Map(), ports: [portOf('x', true), portOf('open', false)] }
  const { verdicts } = forecast([], [read({ action: 'deny', l2: { etherType: one } }).policy!], network)
  const named = verdicts.map(({ from, to, transport, after }) => ({ ...transport, ends: `${from.port} ${to.port}`, is: after.isAllowed }))
  assert.deepEqual(named, [
    { etherType: one, ends: 'a/open a/x', is: false },
    { etherType: one, ends: 'a/open a/open', is: false },
  ])
  const closed = forecast([], [read({ action: 'allow', l2: { etherType: one } }, denying).policy!], network).verdicts
  const frames = closed.flatMap(({ transport }) => ('etherType' in transport ? [transport.etherType] : []))
  assert.deepEqual([...new Set(frames)], [other])
})

/** Who is guarded sends nothing that is no IP. */
function openNode(random: () => number): Node {
  const node = drawNode(random, drawRuleSets(random, vni))
  return { ...node, ports: node.ports.map((port) => portOf(port.number, { ...port, portSecurity: false })) }
}

interface SentFrame {
  /** 100 and 101 are elsewhere. */
  readonly from: number
  readonly to: number
  readonly etherType: number
}

function drawFrame(random: () => number): SentFrame {
  const draw = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
  const [from, to] = [draw([...local, 100]), draw([...local, 101])]
  return from === to || (from === 100 && to === 101) ? drawFrame(random) : { from, to, etherType: draw([...etherTypes, lldp]) }
}

function mayPass({ ports, sets }: Node, { from, to, etherType }: SentFrame): boolean {
  const passes = (number: number, direction: 'ingress' | 'egress', other: number): boolean => {
    const policy = ports.find((port) => port.number === number)?.policy
    if (policy === undefined || policy.isClosed) return policy === undefined
    return verdictOn(sets, { subject: policy.identity, direction, etherType, peer: { mac: macOf(other) } }).isAllowed
  }
  return passes(from, 'egress', to) && passes(to, 'ingress', from)
}

function reaches(model: ModelSwitch, { from, to, etherType }: SentFrame): boolean {
  const frame = new Map<Field, FieldValue>([
    [ethSrc, macValue(macOf(from))],
    [ethDst, macValue(macOf(to))],
    [ethType, etherType],
  ])
  const outs = from === 100 ? model.send(tunnelled(frame), tunnel) : model.send(frame, from)
  return outs.includes(to === 101 ? tunnel : to)
}

test('of random frames that are no IP, under random rules, just those pass that the verdict lets pass', (t) => {
  const counted = { passed: 0, dropped: 0 }
  const first = randomInt(2 ** 40)
  t.diagnostic(`${trials(500)} seeds from ${first}`)
  for (let seed = first; seed < first + trials(500); seed++) {
    const random = seeded(seed)
    const node = openNode(random)
    const model = new ModelSwitch()
    model.carry(flowsOfNode(node))
    for (let nth = 0; nth < 20; nth++) {
      const frame = drawFrame(random)
      const isWanted = mayPass(node, frame)
      assert.equal(reaches(model, frame), isWanted, `seed ${seed}: ${JSON.stringify(frame)} under ${JSON.stringify(node)}`)
      counted[isWanted ? 'passed' : 'dropped']++
    }
  }
  assert.ok(counted.passed > counted.dropped / 10 && counted.dropped > counted.passed / 10, JSON.stringify(counted))
})
