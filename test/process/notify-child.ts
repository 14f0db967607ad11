// A dispatcher in a process of its own, for tests that kill it. It has loaded everything when the first line on its standard
// input names the store's file, and it ends in peace when all is told, or when it is given nothing. Argument: the socket of a Redis
// that carries its queue; without one the queue is in the process.
import { createInterface } from 'node:readline'
import { realClock } from '../../platform/clock.ts'
import { silentLog } from '../../platform/log.ts'
import { SqliteStore } from '../../platform/store/sqlite.ts'
import { openPost } from '../workers/notify-post.ts'

/** Where two processes before it were killed, Redis gives out what each has held after up to 11 s. */
const allToldMs = 300_000
const [redis] = process.argv.slice(2)
const open = redis === undefined ? undefined : (await import('../../platform/queue/index.ts')).openQueues
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
const { value: file } = await lines.next()
if (file !== undefined) {
  // The file's own: the next process finds what a killed one held.
  const queues = open?.({ redis, prefix: file, log: silentLog(), clock: realClock })
  const post = await openPost({ store: SqliteStore.open(file), ...(queues === undefined ? {} : { queues }) })
  await post.empty(allToldMs)
  await post.stop()
  await queues?.close()
  await post.store.close()
}
