// kill -9 of a dispatcher's process once its receiver has the request, and before it can have acknowledged: 1,000 times, a quarter
// of them with the queue in Redis, where what the dead one held is given to the next one after 5 to 11 seconds.
import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Resource } from '../../core/kinds/index.ts'
import { SqliteStore } from '../../platform/store/sqlite.ts'
import { redisSocket } from '../setup/redis.ts'
import { trials } from '../setup/trials.ts'
import { seeded } from '../workers/test-cluster.ts'
import { makeVpc, changePhase } from '../workers/notify-post.ts'
import { openReceiver, changesTaken, type Received } from '../workers/notify-receiver.ts'

const phases = ['pending', 'ready', 'error', 'ready', 'error', 'ready'] as const
const objects = 6
const folder = await mkdtemp(join(tmpdir(), 'megrez-notify-'))
const children = new Set<ChildProcess>()
after(async () => {
  for (const child of children) child.kill('SIGKILL')
  await rm(folder, { recursive: true, force: true })
})

/** One that has begun to load, and takes over when it is given a store: what a life costs is mostly its modules. */
function spare(redis: string | undefined): ChildProcess {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, 'notify-child.ts'), ...(redis === undefined ? [] : [redis])],
    {
      stdio: ['pipe', 'inherit', 'inherit'],
      env: { ...process.env, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(folder, 'modules') },
    },
  )
  children.add(child)
  child.once('exit', () => children.delete(child))
  // One that was killed reads no more of what it is given.
  child.stdin.on('error', () => undefined)
  return child
}

async function filed(file: string, url: string): Promise<readonly Resource<'Vpc'>[]> {
  const store = SqliteStore.open(file)
  const vpcs = await Promise.all(Array.from({ length: objects }, (_, i) => makeVpc(store, `v${i}`, url)))
  for (const phase of phases) await Promise.all(vpcs.map((vpc) => changePhase(store, vpc, phase)))
  await store.close()
  return vpcs
}

async function left(file: string): Promise<number> {
  const store = SqliteStore.open(file)
  const { items } = await store.list('Notice')
  await store.close()
  return items.length
}

function holdsFor(vpc: Resource<'Vpc'>, heard: readonly Received[], taken: readonly Received[]): void {
  const mine = heard.filter(({ uid }) => uid === vpc.metadata.uid)
  const sequences = mine.map(({ sequence }) => sequence)
  assert.deepEqual(
    sequences,
    sequences.toSorted((a, b) => a - b),
    'none comes after a newer one',
  )
  assert.deepEqual(
    [...new Set(changesTaken(taken, vpc.metadata.uid))],
    phases.map((phase, i) => `${i + 1} ${phase}`),
    'none is lost',
  )
  const ids = new Map(mine.map(({ sequence, headers }) => [sequence, headers['webhook-id']]))
  assert.ok(
    mine.every(({ sequence, headers }) => ids.get(sequence) === headers['webhook-id']),
    'what comes again has the id it had',
  )
  assert.equal(new Set(ids.values()).size, phases.length)
}

/** Stores one after another, each served by one dispatcher after another, until so many have been killed. */
async function line(name: string, kills: number, redis?: string): Promise<{ readonly killed: number; readonly repeats: number }> {
  const random = seeded(name.length + kills + name.charCodeAt(0))
  let killed = 0
  let repeats = 0
  let next = spare(redis)
  for (let round = 0; killed < kills; round++) {
    const file = join(folder, `${name}-${round}.sqlite`)
    /** Requests that the one that serves now may still make. */
    let lives = 0
    let child: ChildProcess | undefined
    const receiver = await openReceiver({
      answer() {
        lives -= 1
        if (killed === kills || lives > 0) return 204
        // The request is here whole, and its answer is not sent yet; or, of one that makes more requests, others' are under way.
        if (lives === 0) killed += 1
        child?.kill('SIGKILL')
        return random() < 0.5 ? 204 : undefined
      },
    })
    const vpcs = await filed(file, receiver.url)
    while ((await left(file)) > 0) {
      lives = 1 + Math.floor(random() * 4)
      child = next
      next = spare(redis)
      const ended = once(child, 'exit')
      child.stdin!.end(`${file}\n`)
      await ended
      assert.ok(child.signalCode === 'SIGKILL' || child.exitCode === 0, `it ended by itself with ${child.exitCode}`)
    }
    for (const vpc of vpcs) holdsFor(vpc, receiver.heard, receiver.taken)
    repeats += receiver.heard.length - objects * phases.length
    await receiver.close()
  }
  next.stdin!.end()
  return { killed, repeats }
}

/** Real processes, real files, real Redis: that any moment will do is asked by the simulation, which kills dispatchers at any await. */
const inAll = trials(400)
/** Where there is one. These wait for most of their time: many of them at once. */
const overRedis = redisSocket === undefined ? 0 : trials(100)
const waiting = 16

/** Shares of kills that make so many or a few more. */
const shared = (kills: number, lines: number): readonly number[] =>
  Array.from({ length: kills === 0 ? 0 : lines }, () => Math.ceil(kills / lines))

test(`a dispatcher that is killed between sending and acknowledging, ${inAll} times, ${overRedis} of them over Redis, loses nothing, keeps the order, and repeats under the same id`, async () => {
  const warm = spare(redisSocket)
  const warmed = once(warm, 'exit')
  warm.stdin!.end()
  await warmed
  const here = shared(inAll - overRedis, availableParallelism())
  const there = shared(overRedis, waiting)
  const found = await Promise.all([
    ...here.map((kills, i) => line(`line-${i}`, kills)),
    ...there.map((kills, i) => line(`redis-${i}`, kills, redisSocket)),
  ])
  assert.deepEqual(
    found.map(({ killed }) => killed),
    [...here, ...there],
  )
  assert.ok(
    found.every(({ killed, repeats }) => repeats >= killed),
    'each kill had a request repeated',
  )
})
