import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { describe, test } from 'node:test'
import { readPolicy } from '../../core/policy/read.ts'
import type { CommonPolicy } from '../../core/policy/one-form.ts'
import { drawCase, type Policy } from '../policy/drawn-policies.ts'
import { trials } from '../setup/trials.ts'
import { Dice } from '../sim/dice.ts'
import { member, resource, worldOf } from './policy-things.ts'

const keyOf = ({ metadata: { namespace, name } }: Policy): string => `${namespace}/${name}`
const read = (policies: readonly Policy[]): readonly CommonPolicy[] =>
  policies.map((each) => readPolicy(resource('NetworkPolicy', keyOf(each), each.spec)).policy!)

/** With the seed that repeats it. */
function overCases(what: (drawn: ReturnType<typeof drawCase>) => void): void {
  const seed = randomInt(2 ** 32)
  for (let i = 0; i < trials(500); i++)
    try {
      what(drawCase(new Dice(seed).fork(String(i))))
    } catch (cause) {
      throw new Error(`case ${i} of seed ${seed}`, { cause })
    }
}

describe('compiled policies', () => {
  test('are the same whatever the order of policies, pods and rules that may have any', () =>
    overCases(({ pods, networkPolicies }) => {
      const bySource = ({ sets }: ReturnType<typeof worldOf>): readonly object[] =>
        sets.map(({ number: _, ...set }) => set).sort((a, b) => (a.policy.uid < b.policy.uid ? -1 : 1))
      const policies = read(networkPolicies)
      assert.deepEqual(bySource(worldOf(pods.toReversed(), policies.toReversed())), bySource(worldOf(pods, policies)))
    }))

  test('of others stay as they are where a tenant selects in his own namespace', () =>
    overCases(({ pods, networkPolicies }) => {
      const policies = read(networkPolicies)
      const evil = readPolicy(
        resource('NetworkPolicy', 'evil/p', {
          podSelector: { matchExpressions: [{ key: 'app', operator: 'Exists' }] },
          ingress: [{ from: [{ podSelector: { matchLabels: { tier: 'one' } } }], ports: [{ port: 'http-tcp' }] }],
        }),
      ).policy!
      const everybody = [...pods, member('evil/e', { app: 'web', tier: 'one' })]
      const [before, after] = [worldOf(everybody, policies), worldOf(everybody, [...policies, evil])]
      for (const { port } of pods) assert.equal(after.numberOf(port), before.numberOf(port))
      const mine = after.numberOf('evil/e')
      const was = before.numberOf('evil/e')
      // His own new number alone may stand in the sets of those who let him in.
      const others = after.sets.slice(0, -1).map((set) => JSON.stringify(set.rules).replaceAll(String(mine), String(was)))
      assert.deepEqual(
        others.map(sortNumbers),
        before.sets.map((set) => sortNumbers(JSON.stringify(set.rules))),
      )
    }))

  test('keep the numbers of rules that stay where another comes before them', () => {
    const rules = Array.from({ length: 20 }, (_, i) => ({ ports: [{ port: 1_000 + i }] }))
    const indexes = (ingress: readonly object[]): ReadonlyMap<number | undefined, number> => {
      const policy = readPolicy(resource('NetworkPolicy', 'a/p', { podSelector: {}, ingress })).policy!
      const { spec } = worldOf([member('a/web')], [policy]).compile(policy)
      return new Map(spec.rules.map(({ transport, index }) => [transport?.[0]?.first, index]))
    }
    const [before, after] = [indexes(rules), indexes([{ ports: [{ port: 7 }] }, ...rules])]
    const moved = [...before].filter(([l4Port, index]) => after.get(l4Port) !== index)
    assert.ok(moved.length <= 1, `${moved.length} of 20 rules have another number`)
    assert.equal(new Set(after.values()).size, 21)
  })
})

const sortNumbers = (text: string): string =>
  text.replaceAll(/"identities":\[([\d,]*)\]/g, (_, list: string) => `"identities":[${list.split(',').sort().join()}]`)
