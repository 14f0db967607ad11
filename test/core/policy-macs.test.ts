// Rules that name the MAC of the other end, or a family by its EtherType: what is compiled of them, and what is said of whom nobody knows.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { RuleSetSpec } from '../../core/kinds/policy/policy-rule-set.ts'
import { notDone } from '../../core/pieces/policy/not-done.ts'
import { gatewayMac } from '../../core/net/gateway-mac.ts'
import { forecast, type ForecastPort } from '../../core/policy/forecast.ts'
import { matrixOf } from '../../core/policy/matrix.ts'
import type { CommonPolicy, ReadPolicy } from '../../core/policy/one-form.ts'
import { readPolicy } from '../../core/policy/read.ts'
import { traceOf, type TraceEnd } from '../../core/policy/trace/trace.ts'
import { verdictOn } from '../../core/policy/verdict.ts'
import { member, resource, vni, worldOf } from './policy-things.ts'

const [mine, theirs] = ['02:00:00:00:00:01', '02:00:00:00:00:02']
const read = (rule: object, more: object = {}): ReadPolicy =>
  readPolicy(resource('UnifiedNetworkPolicy', 'a/p', { podSelector: { matchLabels: { app: 'x' } }, ingress: [rule], ...more }))
const x = member('a/x', { app: 'x' })
const compiled = (rule: object, more: object = {}) => worldOf([x], [read(rule, more).policy!])
const denying = { defaults: { ingress: 'deny' } }

/** Whether it may come to x. */
function comes(sets: readonly RuleSetSpec[], subject: number, peer: { readonly mac?: string; readonly address?: string }): boolean {
  const { mac, address = '10.0.0.9' } = peer
  return verdictOn(sets, { subject, direction: 'ingress', peer: { identity: 0, address, mac }, transport: { protocol: 17, l4Port: 1 } })
    .isAllowed
}
const from = (rule: object, more: object, ...peers: readonly Parameters<typeof comes>[2][]): readonly boolean[] => {
  const { sets, numberOf } = compiled(rule, more)
  return peers.map((peer) => comes(sets, numberOf('a/x'), peer))
}

describe('a rule with a MAC', () => {
  const allow = { action: 'allow', l2: { mac: mine.toUpperCase() } }
  const deny = { action: 'deny', l2: { mac: mine } }

  test('is for who has it, and closes for whom nobody knows', () => {
    assert.deepEqual(from(allow, denying, { mac: mine }, { mac: theirs }, {}), [true, false, false])
    assert.deepEqual(from(deny, {}, { mac: mine }, { mac: theirs }, {}), [false, true, false])
  })

  test('is for one family where it names its EtherType too', () => {
    const v6 = { ...allow, l2: { mac: mine, etherType: 0x86dd } }
    assert.deepEqual(from(v6, denying, { mac: mine }, { mac: mine, address: '2001:db8::9' }), [false, true])
    const v4 = { action: 'allow', l2: { etherType: 0x0800 } }
    assert.deepEqual(from(v4, denying, {}, { address: '2001:db8::9' }), [true, false])
  })

  test('lets an agent that does not know of MACs pass nothing that it does not', () => {
    const peers = [mine, theirs].flatMap((mac) => ['10.0.0.9', '2001:db8::9'].map((address) => ({ mac, address })))
    const narrow = { ...allow, l2: { mac: mine, etherType: 0x0800 } }
    for (const [rule, more] of [allow, deny, narrow].flatMap((each) => [{}, denying].map((defaults) => [each, defaults] as const))) {
      const { sets, numberOf } = compiled(rule, more)
      const old = sets.map((set) => ({ ...set, rules: set.rules.map(({ frame: _, ...rest }) => rest) }))
      for (const peer of peers) {
        const [is, was] = [sets, old].map((all) => comes(all, numberOf('a/x'), peer))
        assert.ok(is || !was, JSON.stringify({ rule, more, peer }))
      }
      const of = old[0]!.rules[0]!
      assert.deepEqual([of.action, of.families], [rule.action, rule.action === 'allow' ? [] : undefined])
    }
  })

  test('is another rule than one with another MAC', () => {
    const { sets } = compiled(allow, { ingress: [allow, { action: 'allow', l2: { mac: theirs } }, { action: 'allow', l2: { mac: mine } }] })
    assert.deepEqual(
      sets[0]!.rules.map(({ frame }) => frame?.peerMac),
      [mine, theirs, undefined, undefined],
    )
  })

  test('is not done where no frames are looked at', () => {
    const both = { ...denying, egress: [deny], ingress: [deny], onUnsupported: 'deny' }
    const [set] = compiled(deny, both).sets
    for (const plane of ['bess', 'linux'] as const)
      assert.deepEqual(
        notDone[plane]({ ...set!, isolates: [] }).filter(({ why }) => why.includes('MAC')),
        ['ingress', 'egress'].map((way) => ({ name: 'policy', why: `/spec/${way}/0 asks for a MAC, and rules look at none here` })),
      )
  })
})

describe('what of frames is not matched', () => {
  const problemsOf = (l2: object): readonly string[] =>
    read({ action: 'allow', l2 }).problems.map(({ path, isUnsupported }) => `${path} ${isUnsupported === true ? 'unsupported' : 'wrong'}`)

  test('is said at its path, and allows nothing, or denies everything', () => {
    const at = '/spec/ingress/0/l2'
    for (const vlan of [0, 4095, 1.5, '7']) assert.deepEqual(problemsOf({ vlan }), [`${at}/vlan wrong`])
    assert.deepEqual(problemsOf({ vlan: 4094 }), [])
    assert.deepEqual(problemsOf({ etherType: 0x0806 }), [`${at}/etherType wrong`])
    assert.deepEqual(problemsOf({ mac: '01:00:00:00:00:01' }), [`${at}/mac wrong`])
    assert.deepEqual(problemsOf({ mac: mine, etherType: 0x0800 }), [])
    for (const l2 of [{ vlan: 0 }, { etherType: 0x0806 }, { mac: 'none' }]) {
      assert.deepEqual(from({ action: 'allow', l2 }, denying, { mac: mine }), [false])
      assert.deepEqual(from({ action: 'deny', l2 }, {}, { mac: mine }), [false])
    }
  })
})

describe('of a connection between Ports', () => {
  const portOf = (name: string, subnet: string, mac: string, identity: number) => ({
    ...resource('Port', `a/${name}`, { subnet }),
    status: { addresses: [`10.0.0.${identity}`], mac, vni, policy: { identity, ruleSets: [] } },
  })
  const x1 = portOf('x', 'net', theirs, 1)
  const end = (port: ReturnType<typeof portOf>, address = port.status.addresses[0]!): TraceEnd => ({ port, address, identity: 0 })
  const allows = (mac: string, one: TraceEnd): boolean => {
    const { sets, numberOf } = compiled({ action: 'allow', l2: { mac } }, denying)
    return traceOf(sets, { from: one, to: { ...end(x1), identity: numberOf('a/x') }, transport: { protocol: 17, l4Port: 1 } }).isAllowed
  }

  test("the MAC is the Port's in its Subnet, the gateway's beyond it, and else not known", () => {
    const [near, far] = [portOf('n', 'a/net', mine, 2), portOf('f', 'other', mine, 3)]
    assert.deepEqual([allows(mine, end(near)), allows(gatewayMac, end(near))], [true, false])
    assert.deepEqual([allows(mine, end(far)), allows(gatewayMac, end(far))], [false, true])
    for (const mac of [mine, gatewayMac]) {
      assert.equal(allows(mac, { address: '192.0.2.1', identity: 0 }), false)
      assert.equal(allows(mac, end(near, '10.0.0.77')), false)
    }
  })

  test('Ports of one identity are apart where a rule names the MAC of one', () => {
    const { sets, numberOf } = compiled({ action: 'allow', l2: { mac: mine } }, denying)
    const number = numberOf('a/x')
    const ports = [mine, theirs, '02:00:00:00:00:03'].map((mac, i) => portOf(`p${i}`, 'net', mac, 9))
    const judged = { ...x1, status: { ...x1.status, policy: { identity: number, ruleSets: [] } } }
    const of = { ports: [...ports, judged], identities: [], transport: { protocol: 17, l4Port: 1 }, family: 4 } as const
    const { groups, cells } = matrixOf({ ...of, sets })
    assert.deepEqual(
      groups.map((group, i) => [group.ports.join(), cells[i]!.at(-1)!.isAllowed]),
      [
        ['p0', true],
        ['p1,p2', false],
        ['x', false],
      ],
    )
    assert.equal(matrixOf({ ...of, sets: [] }).groups.length, 2)
  })

  test('a plan tells them apart too', () => {
    const shown = (port: ReturnType<typeof portOf>, app: string): ForecastPort => ({
      port,
      member: member(`a/${port.metadata.name}`, { app }),
      isShown: true,
    })
    const ports = [shown(portOf('n', 'net', mine, 2), 'y'), shown(portOf('m', 'net', '02:00:00:00:00:03', 3), 'y'), shown(x1, 'x')]
    const policy: CommonPolicy = read({ action: 'allow', l2: { mac: mine } }, denying).policy!
    const { verdicts } = forecast([], [policy], { vni, families: [4], subnets: new Map(), ports })
    assert.deepEqual(new Set(verdicts.map((each) => `${each.from.port} ${each.to.port}`)), new Set(['a/m a/x', 'a/x a/x']))
  })
})
