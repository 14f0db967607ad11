// Policies that select by labels: in force on pods as these are labelled, whichever policies come and go.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { unifiedPolicyAnnotation } from '../../core/kinds/annotations.ts'
import type { Resource, SpecOf } from '../../core/kinds/index.ts'
import { openTestCluster, type TestCluster } from './test-cluster.ts'
import { makePod, withNetwork } from './network.ts'

let cluster: TestCluster
beforeEach(async () => {
  cluster = await openTestCluster()
  await withNetwork(cluster)
})
afterEach(() => cluster.close())

const only = (app: string): Partial<SpecOf<'UnifiedNetworkPolicy'>> => ({
  podSelector: { matchLabels: { app } },
  defaults: { ingress: 'deny', egress: 'allow' },
  ingress: [{ action: 'allow', peers: [{ podSelector: { matchLabels: { app: 'y' } } }] }],
})
const makePolicy = (name: string, spec: object): Promise<unknown> => cluster.make('UnifiedNetworkPolicy', `a/${name}`, spec as never)
const labelled = (name: string, app: string): Promise<unknown> =>
  makePod(cluster, `a/${name}`, { node: 'n1', metadata: { labels: { app, 'pod-template-hash': name } } })

/** Of each pod's Port the policies whose rule sets it names, all of which have it, and the one that is in force. */
async function judged(): Promise<Readonly<Record<string, string>>> {
  const [ports, sets, locks] = [await cluster.all('Port'), await cluster.all('PolicyRuleSet'), await cluster.all('IPLock')]
  const shown = ports.map(({ spec, status }) => {
    const { policy, addresses } = status ?? {}
    const named = (policy?.ruleSets ?? []).map((name) => sets.find(({ metadata }) => metadata.name === name))
    const isIn = named.every((set) => set?.spec.subjects.includes(policy!.identity) === true)
    const isLocked = locks.every((lock) => !addresses?.includes(lock.spec.address ?? '') || lock.spec.identity === policy?.identity)
    const text = named.map((set) => set?.spec.policy.name ?? 'none').join()
    return [spec.claim!.pod, `${text}${policy?.unified === undefined ? '' : ` (${policy.unified})`}${isIn && isLocked ? '' : ' BROKEN'}`]
  })
  return Object.fromEntries(shown) as Readonly<Record<string, string>>
}
async function relabel(name: string, app: string): Promise<void> {
  const pod = (await cluster.get('Pod', `a/${name}`))!
  await cluster.store.update({ ...pod, metadata: { ...pod.metadata, labels: { ...pod.metadata.labels, app } } })
}

test('label x may be talked to by label y: in force on pods of x, those whom no policy tells apart have one identity', async () => {
  await makePolicy('x-by-y', only('x'))
  for (const [name, app] of [
    ['p1', 'x'],
    ['p2', 'x'],
    ['p3', 'y'],
    ['p4', 'z'],
  ] as const)
    await labelled(name, app)
  await cluster.advance(10_000)
  assert.deepEqual(await judged(), { p1: 'x-by-y (x-by-y)', p2: 'x-by-y (x-by-y)', p3: '', p4: '' })
  assert.equal((await cluster.all('PolicyIdentity')).length, 3)
  const status = (await cluster.get('UnifiedNetworkPolicy', 'a/x-by-y'))?.status
  assert.deepEqual([status?.phase, status?.message], ['ready', 'in force on 2 Ports'])
})

test('a pod that is labelled otherwise is judged otherwise, without a restart; so is one whose policy changes', async () => {
  await makePolicy('x-by-y', only('x'))
  await labelled('p1', 'x')
  await cluster.advance(10_000)
  await relabel('p1', 'z')
  await cluster.advance(10_000)
  assert.deepEqual(await judged(), { p1: '' })
  const policy = (await cluster.get('UnifiedNetworkPolicy', 'a/x-by-y'))!
  await cluster.store.update({ ...policy, spec: { ...policy.spec, podSelector: { matchLabels: { app: 'z' } } } })
  await cluster.advance(10_000)
  assert.deepEqual(await judged(), { p1: 'x-by-y (x-by-y)' })
})

test('a Port without a pod is judged by its own labels and the policy that it names, also once these are others', async () => {
  await makePolicy('x-by-y', only('x'))
  await makePolicy('named', { podSelector: {}, priority: 0 })
  await cluster.make('Port', 'a/q', { subnet: 'one' }, { labels: { app: 'x' } })
  const port = async (): Promise<Resource<'Port'>> => (await cluster.get('Port', 'a/q'))!
  const becomes = async (labels: Readonly<Record<string, string>>, annotations: Readonly<Record<string, string>>): Promise<unknown> => {
    const now = await port()
    await cluster.store.update({ ...now, metadata: { ...now.metadata, labels, annotations } })
    await cluster.advance(10_000)
    return (await port()).status?.policy?.unified
  }
  await cluster.advance(10_000)
  const first = (await port()).status?.policy?.unified
  assert.equal(await becomes({ app: 'z' }, {}), 'named')
  assert.equal(await becomes({ app: 'x' }, {}), first)
  assert.equal(await becomes({ app: 'x' }, { [unifiedPolicyAnnotation]: 'named' }), 'named')
})

test('a lock that another worker has given its former identity again, by a past of its Port, tells the right one again', async () => {
  await makePolicy('x-by-y', only('x'))
  await labelled('p1', 'x')
  await cluster.advance(10_000)
  const identityIn = async (): Promise<number | undefined> => (await cluster.all('IPLock'))[0]?.spec.identity
  const former = await identityIn()
  await relabel('p1', 'z')
  await cluster.advance(10_000)
  const [lock] = await cluster.all('IPLock')
  const right = lock?.spec.identity
  assert.ok(former !== undefined && right !== undefined && former !== right)
  await cluster.store.update({ ...lock!, spec: { ...lock!.spec, identity: former } })
  await cluster.settle()
  assert.equal(await identityIn(), former)
  await cluster.advance(1_000)
  assert.equal(await identityIn(), right)
  assert.deepEqual(await judged(), { p1: '' })
})

test('of two that select a pod one is in force, the loser is told, and takes its place once the other goes', async () => {
  await makePolicy('low', only('x'))
  await labelled('p1', 'x')
  await cluster.advance(10_000)
  await makePolicy('high', { ...only('x'), priority: 7 })
  await cluster.advance(10_000)
  assert.deepEqual(await judged(), { p1: 'high (high)' })
  const told = (await cluster.get('UnifiedNetworkPolicy', 'a/low'))?.status?.conditions?.find(({ type }) => type === 'Outranked')
  assert.equal(told?.message, 'UnifiedNetworkPolicy high judges pods that it selects')
  await cluster.store.delete({ kind: 'UnifiedNetworkPolicy', namespace: 'a', name: 'high' })
  await cluster.advance(10_000)
  assert.deepEqual(await judged(), { p1: 'low (low)' })
  assert.deepEqual(
    (await cluster.all('PolicyRuleSet')).map(({ spec }) => spec.policy.name),
    ['low'],
  )
})

test('with the last policy all that there was of policies goes', async () => {
  await makePolicy('x-by-y', only('x'))
  await labelled('p1', 'x')
  await cluster.advance(10_000)
  await cluster.store.delete({ kind: 'UnifiedNetworkPolicy', namespace: 'a', name: 'x-by-y' })
  await cluster.advance(10_000)
  for (let round = 0; round < 3; round++) await cluster.advance(70_000)
  assert.deepEqual([await cluster.all('PolicyRuleSet'), await cluster.all('PolicyIdentity')], [[], []])
  assert.deepEqual(await judged(), { p1: '' })
})

test('what is not done of a policy is told by its path', async () => {
  await makePolicy('x-by-y', { ...only('x'), ingress: [{ action: 'deny', dscp: 8 }] })
  await labelled('p1', 'x')
  await cluster.advance(10_000)
  const told = (await cluster.get('UnifiedNetworkPolicy', 'a/x-by-y'))?.status?.conditions?.find(({ type }) => type === 'Unsupported')
  assert.deepEqual([told?.status, told?.message.includes('/spec/ingress/0/dscp')], ['True', true])
})

test('what its pods send is marked as the operator has it for its class, unless it says how itself; of no other class', async () => {
  await cluster.close()
  cluster = await openTestCluster({ config: { policyClasses: { gold: 46, silver: 26 } } })
  await withNetwork(cluster)
  await labelled('p1', 'x')
  const classed = async (of: object): Promise<readonly unknown[]> => {
    await makePolicy('p', { ...only('x'), ...of })
    await cluster.advance(10_000)
    const [set] = await cluster.all('PolicyRuleSet')
    const status = (await cluster.get('UnifiedNetworkPolicy', 'a/p'))?.status
    await cluster.store.delete({ kind: 'UnifiedNetworkPolicy', namespace: 'a', name: 'p' })
    await cluster.advance(10_000)
    return [set?.spec.traffic, status?.conditions?.find(({ type }) => type === 'Unsupported')?.message]
  }
  assert.deepEqual(await classed({ class: 'gold' }), [{ dscp: 46 }, 'all of it is done'])
  assert.deepEqual(await classed({ class: 'gold', dscp: 8 }), [{ dscp: 8 }, 'all of it is done'])
  assert.deepEqual(await classed({ class: 'iron' }), [undefined, '/spec/class is no class: there are gold, silver'])
})

test('what is wrong with a policy that is not ours, or not done of it, an Event says, once', async () => {
  const told = async (): Promise<readonly string[]> =>
    (await cluster.all('Event'))
      .map(({ spec: { regarding, reason, note } }) => `${regarding.kind} ${regarding.name}: ${reason}, ${note}`)
      .sort()
  await labelled('p1', 'x')
  const subject = { namespaces: {} }
  await cluster.make('AdminNetworkPolicy', 'fine', { priority: 1, subject })
  await cluster.make('AdminNetworkPolicy', 'odd', { priority: 2, subject, ingress: 'all' } as never)
  const egress = [{ action: 'Accept', to: [{ domainNames: ['example.org'] }] }]
  await cluster.make('ClusterNetworkPolicy', 'names', { tier: 'Admin', priority: 3, subject, egress } as never)
  await cluster.advance(10_000)
  const wanted = [
    'AdminNetworkPolicy odd: Refused, /spec/ingress must be a list',
    'ClusterNetworkPolicy names: NotDone, /spec/egress/0/to/0/domainNames are not resolved',
  ]
  assert.deepEqual(await told(), wanted)
  await labelled('p2', 'x')
  await cluster.advance(10_000)
  assert.deepEqual(await told(), wanted, 'it has been told')
})

test('a cluster-wide policy is in force where there are Ports, whatever identities are left where there are none', async () => {
  await cluster.make('PolicyIdentity', 'gone/vni-4711-7', { vni: 4711, number: 7, facts: { namespace: 'gone' } })
  await cluster.advance(100)
  await labelled('p1', 'x')
  await cluster.make('AdminNetworkPolicy', 'all', { priority: 1, subject: { namespaces: {} } })
  await cluster.advance(10_000)
  assert.deepEqual(await judged(), { p1: 'all' })
})

test('a policy is in force by its schedule, and what outranks it in its time does so no longer', async () => {
  const beginsAt = new Date(Math.ceil(cluster.clock.now() / 60_000) * 60_000 + 60_000)
  const endsAt = new Date(beginsAt.getTime() + 120_000)
  const timeOf = (time: Date): string => time.toISOString().slice(11, 16)
  await makePolicy('always', { ...only('x'), priority: 1 })
  await makePolicy('window', { ...only('x'), priority: 2, schedule: [{ from: timeOf(beginsAt), to: timeOf(endsAt) }] })
  await labelled('p1', 'x')
  const becomesAt = async (time: Date): Promise<Readonly<Record<string, string>>> => {
    await cluster.advance(time.getTime() - cluster.clock.now() + 10_000)
    return judged()
  }
  assert.deepEqual(await becomesAt(new Date(cluster.clock.now())), { p1: 'always (always)' })
  const closed = (await cluster.get('UnifiedNetworkPolicy', 'a/window'))?.status
  assert.match(closed?.message ?? '', /not in force before .*, by its schedule/)
  assert.deepEqual(await becomesAt(beginsAt), { p1: 'window (window)' })
  assert.deepEqual(await becomesAt(endsAt), { p1: 'always (always)' })
  const policy = (await cluster.get('UnifiedNetworkPolicy', 'a/window'))!
  const { schedule: _, ...spec } = policy.spec
  await cluster.store.update({ ...policy, spec })
  assert.deepEqual(await becomesAt(new Date(cluster.clock.now())), { p1: 'window (window)' })
  assert.equal((await cluster.get('UnifiedNetworkPolicy', 'a/window'))?.status?.schedule, undefined)
})
