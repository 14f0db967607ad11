// Routes that BGP brings to a node's kernel, and how soon the agent's lists say what the kernel has: 10,000 at once, one that is withdrawn,
// and one of two ways that BFD takes away. The kernel forwards by its own tables on every data plane (decision 0062): what is measured is
// what is known beside it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { FollowedLists } from '../../agent/netlink/followed-lists.ts'
import { openNetlink } from '../../agent/netlink/addon.ts'
import type { Addon } from '../../agent/native/addon.ts'
import type { NetlinkEvent } from '../../core/wire/netlink/netlink.ts'
import { routeProtocol } from '../../core/wire/netlink/route.ts'
import { realClock } from '../../platform/clock.ts'
import { builtAddon, withSpaces, type Space } from '../node/kernel.ts'
import { bfdFailovers } from './lib/bfd-failovers.ts'
import { bareRoutes, bareWords } from './lib/bare-routes.ts'
import { absolute, againstFloor, type Metric } from './lib/metric.ts'
import { interleaved, median, quantile, show } from './lib/rounds.ts'

export const description =
  'routes of the kernel as the agent follows them: 10,000 at once against a bare reader, one withdrawn, and one way less by BFD'

const count = 10_000
const rounds = 5
const withdrawals = 100
const table = 77
const blockOf = (i: number): string => `100.64.${i >> 8}.${i & 255}/32`

/** Whoever only listens is not waited for by the process. */
const longestMs = 280_000

export default async function routes(): Promise<readonly Metric[]> {
  realClock.after(longestMs, () => process.exit(1), { keepsAlive: true })
  const addon = await builtAddon()
  const [load, withdraw] = await withSpaces(async (spaces) => {
    const here = await spaces.make()
    await here.namespace.ip('link', 'add', 'e0', 'up', 'type', 'veth', 'peer', 'name', 'e1')
    await here.namespace.ip('address', 'add', '192.0.2.1/24', 'dev', 'e0')
    return [await loaded(addon, here), await withdrawn(addon, here)] as const
  })
  const failovers = await bfdFailovers(addon)
  console.log(
    `BFD 3 x 100 ms, ${failovers.length} times: from the cut to the kernel's route ${shown(failovers.map(({ kernelMs }) => kernelMs))} ms, ` +
      `to ours ${shown(failovers.map(({ followedMs }) => followedMs))} ms`,
  )
  const behind = failovers.map(({ kernelMs, followedMs }) => followedMs - kernelMs)
  return [load, withdraw, absolute('bfd-follow', 'ms after the kernel', Math.max(...behind), { atMost: 50 })]
}

const shown = (values: readonly number[]): string => `${median(values).toFixed(0)} (most ${Math.max(...values).toFixed(0)})`

/** Routes of a batch, by the program that is there for it. */
async function batch(here: Space, does: 'add' | 'flush'): Promise<void> {
  const lines = Array.from({ length: count }, (_, i) => `route add ${blockOf(i)} via 192.0.2.9 table ${table} proto bird metric 32\n`)
  const args = does === 'add' ? ['-batch', '-'] : ['route', 'flush', 'table', String(table)]
  const child = spawn('ip', ['-n', here.name, ...args], { stdio: ['pipe', 'ignore', 'inherit'] })
  const ended = once(child, 'exit')
  child.stdin.end(does === 'add' ? lines.join('') : '')
  const [code] = (await ended) as [number | null]
  if (code !== 0) throw new Error(`ip ended with ${code}`)
}

/** Milliseconds from the first message to the last route. */
async function loaded(addon: Addon, here: Space): Promise<Metric> {
  const figures = await interleaved(rounds, {
    'a bare reader': () => emptied(here, () => bareRoutes(addon, here.path, count, () => batch(here, 'add'))),
    ours: () => emptied(here, () => followed(addon, here)),
  })
  show('ms', figures)
  return againstFloor('load-10k', 'ms', { value: figures.ours.median, floor: figures['a bare reader'] }, { atMost: 2 })
}

async function emptied(here: Space, run: () => Promise<number>): Promise<number> {
  const ms = await run()
  await batch(here, 'flush')
  return ms
}

const followLists = (addon: Addon, here: Space, onChange: (event?: NetlinkEvent) => void): FollowedLists =>
  new FollowedLists({ open: () => openNetlink(addon, here.path), clock: realClock, onChange })

async function followed(addon: Addon, here: Space): Promise<number> {
  let first: number | undefined
  let told = 0
  const all = Promise.withResolvers<void>()
  const lists = followLists(addon, here, (event) => {
    if (event === undefined) return all.reject(new Error('some of it was lost'))
    if (event.kind !== 'tableRoutes' || event.gone) return
    first ??= realClock.elapsed()
    if (++told === count) all.resolve()
  })
  try {
    await lists.of('tableRoutes')
    await Promise.all([batch(here, 'add'), all.promise])
    const known = [...(await lists.of('tableRoutes'))].filter((route) => route.table === table).length
    if (known !== count) throw new Error(`${known} routes are known, not ${count}`)
    return realClock.elapsed() - first!
  } finally {
    await lists.stop()
  }
}

/** Beside all others, one after the other. */
async function withdrawn(addon: Addon, here: Space): Promise<Metric> {
  await batch(here, 'add')
  let heard: ((to: string) => void) | undefined
  const lists = followLists(addon, here, (event) => {
    if (event?.kind === 'tableRoutes' && event.gone) heard?.(event.route.to)
  })
  const netlink = await openNetlink(addon, here.path)
  const bare = await bareWords(addon, here.path)
  const took: number[] = []
  const floor: number[] = []
  try {
    await lists.of('tableRoutes')
    const on = (await netlink.list('links')).find(({ ifname }) => ifname === 'e0')!
    for (let i = 0; i < withdrawals; i++) {
      const gone = new Promise<string>((resolve) => (heard = resolve))
      const began = realClock.elapsed()
      const answers = await netlink.request([
        { do: 'dropRoute', route: { to: blockOf(i), on, via: '192.0.2.9', table, protocol: routeProtocol.bird } },
      ])
      if (answers[0]?.refusal !== undefined) throw new Error(JSON.stringify(answers))
      await gone
      took.push(realClock.elapsed() - began)
      floor.push((await bare.next()) - began)
      if ([...(await lists.of('tableRoutes'))].some(({ to }) => to === blockOf(i))) throw new Error(`${blockOf(i)} is still known`)
    }
  } finally {
    bare.close()
    await netlink.close()
    await lists.stop()
  }
  for (const [who, all] of Object.entries({ ours: took, 'a bare reader': floor }))
    console.log(`one withdrawn beside ${count}, ${who}: median ${median(all).toFixed(2)} ms, p99 ${quantile(all, 0.99).toFixed(2)} ms`)
  return absolute('withdraw-one', 'ms', quantile(took, 0.99), { atMost: 20 })
}
