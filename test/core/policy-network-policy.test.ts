import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { world } from '../../core/kinds/policy/tiers.ts'
import type { CommonPolicy, ReadPolicy } from '../../core/policy/one-form.ts'
import { readPolicy } from '../../core/policy/read.ts'
import { verdictOn, type Transport } from '../../core/policy/verdict.ts'
import { member, resource, worldOf } from './policy-things.ts'

const read = (spec: unknown): ReadPolicy => readPolicy(resource('NetworkPolicy', 'a/p', spec))
const policyOf = (spec: unknown): CommonPolicy => read(spec).policy!
const problemsOf = (spec: unknown): readonly string[] => read(spec).problems.map(({ path, message }) => `${path} ${message}`)

const web = member('a/web', { app: 'web' }, { containerPorts: { 'tcp/http': 80, 'udp/dns': 53 } })
const old = member('a/old', { app: 'web', age: 'old' }, { containerPorts: { 'tcp/http': 8080 } })
const db = member('a/db', { app: 'db' })
const far = member('b/far', { app: 'db' })
const all = [web, old, db, far]
const tcp = (l4Port: number): Transport => ({ protocol: 6, l4Port })

interface Attempt {
  readonly into?: string
  readonly from?: string
  readonly transport?: Transport
}

/** Whether a NetworkPolicy of namespace `a` lets this into a Port; `from` is a Port or an address. */
function isLetIn(spec: unknown, { into = 'a/web', from = 'a/db', transport = tcp(80) }: Attempt = {}): boolean {
  const { sets, numberOf } = worldOf(all, [policyOf(spec)])
  const isPort = from.includes('/')
  const peer = { identity: isPort ? numberOf(from) : world, address: isPort ? '10.0.0.9' : from }
  return verdictOn(sets, { subject: numberOf(into), direction: 'ingress', peer, transport }).isAllowed
}
function isLetOut(spec: unknown, { into = 'a/web', from = 'a/db', transport = tcp(80) }: Attempt = {}): boolean {
  const { sets, numberOf } = worldOf(all, [policyOf(spec)])
  const isPort = into.includes('/')
  const peer = { identity: isPort ? numberOf(into) : world, address: isPort ? '10.0.0.9' : into }
  return verdictOn(sets, { subject: numberOf(from), direction: 'egress', peer, transport }).isAllowed
}
const from = (...peers: readonly object[]): object => ({ podSelector: {}, ingress: [{ from: peers }] })
const at = (...ports: readonly object[]): object => ({ podSelector: {}, ingress: [{ ports }] })

describe('a NetworkPolicy', () => {
  test('isolates ingress always, and egress where its types or its rules say so', () => {
    const isolates = (spec: object): readonly string[] => policyOf({ podSelector: {}, ...spec }).isolates
    assert.deepEqual(isolates({}), ['ingress'])
    assert.deepEqual(isolates({ egress: [] }), ['ingress'])
    assert.deepEqual(isolates({ egress: [{}] }), ['ingress', 'egress'])
    assert.deepEqual(isolates({ policyTypes: ['Egress'] }), ['egress'])
    assert.equal(policyOf({ podSelector: {}, policyTypes: ['Egress'], ingress: [{}] }).rules.length, 0)
  })

  test('judges the pods that it selects in its own namespace', () => {
    assert.equal(isLetIn({ podSelector: { matchLabels: { app: 'web' } } }), false)
    assert.equal(isLetIn({ podSelector: { matchLabels: { app: 'web' } } }, { into: 'a/db', from: 'a/web' }), true)
    assert.equal(isLetIn({ podSelector: {} }, { into: 'b/far' }), true)
    const notWeb = { podSelector: { matchExpressions: [{ key: 'age', operator: 'NotIn', values: ['old'] }] } }
    assert.equal(isLetIn(notWeb, { into: 'a/old' }), true)
    assert.equal(isLetIn(notWeb, { into: 'a/web' }), false, 'NotIn selects those without the label too')
  })

  test('allows pods of its namespace, of others, or of all', () => {
    const dbs = { podSelector: { matchLabels: { app: 'db' } } }
    const inB = { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'b' } } }
    const whether = (...peers: readonly object[]): readonly boolean[] =>
      ['a/db', 'b/far', 'a/old', '192.0.2.1'].map((each) => isLetIn(from(...peers), { from: each }))
    assert.deepEqual(whether(dbs), [true, false, false, false])
    assert.deepEqual(whether(inB), [false, true, false, false])
    assert.deepEqual(whether({ ...dbs, ...inB }), [false, true, false, false])
    assert.deepEqual(whether({ ...dbs, namespaceSelector: {} }), [true, true, false, false])
    assert.deepEqual(whether({ namespaceSelector: {} }), [true, true, true, false])
    assert.deepEqual(whether(), [true, true, true, true])
  })

  test('allows a block less what is excepted', () => {
    const block = from({ ipBlock: { cidr: '192.0.2.0/24', except: ['192.0.2.64/26', '192.0.2.1/32'] } })
    assert.deepEqual(
      ['192.0.2.2', '192.0.2.63', '192.0.2.64', '192.0.2.127', '192.0.2.128', '192.0.2.1', '198.51.100.1'].map((each) =>
        isLetIn(block, { from: each }),
      ),
      [true, true, false, false, true, false, false],
    )
  })

  test('allows ports by number, range, protocol and name, each container its own', () => {
    assert.equal(isLetIn(at({ port: 80 })), true)
    assert.equal(isLetIn(at({ port: 80, protocol: 'UDP' })), false)
    assert.equal(isLetIn(at({ protocol: 'SCTP' }), { transport: { protocol: 132, l4Port: 7 } }), true)
    assert.equal(isLetIn(at({ port: 79, endPort: 81 })), true)
    assert.equal(isLetIn(at({ port: 81, endPort: 90 })), false)
    assert.equal(isLetIn(at({ port: 'http' })), true)
    assert.equal(isLetIn(at({ port: 'http' }), { into: 'a/old' }), false)
    assert.equal(isLetIn(at({ port: 'http' }), { into: 'a/old', transport: tcp(8080) }), true)
    assert.equal(isLetIn(at({ port: 'dns' })), false)
    assert.equal(isLetIn(at({ port: 'dns', protocol: 'UDP' }), { transport: { protocol: 17, l4Port: 53 } }), true)
  })

  test('lets out to a named port of whoever has one of that name, and of no block', () => {
    const spec = { podSelector: {}, policyTypes: ['Egress'], egress: [{ ports: [{ port: 'http' }] }] }
    assert.equal(isLetOut(spec), true)
    assert.equal(isLetOut(spec, { into: 'a/old' }), false)
    assert.equal(isLetOut(spec, { into: 'a/old', transport: tcp(8080) }), true)
    assert.equal(isLetOut(spec, { into: '192.0.2.1' }), false)
    const toBlock = { ...spec, egress: [{ to: [{ ipBlock: { cidr: '0.0.0.0/0' } }], ports: [{ port: 'http' }] }] }
    assert.equal(isLetOut(toBlock), false)
    assert.deepEqual(problemsOf(toBlock), ['/spec/egress/0/to/0/ipBlock has no ports by name: those are left out for it'])
  })

  test('allows nothing by what cannot be read of it, keeps the rest, and says where that stands', () => {
    const wrong = from({ ipBlock: { cidr: '10.0.0.1/8' } }, { podSelector: {} })
    assert.deepEqual(problemsOf(wrong), ['/spec/ingress/0/from/0/ipBlock/cidr must be a block whose host bits are zero'])
    assert.deepEqual([isLetIn(wrong), isLetIn(wrong, { from: '10.0.0.2' })], [true, false])
    assert.deepEqual(problemsOf(from({ ipBlock: { cidr: '10.0.0.0/8', except: ['11.0.0.0/16'] } })), [
      '/spec/ingress/0/from/0/ipBlock/except/0 must be a block within the one that it is taken from',
    ])
    assert.deepEqual(problemsOf(from({})), ['/spec/ingress/0/from/0 must name selectors or an ipBlock'])
    assert.equal(isLetIn(from({})), false, 'a list of peers that cannot be read is not everybody')
    assert.deepEqual(problemsOf(at({ port: 'http', endPort: 90 })), ['/spec/ingress/0/ports/0/endPort is for a port that is a number'])
    assert.equal(isLetIn(at({ port: 90, endPort: 80 })), false)
    assert.deepEqual(problemsOf(from({ podSelector: {}, sameNode: true })), ['/spec/ingress/0/from/0/sameNode is not known here'])
    assert.equal(isLetIn(from({ podSelector: {}, sameNode: true })), false)
  })

  test('is refused whole where nobody can say whom it selects', () => {
    const { policy, problems } = read({ podSelector: { matchExpressions: [{ key: 'a', operator: 'Like', values: ['b'] }] } })
    assert.equal(policy, undefined)
    assert.deepEqual(
      problems.map(({ path }) => path),
      ['/spec/podSelector/matchExpressions/0/operator'],
    )
  })
})
