// What a plan says of each pair of Ports: all that changes, for no more than it may cost.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RuleSetSpec } from '../../core/kinds/policy/policy-rule-set.ts'
import { changedPairs } from '../../core/policy/trace/changed.ts'
import { costMost } from '../../core/policy/trace/judging.ts'
import { traceOf, type TraceEnd } from '../../core/policy/trace/trace.ts'
import { drawConnection, drawRuleSets, identities } from '../laws/rule-sets.ts'
import { trials } from '../setup/trials.ts'
import { seeded } from '../workers/test-cluster.ts'
import { resource, vni } from './policy-things.ts'

const endOf = (identity: number): { readonly end: TraceEnd } => ({
  end: { identity, address: `10.0.${identity >> 8}.${identity & 255}`, port: resource('Port', `a/p${identity}`, { subnet: 's' }) },
})
const sends = (): boolean => true

test('it is what asking each pair of both sets of rules says', () => {
  const ends = identities.map(endOf)
  let found = 0
  for (let seed = 1; seed <= trials(300); seed++) {
    const random = seeded(seed)
    const before: readonly RuleSetSpec[] = drawRuleSets(random, vni)
    const other = drawRuleSets(random, vni)
    // Some stay as they are, under another number.
    const after = [...before.filter(() => random() < 0.7).map((set) => ({ ...set, number: set.number + 100 })), ...other.slice(0, 1)]
    const transports = [drawConnection(random, 4), drawConnection(random, 4)]
    const { changes, more } = changedPairs({ before, after, ends, transports, sends }, 1_000)
    const wanted = ends.flatMap((from) =>
      ends.flatMap((to) =>
        transports
          .filter((transport) => {
            const [was, is] = [before, after].map((sets) => traceOf(sets, { from: from.end, to: to.end, transport }).isAllowed)
            return was !== is
          })
          .map((transport) => `${from.end.identity} ${to.end.identity} ${JSON.stringify(transport)}`),
      ),
    )
    const said = changes.map(({ from, to, transport }) => `${from.end.identity} ${to.end.identity} ${JSON.stringify(transport)}`)
    assert.deepEqual([said, more], [wanted, false], `seed ${seed}`)
    found += said.length
  }
  assert.ok(found > 0)
})

test('of thousands whom policies tell apart it looks at so many pairs, says that there may be more, and of a set that stays at none', () => {
  const rules = Array.from({ length: 256 }, (_, index): RuleSetSpec['rules'][number] => ({
    index,
    source: `/spec/ingress/${index}`,
    direction: 'ingress',
    level: 0,
    action: 'allow',
    transport: [{ protocol: 6, first: index }],
  }))
  const ends = Array.from({ length: 2_000 }, (_, n) => endOf(n + 1))
  const set: RuleSetSpec = {
    vni,
    number: 1,
    tier: 'networkPolicy',
    policy: { kind: 'NetworkPolicy', namespace: 'a', name: 'p', uid: 'u' },
    priority: 0,
    subjects: ends.map(({ end }) => end.identity),
    isolates: [],
    rules,
  }
  const transports = [{ protocol: 6, l4Port: 65_535 }]
  const same = changedPairs({ before: [set], after: [{ ...set, number: 7 }], ends, transports, sends }, 10)
  assert.deepEqual(same, { changes: [], more: false })
  // Each pair asks for all rules of both its ends, before and after: of four millions some hundreds are looked at.
  const edited = { ...set, rules: rules.slice(1) }
  assert.ok(costMost / (2 * 512) < ends.length)
  const { changes, more } = changedPairs({ before: [set], after: [edited], ends, transports, sends }, 10)
  assert.deepEqual([changes, more], [[], true])
  const isolating = changedPairs({ before: [set], after: [{ ...edited, isolates: ['ingress'] }], ends, transports, sends }, 10)
  assert.deepEqual([isolating.changes.length, isolating.more], [10, true])
})
