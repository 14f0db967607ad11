// 1,000 L2Services on 64 ports of 8 real switches: how long until all VLANs are open, against a bare loop that sends the same transactions.
import { performance } from 'node:perf_hooks'
import { labPrefix } from '../../lab/namespaces.ts'
import { startOvsNode, type OvsNode } from '../../lab/programs/ovs.ts'
import { finalizersFor } from '../../core/admit/object/finalizers.ts'
import type { Kind, SpecOf } from '../../core/kinds/index.ts'
import type { Operation } from '../../core/wire/ovsdb/ovsdb.ts'
import { openCaches } from '../../platform/cache/caches.ts'
import { realClock } from '../../platform/clock.ts'
import { readConfig } from '../../platform/config.ts'
import { silentLog } from '../../platform/log.ts'
import { Ovsdb } from '../../platform/ovsdb/database.ts'
import { applied } from '../../platform/ovsdb/vswitch.ts'
import { memoryQueues } from '../../platform/queue/memory.ts'
import { SqliteStore } from '../../platform/store/sqlite.ts'
import { fabricRegistry } from '../../workers/drivers/fabric/index.ts'
import { ovsdb, switchTables } from '../../workers/drivers/fabric/ovsdb.ts'
import { startWorkers } from '../../workers/start.ts'
import { ovsFolder } from '../setup/ovs.ts'
import { until } from '../setup/until.ts'
import { absolute, againstFloor, type Metric } from './lib/metric.ts'

export const description =
  'time until 1,000 VLANs are open on 64 ports of 8 switches, against a bare loop that sends the same OVSDB transactions'

const services = 1_000
const switches = 8
const portsEach = 8
/** In one attachment; the kind takes 256. */
const inOne = 250
const portNames = Array.from({ length: portsEach }, (_, i) => `p${i}`)
const soon = (): AbortSignal => AbortSignal.timeout(120_000)

interface SentOperations {
  readonly at: string
  readonly operations: readonly Operation[]
}

/** Notes every transaction on its way; those of applied end with the two that count and read next_cfg. */
class NotedDb extends Ovsdb {
  readonly sent: SentOperations[] = []

  override transact(operations: readonly Operation[]): ReturnType<Ovsdb['transact']> {
    this.sent.push({ at: this.address, operations: operations.slice(0, -2) })
    return super.transact(operations)
  }
}

const open = <T>(make: (options: ConstructorParameters<typeof Ovsdb>[0]) => T, address: string): T =>
  make({ address, database: 'Open_vSwitch', tables: switchTables, log: silentLog() })

export default async function fabric(): Promise<readonly Metric[]> {
  const folder = ovsFolder()
  const prefix = labPrefix()
  const nodes: OvsNode[] = []
  try {
    for (let i = 0; i < switches; i++) nodes.push(await startSwitch(`${prefix}${i}`, `${folder}-${i}`))
    const ours = await converge(nodes)
    const floorMs = await replay(nodes, ours.first)
    const floorOneMs = await replayOne(nodes, ours.more)
    console.log(
      `${ours.first.length} transactions in ${Math.round(ours.ms)} ms, ${Math.round(ours.cpuMs)} ms of processor time; the same by a bare loop ${Math.round(floorMs)} ms; one more ${Math.round(ours.oneMs)} ms, bare ${Math.round(floorOneMs)} ms`,
    )
    return [
      againstFloor('converge', 'ms', { value: ours.ms, floor: floorMs }, { atMost: 1.5 }),
      absolute('transactions-per-switch-batch', 'transactions', ours.first.length / ours.batches, { atMost: 1 }),
      againstFloor('one-more', 'ms', { value: ours.oneMs, floor: floorOneMs }, { atMost: 3 }),
    ]
  } finally {
    await Promise.all(nodes.map((node) => node.stop()))
  }
}

async function startSwitch(name: string, folder: string): Promise<OvsNode> {
  const node = await startOvsNode({ name, folder })
  await node.vsctl(
    'add-br',
    'tor',
    '--',
    'set',
    'bridge',
    'tor',
    'datapath_type=netdev',
    ...portNames.flatMap((each) => [
      '--',
      'add-port',
      'tor',
      each,
      '--',
      'set',
      'interface',
      each,
      'type=internal',
      '--',
      'set',
      'port',
      each,
      'trunks=4095',
    ]),
  )
  return node
}
const reset = (nodes: readonly OvsNode[]): Promise<unknown> =>
  Promise.all(
    nodes.map((node) =>
      node.vsctl(...portNames.flatMap((each) => ['--', 'set', 'port', each, 'trunks=4095', '--', 'clear', 'port', each, 'external_ids'])),
    ),
  )

interface Ours {
  readonly ms: number
  /** Of this process; the switches take theirs beside it. */
  readonly cpuMs: number
  readonly oneMs: number
  readonly first: readonly SentOperations[]
  readonly more: readonly SentOperations[]
  readonly batches: number
}

async function converge(nodes: readonly OvsNode[]): Promise<Ours> {
  const store = SqliteStore.open(':memory:')
  const make = <K extends Kind>(kind: K, key: string, spec: SpecOf<K>): Promise<unknown> => {
    const [namespace, name] = key.includes('/') ? (key.split('/') as [string, string]) : [undefined, key]
    const born = finalizersFor(kind, { metadata: {}, spec })
    return store.create({
      kind,
      metadata: { name, ...(namespace !== undefined && { namespace }), ...(born.length > 0 && { finalizers: [...born] }) },
      spec,
    })
  }
  const all = Array.from({ length: switches * portsEach }, (_, i) => ({
    node: `n${i}`,
    interface: 'e',
    switch: `s${Math.floor(i / portsEach)}`,
    switchPort: portNames[i % portsEach]!,
  }))
  await make('Fabric', 'dc', {
    switches: nodes.map((node, i) => ({ name: `s${i}`, driver: 'ovsdb' as const, address: node.db })),
    links: all,
  })
  await make('NodePool', 'pool', { nodes: all.map((each) => each.node), interfaces: [{ name: 'e', connectionPoint: 'cp' }] })
  await make('ConnectionPoint', 'cp', { supportedCnis: [{ name: 'ovs', supportedInterfaceTypes: ['kernel'], bridgeName: 'br' }] })
  await Promise.all(Array.from({ length: services }, (_, i) => make('L2Service', `a/s${i}`, { segmentationID: i + 1 })))
  await Promise.all(
    Array.from({ length: services / inOne }, (_, i) =>
      make('L2ServiceAttachment', `a/t${i}`, {
        l2Services: Array.from({ length: inOne }, (__, j) => `s${i * inOne + j}`),
        connectionPoint: 'cp',
        vlanType: 'selectivetrunk',
      }),
    ),
  )

  const dbs: NotedDb[] = []
  let batches = 0
  const registry = {
    ...fabricRegistry,
    ovsdb: ({ address }: { readonly address: string }) => {
      const db = open((options) => new NotedDb(options), address)
      dbs.push(db)
      const driver = ovsdb(db, { owner: 'megrez', clock: realClock })
      return { ...driver, apply: (...given: Parameters<typeof driver.apply>) => (batches++, driver.apply(...given)) }
    },
  }
  const stop = new AbortController()
  const caches = openCaches(store)
  await caches.start(stop.signal)
  const queues = memoryQueues({ log: silentLog(), clock: realClock })
  /** No attachment or L2Service waits to be looked at. */
  const quiet = (): Promise<void> =>
    until(
      async () =>
        (await Promise.all(['L2Service', 'L2ServiceAttachment'].map((name) => queues.open(name).depth()))).every((depth) => depth === 0),
      'nobody waits',
    )
  const config = readConfig({}, { fabricRate: 1_000 })
  const before = process.cpuUsage()
  const began = performance.now()
  const workers = await startWorkers({
    store,
    caches,
    queues,
    config,
    clock: realClock,
    log: silentLog(),
    random: Math.random,
    fabricRegistry: registry,
  })
  const isReady = (key: string): boolean => caches.L2ServiceAttachment.get(key)?.status?.phase === 'ready'
  await until(() => Array.from({ length: services / inOne }, (_, i) => `a/t${i}`).every(isReady), 'all attachments are ready', 300_000)
  const ms = performance.now() - began
  const { user, system } = process.cpuUsage(before)
  const first = dbs.flatMap((db) => db.sent.splice(0))
  const firstBatches = batches
  // What the thousand still have to be told is none of the one more's.
  await until(
    () => Array.from({ length: services }, (_, i) => `a/s${i}`).every((key) => caches.L2Service.get(key)?.status?.phase === 'ready'),
    'all L2Services say so',
    60_000,
  )
  await quiet()
  const oneBegan = performance.now()
  await make('L2Service', 'a/more', { segmentationID: services + 1 })
  await make('L2ServiceAttachment', 'a/one', { l2Services: ['more'], connectionPoint: 'cp', vlanType: 'access' })
  await until(() => isReady('a/one'), 'the one more is ready', 60_000)
  const oneMs = performance.now() - oneBegan
  const more = dbs.flatMap((db) => db.sent.splice(0))
  await workers.stop()
  await queues.close()
  stop.abort()
  await store.close()
  return { ms, cpuMs: (user + system) / 1_000, oneMs, first, more, batches: firstBatches }
}

/** Each switch's transactions one after another, all switches at once. */
async function send(dbs: ReadonlyMap<string, Ovsdb>, sent: readonly SentOperations[]): Promise<number> {
  const began = performance.now()
  await Promise.all(
    [...Map.groupBy(sent, ({ at }) => at)].map(async ([at, mine]) => {
      for (const { operations } of mine) await applied(dbs.get(at)!, operations, soon())
    }),
  )
  return performance.now() - began
}

async function connected<T>(nodes: readonly OvsNode[], run: (dbs: ReadonlyMap<string, Ovsdb>) => Promise<T>): Promise<T> {
  const dbs = new Map(nodes.map((node) => [node.db, open((options) => new Ovsdb(options), node.db)]))
  try {
    await Promise.all([...dbs.values()].map((db) => db.ready(soon())))
    return await run(dbs)
  } finally {
    for (const db of dbs.values()) db.close()
  }
}

async function replay(nodes: readonly OvsNode[], sent: readonly SentOperations[]): Promise<number> {
  await reset(nodes)
  return connected(nodes, (dbs) => send(dbs, sent))
}

/** After the first thousand have been sent: the switches are as full as they were. */
const replayOne = (nodes: readonly OvsNode[], sent: readonly SentOperations[]): Promise<number> =>
  connected(nodes, (dbs) => send(dbs, sent))
