// An NFVO that is told the truth whatever breaks: its receiver is killed and comes back, the worker is killed, Redis is emptied; and at
// the end its log of each object is complete and in order.
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '../../platform/programs/until.ts'
import { startRedisServer } from '../../platform/redis-server.ts'
import { flushAll } from './callbacks/parts.ts'
import { readLog, wrongWith, type Logged } from './callbacks/log.ts'
import { Stage } from './callbacks/stage.ts'

const namespace = 'nfv'
const objects = 8
const base = `/v1/namespaces/${namespace}`

export async function playCallbacks(json: boolean): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'megrez-story-'))
  const redis = await startRedisServer({ folder: join(folder, 'redis'), install: true })
  if ('missing' in redis) {
    process.stderr.write(`story: ${redis.missing}\n`)
    await rm(folder, { recursive: true })
    return 1
  }
  const say = (text: string): void => void (json ? process.stderr : process.stdout).write(`${text}\n`)
  const stage = new Stage(join(folder, 'data'), redis.socket, await freeL4Port())
  try {
    await play(stage, say)
    const log = readLog(stage.notices)
    for (const { name, told } of log) say(`   ${name.padEnd(16)} ${told.map(({ sequence, phase }) => `${sequence} ${phase}`).join(', ')}`)
    const wrong = wrongWith(log, stage.histories)
    if (json) process.stdout.write(`${JSON.stringify({ log, sent: stage.notices.length, wrong })}\n`)
    say(
      `\n${log.length} objects, ${stage.notices.length} notices received, ${stage.notices.length - new Set(stage.notices.map(({ id }) => id)).size} of them again: ${wrong.length === 0 ? 'complete and in order' : 'NOT complete'}`,
    )
    for (const each of wrong) process.stderr.write(`story: ${each}\n`)
    return wrong.length === 0 ? 0 : 1
  } finally {
    await stage.end()
    await redis.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function play(stage: Stage, say: (text: string) => void): Promise<void> {
  say("1  a server, a Redis, and an NFVO's receiver (megrez listen), each a process of its own")
  await stage.serve()
  await stage.receive(namespace)
  await stage.must('POST', `${base}/subscriptions`, {
    apiVersion: 'megrez.io/v1alpha1',
    kind: 'Subscription',
    metadata: { name: 'nfvo' },
    spec: { sink: stage.url },
  })
  await until(async () => phaseAt(stage, 'subscriptions/nfvo', 'ready'), 'the Subscription is ready')
  await make(stage, 0, objects / 2)

  say('2  the receiver is killed; more is made; Redis is emptied')
  await stage.killReceiver()
  await make(stage, objects / 2, objects)
  await flushAll(stage.redis)

  say('3  the worker is killed too, and started again')
  await stage.killServer()
  await stage.serve()
  await stage.must('GET', `${base}/subscriptions/nfvo`)

  say('4  the receiver comes back; everything is deleted; Redis is emptied; the worker is killed in the middle of it')
  await remember(stage)
  await stage.receive(namespace)
  await Promise.all(all((i) => stage.rest.remove(`${base}/vpcs/v${i}`)))
  await flushAll(stage.redis)
  await stage.killServer()
  await stage.serve()
  await Promise.all(all((i) => stage.rest.remove(`${base}/subnets/s${i}`)))
  await until(
    () =>
      new Set(
        stage.notices.filter(({ phase }) => phase === 'deleted').map(({ body }) => (body as { metadata: { uid: string } }).metadata.uid),
      ).size ===
      2 * objects,
    'the end of everything is told',
    120_000,
  )
  say('\nwhat the NFVO was told of each object:')
}

const all = <T>(each: (i: number) => T): T[] => Array.from({ length: objects }, (_, i) => each(i))

async function make(stage: Stage, from: number, to: number): Promise<void> {
  for (let i = from; i < to; i++) {
    await stage.must('POST', `${base}/vpcs`, { apiVersion: 'megrez.io/v1alpha1', kind: 'Vpc', metadata: { name: `v${i}` }, spec: {} })
    await stage.must('POST', `${base}/subnets`, {
      apiVersion: 'megrez.io/v1alpha1',
      kind: 'Subnet',
      metadata: { name: `s${i}` },
      spec: { vpc: `v${i}`, ipv4: { cidr: '10.0.0.0/24' } },
    })
    await until(async () => phaseAt(stage, `subnets/s${i}`, 'ready'), `Subnet s${i} is ready`)
  }
}

const phaseAt = async (stage: Stage, path: string, phase: string): Promise<boolean> =>
  (await stage.must('GET', `${base}/${path}`)).status?.phase === phase

/** What the store itself says has happened to each object so far. */
async function remember(stage: Stage): Promise<void> {
  for (const [kind, plural] of [
    ['Vpc', 'vpcs'],
    ['Subnet', 'subnets'],
  ] as const) {
    for (const { metadata, status } of (await stage.must('GET', `${base}/${plural}`)).items ?? [])
      stage.histories.set(`${kind} ${metadata.name}`, (status?.timeline ?? []) as unknown as readonly Logged[])
  }
}

function freeL4Port(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port: l4Port } = server.address() as AddressInfo
      server.close(() => resolve(l4Port))
    })
  })
}
