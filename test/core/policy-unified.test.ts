import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { world } from '../../core/kinds/policy/tiers.ts'
import type { RuleSetSpec } from '../../core/kinds/policy/policy-rule-set.ts'
import { UnifiedChoice } from '../../core/policy/choose-unified.ts'
import type { CommonPolicy, ReadPolicy } from '../../core/policy/one-form.ts'
import { readPolicy } from '../../core/policy/read.ts'
import { verdictOn, type Transport } from '../../core/policy/verdict.ts'
import { member, resource, worldOf } from './policy-things.ts'

const read = (spec: object, name = 'p', metadata: object = {}): ReadPolicy =>
  readPolicy(resource('UnifiedNetworkPolicy', `a/${name}`, { podSelector: {}, ...spec }, metadata))
const policyOf = (...given: Parameters<typeof read>): CommonPolicy => read(...given).policy!
const problemsOf = (spec: object): readonly string[] => read(spec).problems.map(({ path, message }) => `${path} ${message}`)

const x = member('a/x', { app: 'x' })
const y = member('a/y', { app: 'y' })
const z = member('a/z', { app: 'z' }, { securityGroups: ['a/front'] })
const https: Transport = { protocol: 6, l4Port: 443 }
const selects = (app: string): object => ({ podSelector: { matchLabels: { app } } })

/** Whether `from` may talk to `to`, as either end is judged. */
function mayTalk(policies: readonly CommonPolicy[], from: string, to: string, transport = https): boolean {
  const { sets, numberOf } = worldOf([x, y, z], policies, { subnets: new Map([['a/net', ['10.0.0.0/24']]]) })
  const [sender, receiver] = [from, to].map((key) => ({
    identity: key === '' ? world : numberOf(key),
    address: key === '' ? '192.0.2.1' : '10.0.0.9',
  }))
  const out = from === '' || verdictOn(sets, { subject: sender!.identity, direction: 'egress', peer: receiver!, transport }).isAllowed
  return out && (to === '' || verdictOn(sets, { subject: receiver!.identity, direction: 'ingress', peer: sender!, transport }).isAllowed)
}

describe('a UnifiedNetworkPolicy', () => {
  test('says that label x may talk to label y and no one else, at least 25 Gbps', () => {
    const spec = {
      ...selects('x'),
      defaults: { ingress: 'deny', egress: 'deny' },
      egress: [{ action: 'allow', peers: [selects('y')] }],
      bandwidth: { min: '25G' },
    }
    const policies = [policyOf(spec)]
    assert.deepEqual(
      ['a/y', 'a/z', ''].map((to) => mayTalk(policies, 'a/x', to)),
      [true, false, false],
    )
    assert.deepEqual(
      ['a/y', 'a/z', ''].map((from) => mayTalk(policies, from, 'a/x')),
      [false, false, false],
    )
    assert.equal(mayTalk(policies, 'a/z', 'a/y'), true)
    assert.deepEqual(problemsOf(spec), [])
  })

  test('lets its first matching rule decide, and else its default', () => {
    const ingress = [
      { action: 'deny', peers: [selects('z')] },
      { action: 'allow', peers: [{ podSelector: {} }] },
    ]
    const policies = [policyOf({ ...selects('x'), ingress, defaults: { ingress: 'deny' } })]
    assert.deepEqual(
      ['a/z', 'a/y', ''].map((from) => mayTalk(policies, from, 'a/x')),
      [false, true, false],
    )
    assert.equal(mayTalk([policyOf(selects('x'))], '', 'a/x'), true)
  })

  test('opens nothing that a SecurityGroup closes, unless its rule is final', () => {
    const group = readPolicy(resource('SecurityGroup', 'a/front', { rules: [] })).policy!
    const allowing = (more: object): CommonPolicy => policyOf({ ...selects('z'), ingress: [{ action: 'allow', ...more }] })
    assert.equal(mayTalk([group, allowing({})], 'a/x', 'a/z'), false)
    assert.equal(mayTalk([group, allowing({ final: true })], 'a/x', 'a/z'), true)
  })

  test('knows peers by Port, SecurityGroup, Subnet and block', () => {
    const from = (peer: object): readonly boolean[] => {
      const policies = [policyOf({ ...selects('x'), ingress: [{ action: 'allow', peers: [peer] }], defaults: { ingress: 'deny' } })]
      return ['a/y', 'a/z', ''].map((each) => mayTalk(policies, each, 'a/x'))
    }
    assert.deepEqual(from({ port: 'y' }), [true, false, false])
    assert.deepEqual(from({ securityGroup: 'front' }), [false, true, false])
    assert.deepEqual(from({ subnet: 'net' }), [true, true, false])
    assert.deepEqual(from({ subnet: 'b/other' }), [false, false, false])
    assert.deepEqual(from({ cidr: '192.0.2.0/24' }), [false, false, true])
    assert.deepEqual(from({ cidr: '0.0.0.0/0', except: ['192.0.2.0/24'] }), [true, true, false])
  })

  test('knows protocols by word and number, ports, ranges, and types of ICMP', () => {
    const at = (match: object, ...transports: readonly Transport[]): readonly boolean[] =>
      transports.map((transport) =>
        mayTalk(
          [policyOf({ ...selects('x'), ingress: [{ action: 'allow', ports: [match] }], defaults: { ingress: 'deny' } })],
          'a/y',
          'a/x',
          transport,
        ),
      )
    assert.deepEqual(at({ l4Port: 443 }, https, { protocol: 17, l4Port: 443 }), [true, false])
    assert.deepEqual(at({ protocol: '6', l4Port: 400, l4PortMax: 500 }, https, { protocol: 6, l4Port: 501 }), [true, false])
    const ping = { protocol: 1, icmpType: 8, icmpCode: 0 }
    assert.deepEqual(at({ protocol: 'icmp', icmpType: 8 }, ping, { ...ping, icmpType: 0 }), [true, false])
    assert.deepEqual(at({ protocol: '47' }, { protocol: 47 }, https), [true, false])
  })

  test('in audit lets pass what it would deny, whole or by rule', () => {
    const denying = { ...selects('x'), ingress: [{ action: 'deny' }] }
    assert.equal(mayTalk([policyOf(denying)], 'a/y', 'a/x'), false)
    assert.equal(mayTalk([policyOf({ ...denying, mode: 'audit' })], 'a/y', 'a/x'), true)
    assert.equal(mayTalk([policyOf({ ...selects('x'), ingress: [{ action: 'deny', audit: true }] })], 'a/y', 'a/x'), true)
  })

  test('closes where a rule says what is not done, or opens where it says so itself', () => {
    const named = (action: string, onUnsupported?: string): boolean =>
      mayTalk(
        [policyOf({ ...selects('x'), egress: [{ action, peers: [{ fqdn: 'example.org' }] }], ...(onUnsupported && { onUnsupported }) })],
        'a/x',
        '',
      )
    assert.deepEqual([named('deny'), named('deny', 'allow')], [false, true])
    assert.deepEqual(problemsOf({ ingress: [{ action: 'deny', dscp: 8 }] }), ['/spec/ingress/0/dscp marks nothing, as nothing passes'])
    const limiting = { ingress: [{ action: 'deny', bandwidth: { max: '1G' } }] }
    assert.deepEqual(problemsOf(limiting), ['/spec/ingress/0/bandwidth limits nothing, as nothing passes'])
    const { problems } = read({ ingress: [{ action: 'deny', dscp: 8 }] })
    assert.deepEqual([problems.length, problems.every((each) => each.isUnsupported)], [1, true])
  })

  test('says how much and marked how, in bits a second, and of whom where a node does not do it', () => {
    const specOf = (spec: object): RuleSetSpec => worldOf([x, y], [policyOf({ ...selects('x'), ...spec })]).sets[0]!
    const { traffic, rules, onUnsupported } = specOf({
      bandwidth: { max: { ingress: '25G', egress: '1500k' } },
      dscp: 46,
      onUnsupported: 'allow',
      egress: [
        { action: 'allow', ports: [{ l4Port: 80 }], dscp: 8 },
        { action: 'allow', dscp: 10 },
      ],
    })
    assert.deepEqual(traffic, { maxIngress: 25e9, maxEgress: 1.5e6, dscp: 46 })
    assert.equal(onUnsupported, 'allow')
    assert.deepEqual(
      rules.filter(({ direction }) => direction === 'egress').map(({ level, dscp }) => [level, dscp]),
      [
        [0, 8],
        [1, 10],
        [2, undefined],
      ],
      'the first that matches marks',
    )
    assert.equal(specOf({ bandwidth: { max: { egress: '999999999999999T' } } }).traffic?.maxEgress, Number.MAX_SAFE_INTEGER)
    assert.deepEqual([specOf({ bandwidth: { max: {} } }).traffic, specOf({ dscp: 0 }).traffic], [undefined, { dscp: 0 }])
  })
})

describe('of several UnifiedNetworkPolicies', () => {
  const made = (name: string, spec: object, creationTimestamp = '2026-01-01T00:00:00Z'): CommonPolicy =>
    policyOf(spec, name, { creationTimestamp })
  function inForce(policies: readonly CommonPolicy[], who = x): string | undefined {
    const { directory } = worldOf([who, y, z], policies)
    const [number = 0] = directory.select({ namespace: 'a', labels: [{ key: 'app', operator: 'In', values: ['x'] }] })
    return new UnifiedChoice(policies).inForceOn(directory.factsOf(number)!, directory)?.of.name
  }

  test('the one that a pod names is in force on it, though it does not select it', () => {
    const policies = [made('top', { ...selects('x'), priority: 1000 }), made('named', selects('y'))]
    assert.equal(inForce(policies), 'top')
    assert.equal(inForce(policies, { ...x, unified: 'named' }), 'named')
    assert.equal(inForce(policies, { ...x, unified: 'nobody' }), 'top')
  })

  test('the highest, then the oldest, then the first by name is in force, and no other judges', () => {
    assert.equal(inForce([made('a', { ...selects('x'), priority: 1 }), made('b', { ...selects('x'), priority: 2 })]), 'b')
    assert.equal(inForce([made('a', selects('x'), '2026-01-02T00:00:00Z'), made('b', selects('x'))]), 'b')
    const policies = [made('b', selects('x')), made('a', selects('x')), made('c', selects('y'))]
    assert.equal(inForce(policies), 'a')
    const { sets, numberOf } = worldOf([x, y, z], policies)
    assert.deepEqual(
      sets.map(({ subjects }) => subjects),
      [[], [numberOf('a/x')], [numberOf('a/y')]],
    )
  })
})
