// One change of a daemon's graph at a time, on this machine: bessd has no transactions, and a ResumeAll in the middle of somebody
// else's change ends it.
import { createHash } from 'node:crypto'
import { createServer } from 'node:net'
import { PeerConflict } from '../../../core/errors.ts'

const queues = new Map<string, Promise<void>>()

/**
 * Waits for others of this process; the kernel frees the place when a process ends.
 *
 * @throws PeerConflict while another process is changing the graph
 */
export async function oneAtATime<T>(target: string, run: () => Promise<T>): Promise<T> {
  const before = queues.get(target) ?? Promise.resolve()
  const mine = Promise.withResolvers<void>()
  queues.set(target, mine.promise)
  await before
  try {
    const leave = await take(target)
    try {
      return await run()
    } finally {
      await leave()
    }
  } finally {
    if (queues.get(target) === mine.promise) queues.delete(target)
    mine.resolve()
  }
}

/** An abstract unix socket (unix(7)) named after the target: no file, and nobody has it once we are gone. */
function take(target: string): Promise<() => Promise<void>> {
  const name = `\0megrez-bess-${createHash('sha256').update(target).digest('hex').slice(0, 24)}`
  const server = createServer((socket) => socket.destroy())
  return new Promise((resolve, reject) => {
    server.once('error', (cause) =>
      reject(new PeerConflict({ target, method: 'a change of the graph', reason: 'another process is at it', cause })),
    )
    server.listen(name, () => resolve(() => new Promise((done) => server.close(() => done()))))
  })
}
