// Wrote what is beside it, within a tree of commit 7f40a40 (2026-11-24, the last one whose queues had names other than their kinds):
//   git worktree add OLD 7f40a40, copy this file into its test/upgrade/2026-11-24, and there
//   node bootstrap.mjs test/upgrade/2026-11-24/record.ts OUT
// It names that commit's modules by its paths, so it runs in no other tree.
import { spawn } from 'node:child_process'
import { readFile, rm, writeFile, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'

/** What of that commit is called. */
interface Cluster {
  readonly store: { create(draft: object): Promise<unknown>; close(): Promise<void> }
  settle(): Promise<void>
  make(kind: string, key: string, spec: object, metadata?: object): Promise<object>
  close(): Promise<void>
}
interface TestNode {
  readonly folder: string
  cni(command: string, call: object): Promise<{ readonly code: number }>
  kill(): Promise<void>
}
interface WorkQueue {
  add(key: string, afterMs?: number): Promise<void>
  run(reconcile: (key: string) => Promise<undefined>, options: object): Promise<unknown>
}
interface Redis {
  keys(pattern: string): Promise<string[]>
  type(key: string): Promise<string>
  hgetall(key: string): Promise<Record<string, string>>
  lrange(key: string, from: number, to: number): Promise<string[]>
  zrange(key: string, from: number, to: number, scores: 'WITHSCORES'): Promise<string[]>
  smembers(key: string): Promise<string[]>
  get(key: string): Promise<string | null>
}
const old = async <T>(path: string): Promise<T> => (await import(join(process.cwd(), path))) as T
const out = process.argv[2] ?? '.'

const { SqliteStore } = await old<{ SqliteStore: { open(path: string): Cluster['store'] } }>('platform/store/sqlite.ts')
const { openHouse: openCluster } = await old<Record<'openHouse', (options: object) => Promise<Cluster>>>('test/workers/house.ts')
const { withNetwork, makePod } = await old<{
  withNetwork(cluster: Cluster): Promise<void>
  makePod(cluster: Cluster, key: string, options: object): Promise<object>
}>('test/workers/network.ts')
const { openNode } = await old<{ openNode(options: object): Promise<TestNode> }>('test/agent/node.ts')
const { openQueues } = await old<{ openQueues(options: object): { open(name: string): WorkQueue } }>('platform/queue/index.ts')
const { silentLog } = await old<{ silentLog(): object }>('platform/log.ts')
const { realClock } = await old<{ realClock: object }>('platform/clock.ts')
const { Redis } = await old<{ Redis: new (socket: string) => Redis }>('node_modules/ioredis/built/index.js')

const folder = await mkdtemp(join(tmpdir(), 'mz-record-'))
await store()
await queues()
await rm(folder, { recursive: true })
process.exit()

/** A data folder's store with something of each kind that it takes without switches, and the ledger of its one node. */
async function store(): Promise<void> {
  const file = join(folder, 'store.sqlite')
  const sqlite = SqliteStore.open(file)
  const cluster = await openCluster({ store: sqlite })
  await sqlite.create({ kind: 'Node', metadata: { name: 'n1' }, spec: {} })
  const node = await openNode({ store: sqlite, name: 'n1', address: '192.0.2.1' })
  await withNetwork(cluster)
  await cluster.make('SecurityGroup', 'a/web', { rules: [{ direction: 'ingress', protocol: 'tcp', l4PortMin: 80 }] })
  await cluster.make('Subscription', 'a/pulled', { filter: { kinds: ['Port'] } })
  await cluster.make('Port', 'a/fixed', { subnet: 'one', ips: ['10.0.0.9'] })
  await cluster.make('Port', 'a/called', { subnet: 'one', callbackURL: 'http://127.0.0.1:9/called' })
  await cluster.make('NodePool', 'racks', { nodes: ['n1'], interfaces: [{ name: 'bond0' }] })
  const pod = await makePod(cluster, 'a/web', { node: 'n1', nics: [{ name: 'net1', ip: '10.0.0.7' }] })
  await cluster.settle()
  const { code } = await node.cni('ADD', { pod })
  if (code !== 0) throw new Error(`ADD: ${code}`)
  await pause(500)
  await cluster.settle()
  await node.kill()
  await cluster.close()
  await sqlite.close()
  await writeFile(join(out, 'store.sqlite.gz'), gzipSync(await readFile(file), { level: 9 }))
  await writeFile(join(out, 'ledger.jsonl'), await readFile(join(node.folder, 'ledger/ledger.jsonl')))
}

/** Redis as it is left by workers that were killed: keys that wait, one that is due later, one that was being reconciled. */
async function queues(): Promise<void> {
  const socket = join(folder, 'redis.sock')
  const server = spawn('redis-server', ['--port', '0', '--unixsocket', socket, '--save', '', '--dir', folder], { stdio: 'ignore' })
  await pause(1_000)
  const opened = openQueues({ redis: socket, log: silentLog(), clock: realClock })
  for (const name of ['port', 'pod', 'notices']) {
    const queue = opened.open(name)
    await queue.run(() => new Promise(() => undefined), { concurrency: 1, retryAfterMs: () => 1_000 })
    await queue.add('a/under-way')
    await pause(1_000)
    await queue.add('a/waits')
    await queue.add('a/later', 3_600_000)
  }
  const redis = new Redis(socket)
  const all: Record<string, unknown> = {}
  for (const key of (await redis.keys('*')).sort()) all[key] = await valueOf(redis, key)
  await writeFile(join(out, 'redis.json'), `${JSON.stringify(all, null, 2)}\n`)
  server.kill()
}

async function valueOf(redis: Redis, key: string): Promise<object> {
  const type = await redis.type(key)
  if (type === 'hash') return { type, value: await redis.hgetall(key) }
  if (type === 'list') return { type, value: await redis.lrange(key, 0, -1) }
  if (type === 'zset') return { type, value: await redis.zrange(key, 0, -1, 'WITHSCORES') }
  if (type === 'set') return { type, value: await redis.smembers(key) }
  if (type === 'string') return { type, value: await redis.get(key) }
  return { type }
}
