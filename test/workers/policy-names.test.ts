// Policies about names outside: workers ask for them, write what is answered, and rules follow it.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import type { ResolvedAddress } from '../../core/contracts/name-lookup.ts'
import { openTestCluster, type TestCluster } from './test-cluster.ts'
import { makePod, withNetwork } from './network.ts'

let cluster: TestCluster
/** Of a name; absent: nobody answers. */
let answers: Map<string, readonly ResolvedAddress[]>
let questions: string[]
beforeEach(async () => {
  ;[answers, questions] = [new Map(), []]
  cluster = await openTestCluster({
    lookup: {
      resolve(name) {
        questions.push(name)
        const said = answers.get(name)
        return said === undefined ? Promise.reject(new Error('nobody answers')) : Promise.resolve(said)
      },
    },
  })
  await withNetwork(cluster)
  await makePod(cluster, 'a/p1', { node: 'n1' })
})
afterEach(() => cluster.close())

const about = (fqdn: string): object => ({
  podSelector: {},
  defaults: { egress: 'deny' },
  egress: [{ action: 'allow', peers: [{ fqdn }] }],
})
const blocks = async (): Promise<readonly string[]> =>
  (await cluster.all('PolicyRuleSet')).flatMap(({ spec }) => spec.rules.flatMap(({ peers }) => peers?.blocks ?? []))
const unsupported = async (name: string): Promise<string | undefined> =>
  (await cluster.get('UnifiedNetworkPolicy', `a/${name}`))?.status?.conditions?.find(({ type }) => type === 'Unsupported')?.message

test('rules follow the addresses of a name, as long as each may be kept', async () => {
  answers.set('api.example', [{ address: '198.51.100.1', ttlSeconds: 120 }])
  await cluster.make('UnifiedNetworkPolicy', 'a/out', about('API.example.') as never)
  await cluster.advance(10_000)
  assert.deepEqual([await blocks(), await unsupported('out')], [['198.51.100.1/32'], 'all of it is done'])
  answers.set('api.example', [{ address: '198.51.100.2', ttlSeconds: 120 }])
  await cluster.advance(60_000)
  assert.deepEqual(await blocks(), ['198.51.100.1/32'], 'nobody has asked again yet')
  await cluster.advance(61_000)
  assert.deepEqual(await blocks(), ['198.51.100.1/32', '198.51.100.2/32'])
  await cluster.advance(60_000)
  assert.deepEqual(await blocks(), ['198.51.100.2/32'])
})

test('while nobody answers the policy allows nothing of it and says why; what was known before is kept', async () => {
  await cluster.make('UnifiedNetworkPolicy', 'a/out', about('api.example') as never)
  await cluster.advance(10_000)
  assert.deepEqual([await blocks(), await unsupported('out')], [[], '/spec/egress/0/peers/0/fqdn has no address (nobody answers)'])
  answers.set('api.example', [{ address: '198.51.100.1', ttlSeconds: 60 }])
  await cluster.advance(40_000)
  assert.deepEqual(await blocks(), ['198.51.100.1/32'])
  answers.delete('api.example')
  await cluster.advance(3_600_000)
  assert.deepEqual(await blocks(), ['198.51.100.1/32'])
  answers.set('api.example', [])
  await cluster.advance(60_000)
  assert.deepEqual(await blocks(), [])
})

test('a name is asked for once for all policies, and no more once nobody is about it', async () => {
  answers.set('api.example', [{ address: '198.51.100.1', ttlSeconds: 60 }])
  await cluster.make('UnifiedNetworkPolicy', 'a/out', about('api.example') as never)
  await cluster.make('UnifiedNetworkPolicy', 'a/also', { ...about('api.example'), priority: 1 } as never)
  await cluster.advance(10_000)
  assert.equal(questions.length, 1)
  for (const name of ['out', 'also']) await cluster.store.delete({ kind: 'UnifiedNetworkPolicy', namespace: 'a', name })
  await cluster.advance(600_000)
  assert.equal(questions.length, 1)
  const policy = await cluster.make('UnifiedNetworkPolicy', 'a/next', about('api.example') as never)
  await cluster.advance(10_000)
  assert.equal(questions.length, 2, 'what is old is no answer')
  await cluster.store.update({ ...(await cluster.get('UnifiedNetworkPolicy', 'a/next'))!, spec: { podSelector: {} } })
  await cluster.advance(10_000)
  assert.equal((await cluster.get('UnifiedNetworkPolicy', `a/${policy.metadata.name}`))?.status?.names, undefined)
})

test('names that nobody answers for keep those of another namespace from nothing', async () => {
  const slow: (() => void)[] = []
  await cluster.close()
  cluster = await openTestCluster({
    lookup: {
      async resolve(name) {
        if (name.startsWith('slow')) await new Promise<void>((resolve) => void slow.push(resolve))
        return [{ address: '198.51.100.9', ttlSeconds: 60 }]
      },
    },
  })
  await withNetwork(cluster)
  await cluster.make('Namespace', 'z', {})
  for (let i = 0; i < 40; i++) await cluster.make('UnifiedNetworkPolicy', `z/p${i}`, about(`slow-${i}.example`) as never)
  await makePod(cluster, 'a/p1', { node: 'n1' })
  await cluster.make('UnifiedNetworkPolicy', 'a/out', about('api.example') as never)
  await cluster.advance(10_000)
  assert.deepEqual([await blocks(), slow.length], [['198.51.100.9/32'], 4])
  for (let i = 0; slow.length > 0 && i < 40; i++) {
    for (const done of slow.splice(0)) done()
    await cluster.settle()
  }
  const known = await Promise.all(Array.from({ length: 40 }, (_, i) => cluster.get('UnifiedNetworkPolicy', `z/p${i}`)))
  assert.ok(known.every((policy) => policy?.status?.names?.[0]?.addresses.length === 1))
})
