// 10,000 connections of gRPC through an nsmgr, a forwarder and an endpoint of ours, each refreshed by its client: what is written.
import { pause, realClock } from '../../platform/clock.ts'
import { trials } from '../setup/trials.ts'
import { openNsmSystem, type NsmSystem } from './lib/nsm-system.ts'
import { absolute, type Metric } from './lib/metric.ts'

export const description =
  '10,000 connections of gRPC that are refreshed: writes to the store a second, and the processor that all hops need'

const connections = trials(10_000)
/** Clients refresh after a third of it: 50 a second of 10,000. */
const tokenMs = 600_000
const watchedMs = 60_000
const longestMs = 540_000

/** Each write has a version of its own, of which a list tells the last. */
async function versionOf({ registry: { store } }: NsmSystem): Promise<number> {
  return Number((await store.list('NetworkServiceEndpoint')).resourceVersion)
}

export default async function refresh(): Promise<readonly Metric[]> {
  realClock.after(longestMs, () => process.exit(1), { keepsAlive: true })
  let answers = 0
  const system = await openNsmSystem({ tokenMs, answered: () => answers++ })
  try {
    const began = realClock.elapsed()
    await system.connectMany(connections)
    const openedMs = realClock.elapsed() - began
    console.log(`${connections} connections in ${Math.round(openedMs / 1_000)} s`)
    // The first of them are refreshed from then on.
    await pause(Math.max(0, tokenMs / 3 - openedMs), realClock)
    const [version, before, used] = [await versionOf(system), answers, process.cpuUsage()]
    await pause(watchedMs, realClock)
    const { user, system: kernel } = process.cpuUsage(used)
    const seconds = watchedMs / 1_000
    const refreshed = (answers - before) / seconds
    console.log(`${refreshed.toFixed(1)} refreshes a second, ${((user + kernel) / 1e4 / seconds).toFixed(1)} % of a processor for all hops`)
    if (refreshed === 0) throw new Error('nothing was refreshed')
    return [absolute('writes', 'a second', ((await versionOf(system)) - version) / seconds, { atMost: 50 })]
  } finally {
    await system.stop()
  }
}
