// Whatever goes wrong at whichever request, and whenever somebody interferes: nothing is left at the cloud, and nobody has two ports.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CloudAction, CloudDriver } from '../../core/contracts/cloud.ts'
import { CloudUnreachable } from '../../core/errors.ts'
import type { Resource } from '../../core/kinds/index.ts'
import type { TurnedClock } from '../../platform/clock.ts'
import { trials } from '../setup/trials.ts'
import { deletePod, makePod } from './network.ts'
import { seeded, type TestCluster } from './test-cluster.ts'
import { around, entriesIn, filled, until, type Around } from './warm-cluster.ts'

/** What becomes of one request: it is lost on its way, its answer is, or it arrives once its sender has gone on. */
const fates = ['lost', 'unanswered', 'late'] as const

interface Cut {
  /** Of the requests that change a port, which is the first, and how many. */
  readonly nth: number
  readonly span: number
  /** Undefined: of all of them. */
  readonly verb: CloudAction<'port'>['do'] | undefined
  readonly fate: (typeof fates)[number]
  readonly lateMs: number
}

function cutting({ nth, span, verb, fate, lateMs }: Cut, from: { readonly clock?: TurnedClock }) {
  const unreachable = (): Error => new CloudUnreachable({ cloud: 'c', reason: 'cut' })
  let count = 0
  return (driver: CloudDriver): CloudDriver => ({
    ...driver,
    port: {
      ...driver.port,
      async apply(action: CloudAction<'port'>, signal) {
        const { clock } = from
        if (clock === undefined || (verb !== undefined && action.do !== verb)) return driver.port.apply(action, signal)
        const place = count++
        if (place < nth || place >= nth + span) return driver.port.apply(action, signal)
        if (fate === 'unanswered') await driver.port.apply(action, signal)
        if (fate === 'late') clock.after(lateMs, () => void driver.port.apply(action, signal).catch(() => undefined))
        throw unreachable()
      },
    },
  })
}

async function isRight({ cluster, cloud }: Around): Promise<void> {
  const ports = await cluster.all('Port')
  const owners = cloud.all('port').map(({ owner }) => owner)
  assert.equal(new Set(owners).size, owners.length, 'nobody has two')
  for (const owner of owners)
    assert.ok(
      ports.some(({ metadata }) => metadata.uid === owner),
      `${owner} is gone, and has a port`,
    )
  const had = ports.filter(({ status }) => status?.phase === 'ready' && status.providerID !== undefined)
  const told = had.flatMap(({ status }) => status?.addresses ?? [])
  assert.equal(new Set(told).size, told.length, 'nobody has the address of another')
  for (const { metadata, status = {} } of had) {
    const { owner, port } = cloud.get('port', status.providerID!)!
    assert.deepEqual([owner, port?.addresses, port?.mac], [metadata.uid, status.addresses, status.mac])
  }
}

type Int = (below: number) => number

function cutBy(int: Int): Cut {
  const verb = int(2) === 0 ? ('claim' as const) : undefined
  return { nth: int(verb === undefined ? 8 : 3), span: 1 + int(12), verb, fate: fates[int(3)]!, lateMs: 1 + int(4_900) }
}

/** Of the pods that come a few at once, and of those who interfere meanwhile. */
async function happenings(of: Around, pods: readonly string[], int: Int): Promise<void> {
  for (const pod of pods) {
    await makePod(of.cluster, pod)
    if (int(2) === 0) await of.cluster.advance(int(1_500))
  }
  for (let i = 0; i < 5; i++) {
    await interference(of, pods[0]!, int(5))
    await of.cluster.advance(int(int(2) === 0 ? 12_000 : 600))
  }
}

async function interference(of: Around, pod: string, what: number): Promise<void> {
  const { cluster, cloud } = of
  const [entry] = await entriesIn(of)
  const there = entry && cloud.all('port').find(({ owner }) => owner === entry.metadata.uid)
  if (what === 0 && entry !== undefined) await cluster.store.delete({ kind: 'Port', namespace: 'a', name: entry.metadata.name })
  if (what === 1 && there !== undefined) cloud.remove('port', there.id)
  if (what === 2) await deleteIfThere(cluster, pod)
}

async function deleteIfThere(cluster: TestCluster, pod: string): Promise<void> {
  if ((await cluster.get('Pod', pod)) !== undefined) await deletePod(cluster, pod)
}

const isAtRest = ({ status, metadata }: Resource<'Port'>): boolean => status?.phase === 'ready' && metadata.deletionTimestamp === undefined

async function trial(seed: number): Promise<void> {
  const random = seeded(seed)
  const int: Int = (below) => Math.floor(random() * below)
  const cutFrom: { clock?: TurnedClock } = {}
  const of = await around({ max: 4, min: 2 }, { through: cutting(cutBy(int), cutFrom), isClusterLike: int(2) === 0 })
  const { cluster, cloud } = of
  await filled(of, 2)
  cutFrom.clock = cluster.clock
  const pods = Array.from({ length: 1 + int(4) }, (_, i) => `a/p${i}`)
  await happenings(of, pods, int)
  delete cutFrom.clock
  await cluster.advance(400_000)
  await until(cluster, async () => (await cluster.all('Port')).every(isAtRest), 600, 3_000)
  await isRight(of)
  for (const pod of [...pods, 'a/first']) await deleteIfThere(cluster, pod)
  await cluster.store.delete({ kind: 'Subnet', namespace: 'a', name: 'one' })
  await until(cluster, async () => (await cluster.all('Subnet')).length === 0, 900, 15_000)
  assert.deepEqual([cloud.all('port'), await cluster.all('Port')], [[], []])
  await of.end()
}

test('a request that is lost, unanswered or late leaves nothing at the cloud, and nobody with two ports', async (t) => {
  const count = trials(100)
  for (let seed = 1; seed <= count; seed++) {
    try {
      await trial(seed)
    } catch (err) {
      throw new Error(`seed ${seed}`, { cause: err })
    }
  }
  t.diagnostic(`seeds 1 to ${count}`)
})
