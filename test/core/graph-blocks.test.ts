// Blocks of addresses on BESS: which tables they are, and how many of them are too many. That they say what verdicts say is
// policy-stateless.test.ts'.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { baseItems } from '../../core/graph/base.ts'
import type { MadeElement, RuleElement } from '../../core/graph/elements.ts'
import { graphRenderer } from '../../core/graph/renderer.ts'
import { parseCidr } from '../../core/net/cidr.ts'
import type { RuleSet } from '../../core/node/wanted.ts'
import { judgementPiece, type Judgement } from '../../core/pieces/policy/judgement.ts'
import { notDone } from '../../core/pieces/policy/not-done.ts'
import { mirrored } from '../laws/rule-sets.ts'

const renderer = graphRenderer({ dpdkBy: 'vhost-user', socketFolder: '/run' })

/** Whoever has the identity 1 may talk to what is in some blocks and not in others. */
const exceptFor = (allowed: readonly string[], denied: readonly string[], identities: readonly number[] = []): RuleSet =>
  mirrored({
    namespace: 'net',
    vni: 5001,
    number: 1,
    tier: 'unified',
    policy: { kind: 'UnifiedNetworkPolicy', namespace: 'a', name: 'x', uid: 'u' },
    priority: 0,
    subjects: [1],
    isolates: [],
    rules: (
      [
        ['deny', denied],
        ['allow', allowed],
        ['deny', undefined],
      ] as const
    ).map(([action, blocks], index) => ({
      index,
      source: `/spec/ingress/${index}`,
      direction: 'ingress',
      level: index,
      action,
      ...(blocks && { peers: { identities: index === 1 ? [...identities] : [], blocks: [...blocks] } }),
    })),
  })
const judgement = (set: RuleSet, numbers: readonly number[] = [7]): Judgement => ({
  vni: 5001,
  identity: 1,
  ports: numbers.map((number) => ({
    number,
    ifcName: `mgz${number}`,
    of: { kind: 'Port', namespace: 'a', name: `p${number}` },
    portSecurity: true,
  })),
  sets: [set],
})
const textsOf = (set: RuleSet, numbers?: readonly number[]): ReadonlyMap<string, string> =>
  new Map(renderer.render(judgementPiece, judgement(set, numbers)).map(({ key, text }) => [key, text]))
const rulesOf = (set: RuleSet): readonly RuleElement[] =>
  renderer.render(judgementPiece, judgement(set)).flatMap(({ value }) => (value.kind === 'rule' ? [value] : []))

const wide = exceptFor(['0.0.0.0/0', '::/0'], ['10.1.2.3/32', '2001:db8::1/128'])

describe('blocks of addresses on BESS', () => {
  test('are in as many tables as their lengths need, and each has just so many combinations of masks as bessd takes', () => {
    const byTable = Map.groupBy(
      rulesOf(wide).filter(({ masks }) => masks !== undefined),
      ({ table }) => table,
    )
    for (const [table, rules] of byTable) assert.ok(new Set(rules.map(({ masks }) => masks!.join('.'))).size <= 8, table)
    const ofFour = [...byTable.keys()].filter((table) => table.startsWith('block4.out.'))
    assert.equal(ofFour.length, 4)
    const all = byTable.get(ofFour[0]!)!.length
    assert.equal([...byTable.keys()].filter((table) => table.startsWith('block6.in.')).length, 16)
    assert.equal(all, 8)
  })

  test('lead from one table to the next, and the last lets nothing pass', () => {
    const texts = textsOf(exceptFor(['10.0.0.0/8', '192.0.2.0/24'], []))
    const of = (group: number): string => `block4.in.5001.1.16777216.${group}`
    assert.equal(texts.get('rule/else.in/0007.0800'), of(3))
    assert.match(texts.get(`module/${of(3)}`)!, new RegExp(`> ${of(1)}$`))
    assert.doesNotMatch(texts.get(`module/${of(1)}`)!, />/)
    assert.equal(texts.get(`rule/${of(1)}/0a000000/ff000000`), 'give priority 1')
    assert.equal(texts.get(`rule/${of(3)}/c0000200/ffffff00`), 'give priority 1')
  })

  test('that change change nothing but themselves, and are once for all ports of an identity', () => {
    const [before, after] = [['192.0.2.0/24'], ['192.0.3.0/24']].map((blocks) => textsOf(exceptFor(['10.0.0.0/8', ...blocks], [])))
    const changed = [...after!].filter(([key, text]) => before!.get(key) !== text).map(([key]) => key)
    assert.deepEqual(
      changed,
      ['out', 'in'].map((way) => `rule/block4.${way}.5001.1.16777216.3/c0000300/ffffff00`),
    )
    const [one, two] = [textsOf(wide, [7]), textsOf(wide, [7, 8])]
    assert.deepEqual(
      [...two.keys()].filter((key) => !one.has(key)),
      [...one.keys()].filter((key) => /^rule\/(may|else)\./.test(key)).map((key) => key.replace('/0007.', '/0008.')),
    )
  })

  test('beyond what a node is given for one policy are said', () => {
    assert.deepEqual(notDone.bess(wide), [])
    const many = Array.from({ length: 30 }, (_, i) => `2001:db8:${i}::/48`)
    const ids = Array.from({ length: 10 }, (_, i) => i + 10)
    assert.ok(many.every((block) => parseCidr(block) !== undefined))
    assert.match(notDone.bess(exceptFor(many, [], ids))[0]!.why, /may need 18720 elements, and BESS is given 4096/)
    assert.deepEqual(notDone.linux(exceptFor(many, [], ids)), [])
  })

  test('leave the anchor as many ways as a Replicate of bessd has', () => {
    const uplink = { ifcName: 'eth0', mac: '02:00:00:00:0f:01', address: '192.0.2.1', l4Port: 4789 }
    const gates = baseItems(uplink).flatMap(({ value }) => gatesOf(value as MadeElement))
    assert.ok(gates.length > 0 && Math.max(...gates) <= 32, gates.join())
  })
})

const gatesOf = (element: MadeElement): readonly number[] =>
  element.kind === 'module' && element.args.mclass === 'Replicate' ? [element.args.gates] : []
