// Who can talk to whom, of all at once: what asking each pair says, for no more than it may cost.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Resource } from '../../core/kinds/index.ts'
import type { RuleSetSpec } from '../../core/kinds/policy/policy-rule-set.ts'
import { matrixOf } from '../../core/policy/matrix.ts'
import { vlanMatrixOf } from '../../core/policy/vlan/matrix.ts'
import { traceOf, type TraceEnd } from '../../core/policy/trace/trace.ts'
import { drawRuleSets, identities } from '../laws/rule-sets.ts'
import { trials } from '../setup/trials.ts'
import { unifiedSet } from '../laws/unified-set.ts'
import { seeded } from '../workers/test-cluster.ts'
import { resource, vni } from './policy-things.ts'

const transport = { protocol: 6, l4Port: 443 } as const
const addressOf = (identity: number): string => `10.0.0.${identity}`
const portOf = (identity: number): Resource<'Port'> => {
  const port = resource('Port', `a/p${identity}`, { subnet: 's' })
  return { ...port, status: { ...port.status, addresses: [addressOf(identity)], vni, policy: { identity, ruleSets: [] } } }
}
const question = { identities: [], transport, family: 4 } as const

test('each cell is what asking all rule sets about its pair says', () => {
  const ports = identities.map(portOf)
  for (let seed = 1; seed <= trials(200); seed++) {
    const sets = drawRuleSets(seeded(seed), vni).map((set) => ({ ...set, rules: set.rules.filter(({ frame }) => frame === undefined) }))
    const ends = ports.map((port, i): TraceEnd => ({ port, address: addressOf(identities[i]!), identity: identities[i]! }))
    const { cells, more } = matrixOf({ ...question, ports, sets })
    const wanted = ends.map((from) => ends.map((to) => traceOf(sets, { from, to, transport })))
    assert.deepEqual([cells, more], [wanted, false], `seed ${seed}`)
  }
})

const many = Array.from({ length: 64 }, (_, i) => i + 1)
/** A thousand policies of 256 rules, each of which judges everybody. */
const dear = ((): readonly RuleSetSpec[] => {
  const rules = Array.from({ length: 256 }, (_, index): RuleSetSpec['rules'][number] => ({
    index,
    source: `/spec/ingress/${index}`,
    direction: 'ingress',
    level: 0,
    action: 'allow',
    peers: { identities: [], blocks: ['192.0.2.0/24'] },
  }))
  return Array.from({ length: 1_000 }, (_, i) => ({ ...unifiedSet({ vni, subjects: many, rules }), number: i + 1 }))
})()

test('of pairs that would cost too much it has none, and says that there are more', () => {
  const { groups, cells, more } = matrixOf({ ...question, ports: many.map(portOf), sets: dear })
  assert.deepEqual([groups, cells, more], [[], [], true])
  const fewer = matrixOf({ ...question, ports: many.map(portOf), sets: dear.slice(0, 10) })
  assert.ok(fewer.more && fewer.groups.length > 0 && fewer.groups.length < many.length)
  assert.equal(fewer.cells.length, fewer.groups.length)
})

test('of pods and blocks of a VLAN neither', () => {
  const interfaces = many.map((identity): TraceEnd => ({ port: portOf(identity), address: '', identity }))
  const { groups, more } = vlanMatrixOf({ ...question, interfaces, sets: dear })
  assert.deepEqual([groups, more], [[], true])
})
