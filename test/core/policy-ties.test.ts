// Cluster-wide policies of one priority: which is asked first, in verdicts and in the flows that a switch has.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CommonPolicy } from '../../core/policy/one-form.ts'
import { Problems } from '../../core/policy/problem.ts'
import { readPolicy } from '../../core/policy/read.ts'
import { statefulParts } from '../../core/policy/rules/stateless.ts'
import { levelled } from '../../core/policy/rules/levels.ts'
import { Ties } from '../../core/policy/rules/ties.ts'
import { verdictOn } from '../../core/policy/verdict.ts'
import { priorityOf } from '../../core/pipeline/policy/clauses.ts'
import { member, resource, worldOf } from './policy-things.ts'

type Rule = readonly [action: string, l4Port?: number]
const everybody = { namespaces: {} }

const clusterPolicy = (name: string, rules: readonly Rule[], more: object = {}): CommonPolicy => {
  const ingress = rules.map(([action, number]) => ({
    action,
    from: [everybody],
    ...(number !== undefined && { protocols: [{ tcp: { destinationPort: { number } } }] }),
  }))
  return readPolicy(resource('ClusterNetworkPolicy', name, { tier: 'Admin', priority: 7, subject: everybody, ingress, ...more })).policy!
}
const adminPolicy = (name: string, action: string): CommonPolicy =>
  readPolicy(resource('AdminNetworkPolicy', name, { priority: 7, subject: everybody, ingress: [{ action, from: [everybody] }] })).policy!
const baseline = readPolicy(
  resource('BaselineAdminNetworkPolicy', 'default', { subject: everybody, ingress: [{ action: 'Deny', from: [everybody] }] }),
).policy!

const web = member('a/web')
function isLetIn(policies: readonly CommonPolicy[], l4Port: number): boolean {
  const { sets, numberOf } = worldOf([web], policies)
  const peer = { identity: numberOf('a/web'), address: '10.0.0.2' }
  return verdictOn(sets, { subject: numberOf('a/web'), direction: 'ingress', peer, transport: { protocol: 6, l4Port } }).isAllowed
}

test('the first by name is asked first, then by kind, in whichever order they come, and the baseline of the older API last', () => {
  const [a, b] = [clusterPolicy('a', [['Accept', 80]]), clusterPolicy('b', [['Deny']])]
  const lastBaseline = clusterPolicy('x', [['Accept', 80]], { tier: 'Baseline', priority: 1_000 })
  for (const [policies, passes] of [
    [[a, b], true],
    [[clusterPolicy('c', [['Accept', 80]]), b], false],
    [[adminPolicy('a', 'Deny'), a], false],
    [[adminPolicy('b', 'Deny'), a], true],
    [[lastBaseline, baseline], true],
  ] as const)
    for (const some of [policies, policies.toReversed()]) assert.equal(isLetIn(some, 80), passes, some.map(({ of }) => of.name).join(' '))
  assert.equal(isLetIn([a, b], 81), false)
})

test('flows of what is asked later are weaker, whichever rules of both match', () => {
  const policies = ['a', 'b', 'c'].map((name) => clusterPolicy(name, [['Accept', 80], ['Deny', 81], ['Pass']]))
  const { sets } = worldOf([web], policies.toReversed())
  const all = sets
    .flatMap((set) => set.rules.map((rule) => ({ name: set.policy.name, priority: priorityOf({ ...set, namespace: 'n' }, rule), rule })))
    .sort((one, other) => other.priority - one.priority)
  assert.deepEqual(
    all.map(({ name, rule }) => `${name} ${rule.action}`),
    ['a', 'b', 'c'].flatMap((name) => [`${name} allow`, `${name} deny`, `${name} pass`]),
  )
  assert.equal(new Set(all.map(({ priority }) => priority)).size, 9)
})

test('what is alike in both directions stays so behind one that is not: data planes without connections do it all the same', () => {
  const [oneWay, both] = [clusterPolicy('a', [['Accept', 80], ['Deny']]), mirroredPolicy('b')]
  const { sets } = worldOf([web], [oneWay, both])
  const set = sets.find(({ policy }) => policy.name === 'b')!
  assert.deepEqual(
    set.rules.map(({ direction, level }) => [direction, level]),
    [
      ['ingress', 1],
      ['ingress', 2],
      ['egress', 1],
      ['egress', 2],
    ],
  )
  assert.deepEqual(statefulParts(set), [])
})

const mirroredPolicy = (name: string): CommonPolicy => {
  const rules = ['Deny', 'Accept'].map((action, n) => ({ action, networks: [`198.51.${n}.0/24`] }))
  const ingress = rules.map(({ action, networks }) => ({ action, from: [{ networks }] }))
  const egress = rules.map(({ action, networks }) => ({ action, to: [{ networks }] }))
  return clusterPolicy(name, [], { ingress, egress })
}

test('those about other namespaces each share levels, and of those that may meet what is behind the last level is denied and told', () => {
  const about = (name: string): object => ({ subject: { namespaces: { matchLabels: { 'kubernetes.io/metadata.name': name } } } })
  const rules: readonly Rule[] = [['Accept', 80], ['Deny', 81], ['Pass']]
  const apart = Array.from({ length: 100 }, (_, n) => clusterPolicy(`p${n}`, rules, about(`n${n}`)))
  const ties = new Ties(apart)
  assert.deepEqual([...new Set(apart.map((each) => ties.firstLevel(each)))], [0])

  const many = Array.from({ length: 30 }, (_, n) => clusterPolicy(`p${String(n).padStart(2, '0')}`, rules))
  const tied = new Ties(many)
  const levels = many.map((each) => {
    const problems = new Problems()
    const all = levelled(each, tied, problems).map(({ level, rule: { action } }) => `${level} ${action}`)
    return { all, told: problems.all.length }
  })
  assert.deepEqual(levels[1], { all: ['3 allow', '4 deny', '5 pass'], told: 0 })
  assert.deepEqual(levels[20], { all: ['60 allow', '61 deny', '62 pass'], told: 0 })
  for (const each of levels.slice(21)) assert.deepEqual(each, { all: ['63 deny'], told: 3 })
})
