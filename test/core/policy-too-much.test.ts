// What a tenant may store and nobody could carry: more of a policy than is read, or than its rule set could hold, is said by its path, and
// opens nothing.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { peersMost } from '../../core/policy/compile.ts'
import { addressPartsOf } from '../../core/policy/rules/address-parts.ts'
import { decisionsOf } from '../../core/policy/rules/decided.ts'
import { partsMost } from '../../core/policy/problem.ts'
import { readPolicy } from '../../core/policy/read.ts'
import { member, resource, worldOf } from './policy-things.ts'

/** Cuts 0.0.0.0/0 into a thousand blocks. */
const cut = { cidr: '0.0.0.0/0', except: Array.from({ length: 30 }, (_, n) => `${n * 8}.1.2.3/32`) }
const blocksOf = ({ policy }: ReturnType<typeof readPolicy>): number =>
  (policy?.rules ?? []).reduce((sum, { peers }) => sum + (peers?.blocks.length ?? 0), 0)

test('of blocks, selectors and values so many are read in one policy, and the rest is not done, each at its path', () => {
  const many = <T>(peer: T): T[] => Array.from({ length: 3_000 }, () => peer)
  const values = Array.from({ length: 100 }, (_, n) => `v${n}`)
  const inValues = { matchExpressions: [{ key: 'a', operator: 'In', values }] }
  for (const [name, from, path] of [
    ['blocks', many({ ipBlock: cut }), /^\/spec\/ingress\/0\/from\/\d+\/ipBlock\/(cidr|except)$/],
    ['values', many({ podSelector: inValues }), /^\/spec\/ingress\/0\/from\/\d+$/],
    ['selectors', Array.from({ length: partsMost + 9 }, () => ({ podSelector: {} })), /^\/spec\/ingress\/0\/from\/\d+$/],
  ] as const) {
    const read = readPolicy(resource('NetworkPolicy', 'a/many', { podSelector: {}, ingress: [{ from }] }))
    assert.ok(blocksOf(read) <= partsMost, name)
    assert.ok(read.problems.length > 0 && read.problems.every((each) => path.test(each.path) && each.isUnsupported === true), name)
    assert.match(read.problems[0]!.message, /^is more than 16384 blocks, selectors and values in one policy$/)
    assert.ok(read.policy!.rules.length === 1, 'what fits is in force')
  }
})

test('a rule that denies what is too much denies everything', () => {
  const peers = Array.from({ length: 32 }, () => ({ ...cut, except: cut.except.slice(0, 16) }))
  const spec = { podSelector: {}, ingress: Array.from({ length: 63 }, () => ({ action: 'deny', peers })) }
  const { policy, problems } = readPolicy(resource('UnifiedNetworkPolicy', 'a/many', spec))
  const [first, last] = [
    policy!.rules.find(({ direction }) => direction === 'ingress'),
    policy!.rules.find(({ source }) => source === '/spec/ingress/62'),
  ]
  assert.equal(first?.peers?.blocks.length === 0, false)
  assert.deepEqual([last?.action, last?.peers], ['deny', undefined])
  assert.ok(problems.some(({ path }) => path.startsWith('/spec/ingress/62/peers/31/')))
})

test('rules that name more than a rule set can hold are left out from there on, and what they might have denied is denied', () => {
  // Each calls the port that the rule names by another number: it is as many rules, with all blocks in each.
  const members = Array.from({ length: 200 }, (_, n) => member(`a/p${n}`, {}, { containerPorts: { 'tcp/web': n + 1 } }))
  const peers = Array.from({ length: 4 }, () => ({ ...cut, except: cut.except.slice(0, 16) }))
  for (const action of ['allow', 'deny'] as const) {
    const spec = { podSelector: {}, ingress: [{ action, ports: [{ l4PortName: 'web' }], peers }] }
    const { policy } = readPolicy(resource('UnifiedNetworkPolicy', 'a/many', spec))
    const { spec: set, problems } = worldOf(members, [policy!]).compile(policy!)
    const held = set.rules.reduce((sum, { peers: who, subjects = [] }) => sum + subjects.length + (who?.blocks.length ?? 0), 0)
    assert.ok(held <= peersMost && held > peersMost / 2, `${held}`)
    assert.deepEqual(problems[0], {
      path: '/spec/ingress/0',
      message: 'is more than 32768 identities and blocks in one policy',
      isUnsupported: true,
    })
    const { action: last, peers: who, transport } = set.rules.at(-1)!
    if (action === 'deny') assert.deepEqual([last, who, transport], ['deny', undefined, undefined])
    else assert.equal(last, 'allow')
  }
})

test('where connections are not followed, what thousands of blocks decide is asked for each rule, and not for each block', () => {
  const peers = (n: number) => Array.from({ length: 32 }, (_, i) => ({ cidr: `10.${n}.${i * 2}.0/24` }))
  const rules = Array.from({ length: 63 }, (_, n) => ({ action: n % 2 === 0 ? 'deny' : 'allow', peers: peers(n) }))
  const spec = { podSelector: {}, defaults: { ingress: 'deny', egress: 'deny' }, ingress: rules, egress: rules }
  const { policy } = readPolicy(resource('UnifiedNetworkPolicy', 'a/many', spec))
  const world = worldOf([member('a/web')], [policy!])
  const parts = addressPartsOf(world.sets, 4)
  assert.ok(parts.length > 4_000, `${parts.length}`)
  assert.equal(new Set(parts.map(({ sets }) => sets)).size, 64, 'one for each rule, and one for who is in no block')
  const decided = decisionsOf(world.sets, world.numberOf('a/web')).filter(
    ({ range, direction }) => range.family === 4 && direction === 'egress',
  )
  assert.equal(decided.filter(({ isAllowed }) => isAllowed).length, 31 * 32)
})
