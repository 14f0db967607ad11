import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { CommonPolicy, ReadPolicy } from '../../core/policy/one-form.ts'
import { policyKinds, readPolicy } from '../../core/policy/read.ts'
import { world } from '../../core/kinds/policy/tiers.ts'
import { verdictOn, type Transport } from '../../core/policy/verdict.ts'
import { member, resource, worldOf } from './policy-things.ts'

const cluster = (spec: object): ReadPolicy =>
  readPolicy(resource('ClusterNetworkPolicy', 'p', { tier: 'Admin', priority: 7, subject: { namespaces: {} }, ...spec }))
const problemsOf = ({ problems }: ReadPolicy): readonly string[] => problems.map(({ path, message }) => `${path} ${message}`)

const web = member('a/web', { app: 'web' }, { containerPorts: { 'tcp/http': 80 } })
const db = member('b/db', { app: 'db' })
const everyone = { namespaces: {} }
const dbs = { pods: { namespaceSelector: {}, podSelector: { matchLabels: { app: 'db' } } } }
const tcp = (l4Port: number): Transport => ({ protocol: 6, l4Port })

/** Whether policies let `b/db` connect to `a/web`. */
function isLetIn(policies: readonly CommonPolicy[], transport: Transport = tcp(80)): boolean {
  const { sets, numberOf } = worldOf([web, db], policies)
  const peer = { identity: numberOf('b/db'), address: '10.0.0.2' }
  return verdictOn(sets, { subject: numberOf('a/web'), direction: 'ingress', peer, transport }).isAllowed
}
const ruled = (action: string, more: object = {}): CommonPolicy => cluster({ ingress: [{ action, from: [dbs], ...more }] }).policy!

describe('a cluster-wide policy', () => {
  test('is of the tier that it names, and asked by its priority', () => {
    const tierOf = (spec: object): unknown => [cluster(spec).policy?.tier, cluster(spec).policy?.priority]
    assert.deepEqual(tierOf({}), ['admin', 7])
    assert.deepEqual(tierOf({ tier: 'Baseline' }), ['baseline', 7])
    const baseline = readPolicy(resource('BaselineAdminNetworkPolicy', 'default', { subject: everyone }))
    assert.deepEqual([baseline.policy?.tier, baseline.policy?.priority], ['baseline', 1_000])
  })

  test('accepts, denies or passes on what its first matching rule says', () => {
    assert.equal(isLetIn([ruled('Deny')]), false)
    assert.equal(isLetIn([ruled('Pass')]), true)
    const closed = readPolicy(resource('NetworkPolicy', 'a/closed', { podSelector: {} })).policy!
    assert.equal(isLetIn([closed, ruled('Accept')]), true)
    assert.equal(isLetIn([closed, ruled('Pass')]), false)
    const both = cluster({
      ingress: [
        { action: 'Pass', from: [dbs] },
        { action: 'Deny', from: [everyone] },
      ],
    }).policy!
    assert.equal(isLetIn([both]), true)
  })

  test('tells protocols, ports, ranges and named ports apart', () => {
    const only = (...protocols: readonly object[]): readonly boolean[] =>
      [tcp(80), tcp(81), { protocol: 17, l4Port: 80 }].map((transport) => !isLetIn([ruled('Deny', { protocols })], transport))
    assert.deepEqual(only({ tcp: {} }), [true, true, false])
    assert.deepEqual(only({ tcp: { destinationPort: { number: 80 } } }), [true, false, false])
    assert.deepEqual(only({ tcp: { destinationPort: { range: { start: 81, end: 90 } } } }, { udp: {} }), [false, true, true])
    assert.deepEqual(only({ destinationNamedPort: 'http' }), [true, false, false])
  })

  test('knows networks outside, and closes where it is asked for nodes or names that are not resolved', () => {
    const out = (action: string, ...to: readonly object[]): readonly unknown[] => {
      const read = cluster({ egress: [{ action, to }] })
      const { sets, numberOf } = worldOf([web, db], [read.policy!])
      const peer = { identity: world, address: '192.0.2.1' }
      const isAllowed = verdictOn(sets, { subject: numberOf('a/web'), direction: 'egress', peer, transport: tcp(80) }).isAllowed
      return [isAllowed, ...problemsOf(read)]
    }
    assert.deepEqual(out('Deny', { networks: ['192.0.2.0/24'] }), [false])
    assert.deepEqual(out('Deny', { networks: ['198.51.100.0/24', '2001:db8::/32'] }), [true])
    assert.deepEqual(out('Deny', { nodes: {} }), [
      false,
      '/spec/egress/0/to/0/nodes are not told from other addresses: name their networks',
    ])
    assert.deepEqual(out('Pass', { domainNames: ['example.org'] })[0], false)
    assert.deepEqual(out('Accept', { domainNames: ['example.org'] })[0], true)
    assert.deepEqual(cluster({ egress: [{ action: 'Accept', to: [{ domainNames: ['example.org'] }] }] }).policy?.rules, [])
  })

  test('takes a peer that it does not know for everybody where it denies, and for nobody where it accepts', () => {
    const strange = (action: string): ReadPolicy => cluster({ ingress: [{ action, from: [{ galaxies: {} }] }] })
    assert.deepEqual(problemsOf(strange('Deny')), ['/spec/ingress/0/from/0/galaxies is not known here'])
    assert.deepEqual(strange('Pass').policy?.rules, [{ source: '/spec/ingress/0', direction: 'ingress', action: 'deny' }])
    assert.deepEqual(strange('Accept').policy?.rules, [])
    // Of 0.1.1 of the API: one level deeper, and not to be taken for a selector that selects all.
    const deeper = { pods: { namespaces: { namespaceSelector: {} }, podSelector: {} } }
    assert.deepEqual(cluster({ ingress: [{ action: 'Accept', from: [deeper] }] }).policy?.rules, [])
  })

  test('is refused whole where its subject, tier or priority cannot be read', () => {
    assert.deepEqual(problemsOf(cluster({ subject: {} })), ['/spec/subject must name namespaces or pods'])
    assert.deepEqual(problemsOf(cluster({ tier: 'Other' })), ['/spec/tier must be Admin or Baseline'])
    assert.deepEqual(problemsOf(cluster({ priority: 1001 })), ['/spec/priority must be a number from 0 to 1000'])
    assert.equal(cluster({ priority: 1001 }).policy, undefined)
  })

  test('of a form that its kind has not is read as far as it goes, and closes where it would have denied', () => {
    const form = 'is not of the form that its kind has'
    const ingressOf = (ingress: unknown): readonly unknown[] => {
      const read = cluster({ ingress })
      return [...(read.policy?.rules ?? []).map(({ source, action, peers }) => [source, action, peers]), ...problemsOf(read)]
    }
    assert.deepEqual(ingressOf('all'), [['/spec/ingress', 'deny', undefined], '/spec/ingress must be a list'])
    assert.deepEqual(ingressOf([null]), [['/spec/ingress/0', 'deny', undefined], `/spec/ingress/0 ${form}`])
    assert.deepEqual(ingressOf([{ action: 'Pass', from: 'all' }]), [['/spec/ingress/0', 'deny', undefined], `/spec/ingress/0 ${form}`])
    assert.deepEqual(ingressOf([{ action: 'Accept', from: 'all' }]), [`/spec/ingress/0 ${form}`])
    assert.deepEqual(ingressOf([{ action: 'Accept', from: [dbs], protocols: [null] }]), [`/spec/ingress/0/protocols/0 ${form}`])
    assert.deepEqual(ingressOf([{ action: 'Deny', from: [{ networks: [5] }] }]), [
      ['/spec/ingress/0', 'deny', undefined],
      `/spec/ingress/0/from/0 ${form}`,
    ])
    assert.deepEqual(ingressOf([{ action: 'toString', from: [dbs] }]), [
      ['/spec/ingress/0', 'deny', undefined],
      '/spec/ingress/0/action must be Allow, Accept, Deny or Pass',
    ])
    assert.deepEqual(problemsOf(cluster({ tier: 'constructor' })), ['/spec/tier must be Admin or Baseline'])
    assert.deepEqual(problemsOf(cluster({ subject: null })), [`/spec/subject ${form}`])
    for (const kind of policyKinds) assert.doesNotThrow(() => readPolicy(resource(kind, 'a/p', null)), kind)
    // What stands beside it is in force as it was.
    const beside = cluster({ ingress: [{ action: 'Accept', from: [dbs] }, null] }).policy!
    assert.equal(isLetIn([beside]), true)
  })

  test('has at most 64 changes between accepting and denying: behind them it denies', () => {
    const alternating = Array.from({ length: 70 }, (_, i) => ({
      action: i % 2 === 0 ? 'Accept' : 'Deny',
      from: [dbs],
      protocols: [{ tcp: { destinationPort: { number: 1_000 + i } } }],
    }))
    const policy = cluster({ ingress: alternating }).policy!
    const { spec, problems } = worldOf([web, db], [policy]).compile(policy)
    assert.equal(Math.max(...spec.rules.map(({ level }) => level)), 63)
    assert.deepEqual(problems.map(({ path }) => path).slice(0, 2), ['/spec/ingress/63', '/spec/ingress/64'])
    assert.deepEqual([isLetIn([policy], tcp(1_062)), isLetIn([policy], tcp(1_064)), isLetIn([policy], tcp(80))], [true, false, false])
  })

  test('shares a level between neighbours that do the same', () => {
    const policy = cluster({
      ingress: ['Deny', 'Deny', 'Accept', 'Deny'].map((action, i) => ({
        action,
        from: [{ namespaces: { matchLabels: { i: String(i) } } }],
      })),
    })
    const { spec } = worldOf([web, db], [policy.policy!]).compile(policy.policy!)
    assert.deepEqual(
      spec.rules.filter(({ action }) => action === 'deny').map(({ level }) => level),
      [0, 0, 2],
    )
  })
})
