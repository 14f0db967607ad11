// A worker in a process of its own, for tests that kill it. Arguments: socket, prefix, what its first look does. It prints a line
// for each thing that happens.
import { realClock } from '../../platform/clock.ts'
import { silentLog } from '../../platform/log.ts'
import { openQueues } from '../../platform/queue/index.ts'

const [redis, prefix, first] = process.argv.slice(2)
const queue = openQueues({ redis, prefix, log: silentLog(), clock: realClock }).open('keys')
let reconciles = 0

const firsts: Record<string, (key: string, signal: AbortSignal) => Promise<undefined>> = {
  /** Never ends; an add that comes meanwhile is accepted. */
  async hang(key) {
    await queue.add(key)
    console.log(`added ${key}`)
    return new Promise(() => undefined)
  },
  /** Holds up the whole process for longer than locks last, then for as long as its signal stands. */
  async block(key, signal) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 8_000)
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve))
    console.log(`aborted ${key}`)
    return undefined
  },
  /** The same, and goes on after it has been told. */
  async deaf(key, signal) {
    await firsts.block!(key, signal)
    await new Promise((resolve) => setTimeout(resolve, 7_000))
    console.log(`ended ${key}`)
    return undefined
  },
}

await queue.run(
  (key, signal) => {
    console.log(`look ${key}`)
    return ++reconciles === 1 ? firsts[first ?? '']!(key, signal) : Promise.resolve(undefined)
  },
  { concurrency: 2, retryAfterMs: () => 1_000 },
)
console.log('ready')
