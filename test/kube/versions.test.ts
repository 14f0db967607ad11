// An upgrade of a cluster: what a release of before has stored is taken over by today's CRDs and workers, and workers of both are killed
// in turns beside each other, by real processes on one API server and one Redis.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { finalizersFor } from '../../core/admit/object/finalizers.ts'
import { nicsAnnotation, vpcAnnotation } from '../../core/kinds/annotations.ts'
import { keyOfItem, refOf, type Kind, type Resource, type SpecOf } from '../../core/kinds/index.ts'
import type { Main } from '../process/mains.ts'
import { earlierTree } from '../setup/earlier-tree.ts'
import { kubeSkip } from '../setup/kubectl.ts'
import { redisSkip } from '../setup/redis.ts'
import { until } from '../setup/until.ts'
import { openReceiver, type Receiver } from '../workers/notify-receiver.ts'
import { ClusterHistory, watched } from './cluster-history.ts'
import { statusOf, type Manifest } from './test-cluster.ts'
import { openUpgradedCluster, type UpgradedCluster } from './versions.ts'

/** The last commit whose queues were not named after kinds: the one that test/upgrade/2026-11-24 was recorded of. */
const commit = '7f40a40e0b733ad5793f2a79716ebfeac888cf72'
const portsInRound = 9
const podsInRound = 3

const tree = kubeSkip !== false || redisSkip !== false ? { missing: kubeSkip || redisSkip || '' } : await earlierTree(commit)
// A clone with its history has the commit: where it is missing from that in CI, this test would be skipped for ever.
if ('isShallow' in tree && !tree.isShallow && process.env['CI'] === 'true') throw new Error(tree.missing)

describe('an upgrade of a cluster', { skip: 'missing' in tree ? tree.missing : false }, () => {
  const earlier = 'missing' in tree ? '' : tree.folder
  let cluster: UpgradedCluster
  let receiver: Receiver
  before(
    async () => {
      receiver = await openReceiver()
      cluster = await openUpgradedCluster()
      await cluster.install(earlier)
    },
    { timeout: 180_000 },
  )
  after(async () => {
    await cluster?.close()
    await receiver?.close()
    if (!('missing' in tree)) await tree.remove()
  })

  interface Named {
    readonly namespace: string
    readonly name: string
    readonly annotations?: Readonly<Record<string, string>>
  }
  async function make<K extends Kind>(kind: K, metadata: Named, spec: SpecOf<K>): Promise<Resource<K>> {
    return cluster.store.create({ kind, metadata: { ...metadata, finalizers: [...finalizersFor(kind, { metadata, spec })] }, spec })
  }
  const makePort = (namespace: string, name: string, more: Partial<SpecOf<'Port'>> = {}): Promise<Resource<'Port'>> =>
    make('Port', { namespace, name }, { subnet: 's', callbackURL: receiver.url, ...more })
  const makePod = (namespace: string, name: string): Promise<Resource> => {
    const annotations = { [vpcAnnotation]: 'v', [nicsAnnotation]: JSON.stringify([{ name: 'net1', subnet: 's' }]) }
    return make('Pod', { namespace, name, annotations }, { containers: [{ name: 'c', image: 'example.org/c' }] })
  }
  /** @returns waits until Ports can be had in it */
  async function makeNetwork(namespace: string): Promise<() => Promise<void>> {
    await cluster.store.create({ kind: 'Namespace', metadata: { name: namespace }, spec: {} })
    await make('Vpc', { namespace, name: 'v' }, { callbackURL: receiver.url })
    // So large that no address picked at random is one of the few that are asked for by name.
    const subnet = await make('Subnet', { namespace, name: 's' }, { vpc: 'v', ipv4: { cidr: '10.0.0.0/12' } })
    // That what waits for a Subnet is woken by it is for the tests of one version: the earlier one's workers forgot some.
    return async () => until(async () => (await cluster.store.get(refOf(subnet)))?.status?.phase === 'ready', 'the Subnet is ready', 60_000)
  }
  async function listed(namespace: string): Promise<readonly Resource[]> {
    const lists = await Promise.all(watched.map((kind) => cluster.store.list(kind)))
    const all = lists.flatMap(({ items }): readonly Resource[] => items)
    return all.filter((item) => (item.metadata.namespace ?? (item as Resource<'SegmentLock'>).spec.holder?.namespace) === namespace)
  }
  const ports = async (namespace: string): Promise<readonly Resource<'Port'>[]> => (await cluster.store.list('Port', { namespace })).items
  const removeAll = async (namespace: string): Promise<void> => {
    for (const item of await listed(namespace)) if (!item.kind.endsWith('Lock')) await cluster.store.delete(refOf(item))
  }
  /** Waits until nothing is wrong any more; a key of workers that were killed is taken up again after 5 to 11 s. */
  async function comesRight(wrong: () => Promise<readonly string[]>): Promise<void> {
    let last: readonly string[] = []
    await until(async () => (last = await wrong()).length === 0, 'all comes right', 90_000).catch(() => undefined)
    assert.deepEqual(last, [])
  }
  async function notReady(namespace: string, count: number): Promise<string[]> {
    const all = await ports(namespace)
    const pods = (await cluster.store.list('Pod', { namespace })).items.filter((pod) => statusOf(pod as Manifest)?.phase !== 'ready')
    const waits = all.filter(({ status }) => status?.phase !== 'ready' || status.addresses?.length !== 1)
    return [
      ...(all.length === count ? [] : [`${all.length} Ports, not ${count}`]),
      ...waits.map((port) => `Port ${keyOfItem(port)}: ${JSON.stringify(port.status)}`),
      ...pods.map((pod) => `Pod ${keyOfItem(pod)} is not ready`),
    ]
  }
  async function leftOver(namespace: string): Promise<string[]> {
    const notices = (await cluster.store.list('Notice')).items.filter(({ spec }) => spec.of.namespace === namespace)
    return [...(await listed(namespace)), ...notices].map((item) => `${item.kind} ${keyOfItem(item)} is left over`)
  }
  /** Of an object that is gone, each change of phase must have come, at least once, the first time in order. */
  const untold = (uid: string): string[] => {
    const taken = receiver.taken.filter((each) => each.uid === uid)
    const first = taken.filter(({ sequence }, i) => taken.findIndex((each) => each.sequence === sequence) === i)
    const isWhole = first.every(({ sequence }, i) => sequence === i + 1) && first.at(-1)?.phase === 'deleted'
    return isWhole ? [] : [`${uid} was told of by ${first.map(({ sequence, phase }) => `${sequence} ${phase}`).join(', ')}`]
  }

  test('what was stored stands under the CRDs and workers of today, and is theirs to change and to take away', async () => {
    const isReady = await makeNetwork('stored')
    const before = await cluster.startWorkers(earlier)
    await isReady()
    const made = [await makePort('stored', 'chosen', { ips: ['10.0.0.9'] }), await makePort('stored', 'given')]
    await makePod('stored', 'web')
    await comesRight(() => notReady('stored', 3))
    await before.end()
    const stored = await listed('stored')

    await cluster.install()
    const now = await cluster.startWorkers()
    await makePort('stored', 'next')
    await comesRight(async () => [...(await notReady('stored', 4)), ...((await cluster.isIdle()) ? [] : ['keys wait'])])
    const after = new Map((await listed('stored')).map((item) => [`${item.kind} ${keyOfItem(item)}`, item]))
    // The earlier one's workers may have left a Subnet waiting for what was there already: that is today's to put right.
    const atRest = stored.filter(({ status }) => (status as { readonly phase?: string } | undefined)?.phase !== 'pending')
    assert.ok(stored.length - atRest.length <= 1, `${stored.length - atRest.length} of ${stored.length} were not at rest`)
    for (const item of atRest) {
      const name = `${item.kind} ${keyOfItem(item)}`
      assert.deepEqual(after.get(name), item, name)
    }
    const addresses = [...after.values()].flatMap((item) => (item as Resource<'Port'>).status?.addresses ?? [])
    assert.deepEqual([addresses.length, new Set(addresses).size], [4, 4])

    await removeAll('stored')
    await comesRight(() => leftOver('stored'))
    for (const { metadata } of made) assert.deepEqual(untold(metadata.uid), [])
    await now.end()
  })

  test('workers of both versions beside each other, killed in turns: no address twice, no notice lost, nothing left', async (t) => {
    const stop = new AbortController()
    const history = new ClusterHistory(cluster.store, (namespace) => namespace === 'both')
    await history.start(stop.signal)
    const isReady = await makeNetwork('both')
    const started: Record<'earlier' | 'today', Main> = {
      earlier: await cluster.startWorkers(earlier),
      today: await cluster.startWorkers(),
    }
    await isReady()
    const startAgain = async (which: 'earlier' | 'today'): Promise<void> => {
      started[which] = await cluster.startWorkers(which === 'today' ? undefined : earlier)
    }
    const stepsOf = ({ log }: Main): number => log.filter(({ msg }) => msg === 'steps applied').length
    const steps = { earlier: 0, today: 0 }
    const uids: string[] = []
    for (const [round, victim] of (['earlier', 'today', 'earlier', 'today'] as const).entries()) {
      const count = (await ports('both')).length
      const going = (await ports('both')).filter(({ metadata }) => /^p\d-[0-3]$/.test(metadata.name) && !metadata.deletionTimestamp)
      const making = Array.from({ length: portsInRound }, (_, i) =>
        // Two want one address: the second waits until the first has gone.
        makePort('both', `p${round}-${i}`, i < 2 ? { ips: [`10.0.0.${200 + round}`] } : {}),
      )
      const removing = going.map((port) => cluster.store.delete(refOf(port)))
      const pods = Array.from({ length: podsInRound }, (_, i) => makePod('both', `pod${round}-${i}`))
      uids.push(...(await Promise.all(making)).map(({ metadata }) => metadata.uid))
      await Promise.all([...removing, ...pods])
      await until(async () => (await ports('both')).length !== count + portsInRound, 'they are in the midst of it', 60_000)
      await started[victim].end('SIGKILL')
      steps[victim] += stepsOf(started[victim])
      await startAgain(victim)
    }
    const second = (await ports('both')).filter(({ metadata }) => /^p3-0$/.test(metadata.name))
    for (const port of second) await cluster.store.delete(refOf(port))
    const kept = 4 * (portsInRound - 4) + 3 + 4 * podsInRound
    await comesRight(async () => [
      ...(await notReady('both', kept)),
      ...((await history.caughtUp()) ? [...history.breaches, ...history.askAtRest()] : ['the watches are behind']),
    ])

    await removeAll('both')
    await comesRight(() => leftOver('both'))
    await comesRight(async () => ((await history.caughtUp()) ? history.breaches : ['the watches are behind']))
    assert.deepEqual(uids.flatMap(untold), [])
    stop.abort()
    for (const which of ['earlier', 'today'] as const) {
      steps[which] += stepsOf(started[which])
      assert.ok(steps[which] > 0, `workers of ${which} took no step`)
    }
    t.diagnostic(`${history.writes} writes, ${uids.length} Ports, ${receiver.taken.length} notices, steps: ${JSON.stringify(steps)}`)
  })
})
