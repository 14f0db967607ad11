// The floors of the benchmark `routes`: sockets that hear of routes, and read no more than headers.
import { netlinkProtocol, type Addon } from '../../../agent/native/addon.ts'
import { groups } from '../../../core/wire/netlink/netlink.ts'

/** RTM_NEWROUTE (linux/rtnetlink.h). */
const newRoute = 24
const headerBytes = 16

/** @returns milliseconds from the first message to the `count`th route */
export async function bareRoutes(addon: Addon, netns: string, count: number, run: () => Promise<void>): Promise<number> {
  const socket = await addon.open(netns, netlinkProtocol.route, groups.tableRoutes)
  try {
    let first: number | undefined
    let told = 0
    const all = new Promise<number>((resolve, reject) => {
      addon.listen(socket, (bytes) => {
        if (bytes === undefined) return reject(new Error('some of it was lost'))
        first ??= performance.now()
        for (let at = 0; at + headerBytes <= bytes.length; at += (bytes.readUInt32LE(at) + 3) & ~3)
          if (bytes.readUInt16LE(at + 4) === newRoute && ++told === count) resolve(performance.now() - first)
      })
    })
    const [ms] = await Promise.all([all, run()])
    return ms
  } finally {
    addon.close(socket)
  }
}

/** When the kernel told of anything about routes, one after the other. */
export async function bareWords(addon: Addon, netns: string): Promise<{ next(): Promise<number>; close(): void }> {
  const socket = await addon.open(netns, netlinkProtocol.route, groups.tableRoutes)
  const told: number[] = []
  let waiting: ((at: number) => void) | undefined
  addon.listen(socket, () => {
    const now = performance.now()
    if (waiting === undefined) told.push(now)
    waiting?.(now)
    waiting = undefined
  })
  return {
    next: () => {
      const first = told.shift()
      return first === undefined ? new Promise((resolve) => (waiting = resolve)) : Promise.resolve(first)
    },
    close: () => addon.close(socket),
  }
}
