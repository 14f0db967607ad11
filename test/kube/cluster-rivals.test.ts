// Several workers beside each other, and one of them killed: nobody gets an address twice, and nothing is left behind.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Resource } from '../../core/kinds/index.ts'
import { kubectl, kubeSkip } from '../setup/kubectl.ts'
import { redisSkip } from '../setup/redis.ts'
import { until } from '../setup/until.ts'
import { create, list, network, openTestCluster, statusOf, type TestCluster, type Manifest } from './test-cluster.ts'

const count = 80
const pods = (space: string, from: number, to: number): object[] =>
  Array.from({ length: to - from }, (_, i) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: `p${from + i}`, namespace: space, annotations: { 'megrez.io/vpc': 'v' } },
    spec: { containers: [{ name: 'c', image: 'example.org/c' }] },
  }))

/** What must hold of a settled namespace, as sentences about what does not. */
async function breaches(space: string, wanted: number): Promise<string[]> {
  const [there, ports, locks] = [
    await list('pods', '-n', space),
    await list<Resource<'Port'> & Manifest>('ports', '-n', space),
    await list<Resource<'IPLock'> & Manifest>('iplocks', '-n', space),
  ]
  const addresses = ports.flatMap(({ status }) => status?.addresses ?? [])
  const uids = new Set(ports.map(({ metadata }) => metadata.uid))
  return [
    ...(there.length === wanted ? [] : [`${there.length} pods, not ${wanted}`]),
    ...there.filter((pod) => statusOf(pod)?.phase !== 'ready').map(({ metadata }) => `pod ${metadata.name} waits`),
    ...(ports.length === wanted ? [] : [`${ports.length} Ports, not ${wanted}`]),
    ...ports.filter(({ status }) => status?.phase !== 'ready').map(({ metadata }) => `Port ${metadata.name} waits`),
    ...addresses.filter((address, i) => addresses.indexOf(address) !== i).map((address) => `${address} twice`),
    ...locks.filter(({ spec }) => !uids.has(spec.holder?.uid ?? '')).map(({ metadata }) => `IPLock ${metadata.name} is nobody's`),
    ...(locks.length === addresses.length ? [] : [`${locks.length} locks, ${addresses.length} addresses`]),
  ]
}

describe('workers beside each other', { skip: kubeSkip !== false ? kubeSkip : redisSkip }, () => {
  let cluster: TestCluster
  before(
    async () => {
      cluster = await openTestCluster()
      await Promise.all([cluster.startWorkers(), cluster.startWorkers()])
    },
    { timeout: 240_000 },
  )
  after(() => cluster.close())

  async function settles(space: string, wanted: number): Promise<void> {
    let found: string[] = []
    // A key of a worker that was killed comes back when its lock in Redis has run out: 5 to 11 s.
    await until(async () => (found = await breaches(space, wanted)).length === 0, 'all is settled', 120_000).catch(() => undefined)
    assert.deepEqual(found, [])
  }

  test('one is killed while pods come, and again while pods go: nothing doubled, nothing left', async () => {
    const space = await network('rivals', '10.1.0.0/24')
    const victim = await cluster.startWorkers()
    await create(...pods(space, 0, count / 2))
    const more = create(...pods(space, count / 2, count))
    await until(async () => (await list('ports', '-n', space)).length > count / 4, 'they are in the midst of it', 60_000)
    await victim.end('SIGKILL')
    await more
    await settles(space, count)

    const second = await cluster.startWorkers()
    const going = kubectl(['delete', 'pod', '-n', space, '--wait=false', ...Array.from({ length: count / 2 }, (_, i) => `p${i}`)])
    await until(async () => (await list('ports', '-n', space)).length < count, 'the first Ports have gone', 60_000)
    await second.end('SIGKILL')
    await going
    await settles(space, count / 2)

    await kubectl(['delete', 'pod', '-n', space, '--wait=false', '--all'])
    await settles(space, 0)
  })

  test('a block is handed out to its last address by two at once, and who comes too late is told', async () => {
    const space = await network('last', '10.1.0.0/28')
    // 16 less base, base + 1 and broadcast.
    const usable = 13
    await create(...pods(space, 0, usable + 3))
    const ready = async (): Promise<number> => (await list('pods', '-n', space)).filter((pod) => statusOf(pod)?.phase === 'ready').length
    await until(async () => (await ready()) === usable, 'every address is handed out', 120_000)
    const late = (await list('pods', '-n', space)).filter((pod) => statusOf(pod)?.phase !== 'ready')
    assert.equal(late.length, 3)
    await until(
      async () =>
        (await list('pods', '-n', space)).every(
          (pod) => statusOf(pod)?.phase === 'ready' || /free|full/.test(statusOf(pod)?.message ?? ''),
        ),
      'the late ones are told',
      60_000,
    )
    // Three go: the three that wait get theirs.
    const first = (await list('pods', '-n', space)).filter((pod) => statusOf(pod)?.phase === 'ready').slice(0, 3)
    await kubectl(['delete', 'pod', '-n', space, '--wait=false', ...first.map(({ metadata }) => metadata.name)])
    await settles(space, usable)
  })
})
