// SecurityGroups in force: identities, rule sets, and what Ports and locks tell of them.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import type { Write } from '../../core/contracts/store.ts'
import type { Resource } from '../../core/kinds/index.ts'
import { openTestCluster, type TestCluster } from './test-cluster.ts'
import { clusterLike, makePod, withNetwork } from './network.ts'

let cluster: TestCluster
const open = async (store?: TestCluster['store']): Promise<void> => {
  cluster = await openTestCluster(store && { store })
  await withNetwork(cluster)
}
beforeEach(() => open())
afterEach(() => cluster.close())

const allowFrom = (remoteGroup: string): object => ({ rules: [{ direction: 'ingress', protocol: 'tcp', l4PortMin: 80, remoteGroup }] })

/** Every Port with its groups, the sets that it names, and whether its lock says what it says. */
async function judged(): Promise<object> {
  const [ports, locks, sets] = [await cluster.all('Port'), await cluster.all('IPLock'), await cluster.all('PolicyRuleSet')]
  const shown = ports.map((port): [string, object] => {
    const { policy, addresses } = port.status ?? {}
    const mine = locks.filter(({ spec }) => spec.address !== undefined && addresses?.includes(spec.address) === true)
    const named = (policy?.ruleSets ?? []).map((name) => sets.find(({ metadata }) => metadata.name === name))
    return [
      port.metadata.name,
      {
        by: named.map((set) => set?.spec.policy.name),
        isSubject: named.every((set) => set?.spec.subjects.includes(policy!.identity) === true),
        isInLock: mine.every(({ spec }) => spec.identity === policy?.identity),
      },
    ]
  })
  return Object.fromEntries(shown)
}
const inPlace = (...by: readonly string[]): object => ({ by, isSubject: true, isInLock: true })
/** By a group that nobody has made. */
const absent = { by: [undefined], isSubject: false, isInLock: true }
const numbersOf = async (): Promise<readonly number[]> => (await cluster.all('PolicyIdentity')).map(({ spec }) => spec.number)

test('a Port with a SecurityGroup has an identity and the rule set that judges it, and its lock tells the identity', async () => {
  await cluster.make('SecurityGroup', 'a/web', allowFrom('web'))
  await cluster.make('Port', 'a/p', { subnet: 'one', securityGroups: ['web'] })
  await cluster.make('Port', 'a/q', { subnet: 'one' })
  await cluster.advance(10_000)
  assert.deepEqual(await judged(), { p: inPlace('web'), q: inPlace() })
  const [set] = await cluster.all('PolicyRuleSet')
  assert.equal(set?.metadata.namespace, 'a')
  assert.deepEqual(
    set?.spec.rules.map(({ direction, transport, peers }) => [direction, transport?.[0]?.first, peers?.identities]),
    [
      ['ingress', 80, set?.spec.subjects],
      ['egress', undefined, undefined],
    ],
  )
  assert.equal((await numbersOf()).length, 2)
  assert.equal((await cluster.get('SecurityGroup', 'a/web'))?.status?.message, '1 rule, in force on 1 Port')
})

test('without a policy in force nothing is written for one, though a SecurityGroup is there', async () => {
  await cluster.make('SecurityGroup', 'a/web', allowFrom('web'))
  await cluster.make('Port', 'a/q', { subnet: 'one' })
  await cluster.advance(10_000)
  assert.deepEqual([await numbersOf(), await cluster.all('PolicyRuleSet')], [[], []])
  assert.equal('policy' in ((await cluster.get('Port', 'a/q'))!.status ?? {}), false)
})

test('a Port that names a SecurityGroup which is not there names its rule set all the same, and so lets nothing pass until it is', async () => {
  await cluster.make('Port', 'a/p', { subnet: 'one', securityGroups: ['web'] })
  await cluster.make('Port', 'a/q', { subnet: 'one' })
  await cluster.advance(10_000)
  assert.deepEqual(await judged(), { p: absent, q: inPlace() })
  const messageOf = async (): Promise<string> => (await cluster.get('Port', 'a/p'))?.status?.message ?? ''
  assert.match(await messageOf(), /; nothing passes until there is SecurityGroup a\/web$/)
  const [named] = (await cluster.get('Port', 'a/p'))?.status?.policy?.ruleSets ?? []
  await cluster.make('SecurityGroup', 'a/web', allowFrom('web'))
  await cluster.advance(10_000)
  assert.deepEqual(await judged(), { p: inPlace('web'), q: inPlace() })
  assert.deepEqual((await cluster.get('Port', 'a/p'))?.status?.policy?.ruleSets, [named])
  assert.doesNotMatch(await messageOf(), /nothing passes/)
})

test('two Ports that no policy can tell apart have one identity; the second costs no write more than it would without', async () => {
  await cluster.make('SecurityGroup', 'a/web', allowFrom('web'))
  await cluster.make('Port', 'a/p', { subnet: 'one', securityGroups: ['web'] })
  await cluster.advance(10_000)
  const writes: string[] = []
  const { commit } = cluster.store
  Object.defineProperty(cluster.store, 'commit', {
    value: (all: readonly Write[]) => {
      writes.push(...all.map((write) => `${write.do} ${write.do === 'create' ? write.draft.kind : 'ref' in write ? write.ref.kind : ''}`))
      return commit.call(cluster.store, all)
    },
  })
  await cluster.make('Port', 'a/q', { subnet: 'one', securityGroups: ['web'] })
  await cluster.settle()
  assert.deepEqual(
    writes.filter((each) => each !== 'create Port'),
    ['create IPLock', 'patchStatus Port'],
  )
  assert.equal((await numbersOf()).length, 1)
})

for (const on of ['our own store', 'a store that commits write by write'] as const)
  test(`a pod's Port is served with its identity in the pass that makes it, on ${on}`, async () => {
    const store = on === 'our own store' ? undefined : clusterLike()
    if (store !== undefined) {
      await cluster.close()
      await open(store)
    }
    await cluster.make('SecurityGroup', 'a/web', allowFrom('web'))
    await makePod(cluster, 'a/one', { node: 'n1', nics: [{ name: 'net1', securityGroups: ['web'] }] })
    await cluster.advance(10_000)
    const [port] = await cluster.all('Port')
    assert.equal(port?.status?.policy?.ruleSets.length, 1)
    assert.deepEqual(Object.values(await judged()), [inPlace('web')])
    await store?.close()
  })

test('of a pod with two NICs that no policy tells apart both Ports are served in its pass, with the identity that it makes', async () => {
  await cluster.make('SecurityGroup', 'a/default', {})
  await makePod(cluster, 'a/one', { node: 'n1', nics: [{ name: 'net1' }, { name: 'net2' }] })
  await cluster.advance(10_000)
  assert.deepEqual(Object.values(await judged()), [inPlace('default'), inPlace('default')])
  assert.equal((await numbersOf()).length, 1)
})

const groupsKnownOf = async (name: string): Promise<readonly string[] | undefined> => {
  const number = (await cluster.get('Port', `a/${name}`))?.status?.policy?.identity
  return (await cluster.all('PolicyIdentity')).find(({ spec }) => spec.number === number)?.spec.facts.securityGroups
}

test('a Port is known by a group from when rules in force name that, until they do not', async () => {
  await cluster.make('SecurityGroup', 'a/other', {})
  await cluster.make('Port', 'a/p', { subnet: 'one', securityGroups: ['other'] })
  await cluster.make('Port', 'a/q', { subnet: 'one', securityGroups: ['db'] })
  await cluster.make('SecurityGroup', 'a/web', allowFrom('db'))
  await cluster.advance(10_000)
  assert.equal(await groupsKnownOf('q'), undefined, 'nobody is judged by web')
  await cluster.make('Port', 'a/r', { subnet: 'one', securityGroups: ['web'] })
  await cluster.advance(10_000)
  assert.deepEqual(await groupsKnownOf('q'), ['a/db'])
  const web = (await cluster.get('SecurityGroup', 'a/web'))!
  await cluster.store.update({ ...web, spec: { rules: [] } })
  await cluster.advance(10_000)
  assert.equal(await groupsKnownOf('q'), undefined)
  await cluster.store.update({ ...(await cluster.get('SecurityGroup', 'a/web'))!, spec: web.spec })
  await cluster.advance(10_000)
  assert.deepEqual(await groupsKnownOf('q'), ['a/db'])
  assert.deepEqual(await judged(), { p: inPlace('other'), q: absent, r: inPlace('web') })
})

test('other groups on a Port are another identity; the sets that let go of it do so after it, and the old identity is freed', async () => {
  await cluster.make('SecurityGroup', 'a/web', allowFrom('db'))
  await cluster.make('SecurityGroup', 'a/db', allowFrom('web'))
  const port = await cluster.make('Port', 'a/p', { subnet: 'one', securityGroups: ['web'] })
  await cluster.make('Port', 'a/q', { subnet: 'one', securityGroups: ['db'] })
  await cluster.advance(10_000)
  const before = await numbersOf()
  const faults = await watchOrder()
  const now = (await cluster.get('Port', 'a/p'))!
  assert.equal(now.metadata.uid, port.metadata.uid)
  await cluster.store.update({ ...now, spec: { ...now.spec, securityGroups: ['db'] } })
  await cluster.advance(10_000)
  assert.deepEqual(await judged(), { p: inPlace('db'), q: inPlace('db') })
  await cluster.advance(70_000)
  await cluster.advance(70_000)
  const after = await numbersOf()
  assert.equal(after.length, 1)
  assert.ok(before.includes(after[0]!), 'the one of q')
  assert.deepEqual(
    (await cluster.all('PolicyRuleSet')).map(({ spec }) => spec.policy.name),
    ['db'],
  )
  assert.deepEqual(faults, [])
})

/** A Port that names a set which is not there, or does not have it, lets nothing pass: told of each time that a served one does. */
async function watchOrder(): Promise<readonly string[]> {
  const faults: string[] = []
  const { commit } = cluster.store
  const sets = new Map((await cluster.all('PolicyRuleSet')).map((set) => [set.metadata.name, set]))
  const ports = new Map((await cluster.all('Port')).map((port) => [port.metadata.name, port]))
  Object.defineProperty(cluster.store, 'commit', {
    value: async (writes: readonly Write[]) => {
      await commit.call(cluster.store, writes)
      sets.clear()
      for (const set of await cluster.all('PolicyRuleSet')) sets.set(set.metadata.name, set)
      for (const port of await cluster.all('Port')) {
        const fault = brokenBy(port, sets)
        if (fault !== undefined && ports.has(port.metadata.name)) faults.push(`${writes.map((each) => each.do).join()}: ${fault}`)
      }
    },
  })
  return faults
}
function brokenBy({ metadata, status }: Resource<'Port'>, sets: ReadonlyMap<string, Resource<'PolicyRuleSet'>>): string | undefined {
  const { policy } = status ?? {}
  const name = policy?.ruleSets.find((each) => sets.get(each)?.spec.subjects.includes(policy.identity) !== true)
  return name && `Port ${metadata.name} as ${policy!.identity} is not in ${name}`
}

test('the default group judges Ports that name none, from when it comes until it goes', async () => {
  await cluster.make('Port', 'a/p', { subnet: 'one' })
  await cluster.advance(10_000)
  await cluster.make('SecurityGroup', 'a/default', allowFrom('default'))
  await cluster.advance(10_000)
  assert.deepEqual(await judged(), { p: inPlace('default') })
  await cluster.store.delete({ kind: 'SecurityGroup', namespace: 'a', name: 'default' })
  await cluster.advance(10_000)
  assert.equal(await cluster.get('SecurityGroup', 'a/default'), undefined)
  assert.deepEqual(await cluster.all('PolicyRuleSet'), [])
  await cluster.advance(70_000)
  await cluster.advance(70_000)
  assert.deepEqual(await numbersOf(), [])
  assert.equal((await cluster.get('Port', 'a/p'))?.status?.policy, undefined)
})

test('with the setting audit every rule set is in audit', async () => {
  await cluster.close()
  cluster = await openTestCluster({ config: { policyEnforcement: 'audit' } })
  await withNetwork(cluster)
  await cluster.make('SecurityGroup', 'a/web', allowFrom('web'))
  await cluster.make('Port', 'a/p', { subnet: 'one', securityGroups: ['web'] })
  await cluster.advance(10_000)
  assert.deepEqual(
    (await cluster.all('PolicyRuleSet')).map(({ spec }) => spec.audit),
    [true],
  )
})

test('a Port that moves to a group which the rules of its former one name is let go of by that, and its rules go', async () => {
  await cluster.make('SecurityGroup', 'a/old', allowFrom('new'))
  await cluster.make('SecurityGroup', 'a/new', allowFrom('new'))
  const port = await cluster.make('Port', 'a/p', { subnet: 'one', securityGroups: ['old'] })
  await cluster.advance(10_000)
  const there = (await cluster.get('Port', `a/${port.metadata.name}`))!
  await cluster.store.update({ ...there, spec: { ...there.spec, securityGroups: ['new'] } })
  await cluster.advance(10_000)
  assert.deepEqual(await judged(), { p: inPlace('new') })
  assert.deepEqual(
    (await cluster.all('PolicyRuleSet')).map(({ spec }) => spec.policy.name),
    ['new'],
  )
})
