// What is in force in a VNI, kept up change by change, is what it is when it is made anew of the same policies.
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import type { PolicyFacts } from '../../core/kinds/policy/policy-identity.ts'
import { Directory } from '../../core/policy/directory.ts'
import { namespaceLabelsOf, type Member } from '../../core/policy/member.ts'
import { factsText } from '../../core/policy/numbers.ts'
import type { CommonPolicy } from '../../core/policy/one-form.ts'
import { readPolicy } from '../../core/policy/read.ts'
import { resource } from '../core/policy-things.ts'
import { drawCase, type Policy } from '../policy/drawn-policies.ts'
import { trials } from '../setup/trials.ts'
import { Dice } from '../sim/dice.ts'
import { InForce } from '../../workers/policy/vni-policies.ts'

const keyOf = ({ metadata: { namespace, name } }: Policy): string => `${namespace ?? 'x'}/${name}`
const words = ['web', 'db', 'ops']

/** Of three kinds; those of tenants name groups and are at most one on a pod. */
function drawPolicies(dice: Dice): readonly CommonPolicy[] {
  const { networkPolicies, admin } = drawCase(dice)
  const groups = words.map((name) => {
    const rules = [{ direction: 'ingress', remoteGroup: dice.pick(words) }]
    return readPolicy(resource('SecurityGroup', `${dice.pick(['x', 'y'])}/${name}`, { rules }))
  })
  const unified = words.map((name, i) => {
    const spec = { podSelector: { matchLabels: { app: dice.pick(words) } }, priority: dice.int(3), defaults: { ingress: 'deny' } }
    return readPolicy(resource('UnifiedNetworkPolicy', `${dice.pick(['x', 'y'])}/u-${name}`, spec, { uid: `u-${i}` }))
  })
  const others = [
    ...networkPolicies.map((each) => readPolicy(resource('NetworkPolicy', keyOf(each), each.spec))),
    ...admin.map((each) => readPolicy(resource('AdminNetworkPolicy', each.metadata.name, each.spec))),
  ]
  return [...others, ...groups, ...unified].flatMap(({ policy }) => policy ?? [])
}

const drawMembers = (dice: Dice): readonly Member[] =>
  drawCase(dice).pods.map((pod) => ({ ...pod, securityGroups: dice.chance(0.5) ? [`${pod.namespace}/${dice.pick(words)}`] : [] }))

/** All that anybody asks of it. */
function answersOf(inForce: InForce, members: readonly Member[], clusterWide: readonly CommonPolicy[]): object {
  const all = members.map((member) => inForce.relevance.factsOf(member))
  const directory = new Directory(
    [...new Map(all.map((facts) => [factsText(facts), facts])).values()].map((facts, i) => ({ number: i + 1, facts })),
    (name) => namespaceLabelsOf(name),
  )
  const named = (policies: readonly (CommonPolicy | undefined)[]): readonly string[] =>
    policies.map((each) => (each === undefined ? 'none' : `${each.of.kind} ${each.of.uid}`)).sort()
  const of = (facts: PolicyFacts): object => [
    factsText(facts),
    named(inForce.on(facts, directory)),
    named(inForce.matching(facts, directory)),
    named([inForce.unified.inForceOn(facts, directory)]),
  ]
  const levels = clusterWide.map((each) => [inForce.ties.firstLevel(each), named(inForce.ties.of(each).map(({ policy }) => policy))])
  return { isEmpty: inForce.isEmpty, all: all.map(of), levels }
}

test('policies that come and go leave what they would be alone', (t) => {
  const first = randomInt(2 ** 40)
  t.diagnostic(`${trials(300)} seeds from ${first}`)
  for (let seed = first; seed < first + trials(300); seed++) {
    const dice = new Dice(seed)
    const [policies, members] = [drawPolicies(dice.fork('policies')), drawMembers(dice.fork('members'))]
    const there = new Set(policies.filter(() => dice.chance(0.3)))
    const inForce = new InForce(there)
    for (let change = 0; change < 20; change++) {
      const policy = dice.pick(policies)
      if (there.delete(policy)) inForce.remove(policy)
      else {
        there.add(policy)
        inForce.add(policy)
      }
      const clusterWide = [...there].filter(({ tier }) => tier === 'admin')
      assert.deepEqual(
        answersOf(inForce, members, clusterWide),
        answersOf(new InForce(there), members, clusterWide),
        `seed ${seed}, change ${change}`,
      )
    }
    for (const policy of there) inForce.remove(policy)
    assert.deepEqual(answersOf(inForce, members, []), answersOf(new InForce([]), members, []), `seed ${seed}, all gone`)
  }
})
