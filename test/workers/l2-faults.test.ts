// Random lives of a fabric: workers that die between any two steps, switches that are cut off or lose their configuration, two workers at
// once. Whatever happened, in the end exactly what is wanted is open, and every lock has one holder that is there.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Resource } from '../../core/kinds/index.ts'
import { memory, memorySwitch, closedPort, type MemorySwitch } from '../../workers/drivers/fabric/memory.ts'
import { fabricRegistry } from '../../workers/drivers/fabric/index.ts'
import { TurnedClock } from '../../platform/clock.ts'
import { SqliteStore } from '../../platform/store/sqlite.ts'
import { trials } from '../setup/trials.ts'
import { routesIn, withFabric } from './fabric-site.ts'
import { openTestCluster, seeded, type TestCluster } from './test-cluster.ts'

interface Life {
  readonly store: SqliteStore
  readonly clock: TurnedClock
  readonly random: () => number
  readonly switches: ReadonlyMap<string, MemorySwitch>
  readonly cut: Set<string>
  /** Steps on the way to a switch until the worker that takes them is no more. */
  left: { steps: number }
  clusters: TestCluster[]
}
const vlans = [101, 102, 103, 104]
const services = ['s1', 's2', 's3']

function begin(seed: number): Life {
  const cut = new Set<string>()
  const left = { steps: Number.POSITIVE_INFINITY }
  const way = (address: string) => (): Promise<void> =>
    cut.has(address) ? Promise.reject(new Error('no answer')) : left.steps-- <= 0 ? new Promise(() => undefined) : Promise.resolve()
  const switches = new Map(['tor1', 'tor2'].map((address) => [address, memorySwitch([], way(address))]))
  return {
    store: SqliteStore.open(':memory:'),
    clock: new TurnedClock(Date.now()),
    random: seeded(seed),
    switches,
    cut,
    left,
    clusters: [],
  }
}

async function addWorker(life: Life): Promise<TestCluster> {
  const registry = {
    ...fabricRegistry,
    memory: ({ address }: { readonly address: string }) => memory(life.switches.get(address)!, { any: true }),
  }
  const cluster = await openTestCluster({
    store: life.store,
    clock: life.clock,
    fabricRegistry: registry,
    seed: Math.floor(life.random() * 1e9),
  })
  life.clusters.push(cluster)
  return cluster
}

const pick = <T>(life: Life, among: readonly T[]): T => among[Math.floor(life.random() * among.length)]!
const settle = async (life: Life): Promise<void> => {
  for (const cluster of life.clusters) await cluster.settle()
}

const inVrf = (life: Life): { readonly vrf?: string } => {
  const vrf = pick(life, ['blue', 'red', undefined])
  return vrf === undefined ? {} : { vrf }
}

const deeds: Readonly<Record<string, (life: Life) => Promise<unknown>>> = {
  serve: async (life) => {
    const name = pick(life, services)
    if ((await life.store.get({ kind: 'L2Service', namespace: 'a', name })) === undefined)
      await life.clusters[0]!.make('L2Service', `a/${name}`, { segmentationID: pick(life, vlans), physicalNW: ['physnet'], ...inVrf(life) })
  },
  attach: async (life) => {
    const name = pick(life, services)
    if ((await life.store.get({ kind: 'L2ServiceAttachment', namespace: 'a', name })) === undefined)
      await life.clusters[0]!.make('L2ServiceAttachment', `a/${name}`, { l2Services: [name], connectionPoint: 'cp', vlanType: 'access' })
  },
  detach: (life) => life.store.delete({ kind: 'L2ServiceAttachment', namespace: 'a', name: pick(life, services) }).catch(() => undefined),
  end: (life) => life.store.delete({ kind: 'L2Service', namespace: 'a', name: pick(life, services) }).catch(() => undefined),
  edit: async (life) => {
    const service = await life.store.get({ kind: 'L2Service', namespace: 'a', name: pick(life, services) })
    if (service !== undefined)
      await life.store.update({ ...service, spec: { ...service.spec, segmentationID: pick(life, vlans) } }).catch(() => undefined)
  },
  move: async (life) => {
    const service = await life.store.get({ kind: 'L2Service', namespace: 'a', name: pick(life, services) })
    if (service === undefined) return
    const { vrf: _, ...spec } = service.spec
    await life.store.update({ ...service, spec: { ...spec, ...inVrf(life) } }).catch(() => undefined)
  },
  cutOff: (life) => Promise.resolve(life.cut.add(pick(life, ['tor1', 'tor2']))),
  mend: (life) => Promise.resolve(life.cut.clear()),
  reboot: (life) => {
    const it = life.switches.get(pick(life, ['tor1', 'tor2']))!
    for (const name of it.ports.keys()) it.ports.set(name, closedPort())
    it.version++
    return Promise.resolve()
  },
  second: async (life) => {
    if (life.clusters.length < 2) await addWorker(life)
  },
  kill: async (life) => {
    // From the k-th step on whoever goes to a switch never comes back: its process is gone, and another takes over.
    life.left.steps = Math.floor(life.random() * 12)
    for (let ticks = 0; ticks < 30; ticks++) await new Promise((resolve) => setImmediate(resolve))
    const dead = life.clusters.splice(0)
    for (const cluster of dead) void cluster.close().catch(() => undefined)
    life.left.steps = Number.POSITIVE_INFINITY
    await addWorker(life)
  },
}

/** One whose L2BridgeDomain is gone, and that somebody has come to since, waits for him and opens nothing. */
const opens = (domain: Resource<'L2BridgeDomain'> | undefined): boolean => (domain?.spec.connectionPoints ?? []).length > 0

interface Verdict {
  readonly open: readonly string[]
  readonly wanted: readonly string[]
  readonly locks: readonly string[]
  readonly rights: readonly string[]
}
/** What is open, as `tor1/gw: 100` and `tor2/up.100: blue`, against what the objects that are left ask for. */
async function verdict(life: Life): Promise<Verdict> {
  const carried = [...life.switches].flatMap(([address, { ports }]) =>
    [...ports].flatMap(([name, { ours }]) => [...ours.keys()].map((vlan) => `${address}/${name}: ${vlan}`)),
  )
  const open = [...carried, ...routesIn(life.switches)].sort()
  const attachments = (await life.store.list('L2ServiceAttachment')).items
  const left = (await life.store.list('L2Service')).items
  // One that is refused another VLAN, or waits for its attachment to go, keeps what its definitions still say.
  const domains = (await life.store.list('L2BridgeDomain')).items
  const served = left.flatMap(({ metadata: { name, uid }, spec, status }) => {
    const domain = domains.find((each) => each.spec.holder.uid === uid)
    const kept = domain === undefined ? [] : [domain.spec.vlan, ...(domain.spec.draining ?? []).map((each) => each.vlan)]
    const named = attachments.some((each) => each.spec.l2Services.includes(name))
    // Who comes to one that is going opens nothing any more.
    const used = named && (status?.phase !== 'terminating' || opens(domain))
    const { vlans: its, vrf } =
      status?.phase === 'ready' ? { vlans: [spec.segmentationID], vrf: spec.vrf } : { vlans: kept, vrf: domain?.spec.vrf }
    return its.map((vlan) => ({ name, vlan, used, vrf }))
  })
  const wanted = served
    .filter((each) => each.used)
    .flatMap(({ vlan, vrf }) => [
      ...['tor1/gw', 'tor1/n1', 'tor2/n2'].map((at) => `${at}: ${vlan}`),
      ...(vrf === undefined ? [] : [`tor2/up.${vlan}: ${vrf}`]),
    ])
    .sort()
  const locks = (await life.store.list('SegmentLock')).items
    .map(({ spec }) => `${spec.physicalNetwork} ${spec.vlan} ${spec.holder.name}`)
    .sort()
  const rights = served
    .flatMap(({ name, vlan, used }) => ['physnet', ...(used ? ['default'] : [])].map((network) => `${network} ${vlan} ${name}`))
    .sort()
  return { open, wanted, locks, rights }
}

async function live(seed: number): Promise<void> {
  const life = begin(seed)
  const cluster = await addWorker(life)
  await withFabric(cluster)
  const names = Object.keys(deeds)
  const log: string[] = []
  for (let n = 0; n < 14; n++) {
    const name = pick(life, names)
    log.push(name)
    await deeds[name]!(life)
    if (life.random() < 0.5) await settle(life)
    if (life.random() < 0.3) life.clock.advance(20_000)
  }
  life.cut.clear()
  let seen = await verdict(life)
  for (let ticks = 0; ticks < 40; ticks++) {
    await settle(life)
    life.clock.advance(30_000)
    await settle(life)
    seen = await verdict(life)
    if (JSON.stringify([seen.open, seen.locks]) === JSON.stringify([seen.wanted, seen.rights]) && ticks > 2) break
  }
  assert.deepEqual([seen.open, seen.locks], [seen.wanted, seen.rights], `seed ${seed}: ${log.join(' ')}`)
  for (const each of life.clusters) await each.close()
  await life.store.close()
}

test(`in ${trials(300)} random lives no VLAN is leaked, doubled or missing in the end`, async () => {
  const from = Number(process.env['MEGREZ_TEST_SEED'] ?? 1)
  for (let seed = from; seed < from + trials(300); seed++) await live(seed)
})
