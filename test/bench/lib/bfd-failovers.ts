// Two gateways with one prefix, and BFD with both: how long after one is cut off the kernel of a node, and then its agent, knows one way
// less.
import { FollowedLists } from '../../../agent/netlink/followed-lists.ts'
import { openNetlink } from '../../../agent/netlink/addon.ts'
import type { Addon } from '../../../agent/native/addon.ts'
import { realClock } from '../../../platform/clock.ts'
import { makeNetwork, type BGPNode } from '../../bgp/network.ts'
import { birdOf, follow, group, meshed, session, table } from '../../bgp/speakers.ts'
import { until } from '../../setup/until.ts'

const times = 5
const prefix = '198.51.100.0/24'
const ofGateways = 64_600
const { bfd } = meshed

export interface Failover {
  /** From the cut on. */
  readonly kernelMs: number
  readonly followedMs: number
}

export async function bfdFailovers(addon: Addon): Promise<readonly Failover[]> {
  const network = await makeNetwork(['a', 'e', 'g'])
  const { a, e, g } = network.nodes as Record<'a' | 'e' | 'g', BGPNode>
  const toOthers = { external: true, import: [{ prefix: '0.0.0.0/0', le: 32, action: 'accept' as const }], bfd }
  const here = follow(a, birdOf(a))
  const gateways = [e, g].map((each) => {
    const speaker = follow(each, birdOf(each))
    const advertise = [{ cidr: prefix, hostRoutes: false, vni: 5 }]
    speaker.want([group(each, [session(a, { external: true, bfd })], { as: ofGateways, advertise })], 1)
    return speaker
  })
  const lists = new FollowedLists({
    open: () => openNetlink(addon, `/run/netns/${a.namespace.name}`),
    clock: realClock,
    onChange: () => void changed?.(),
  })
  let changed: (() => void) | undefined
  const ways = async (): Promise<number> =>
    [...(await lists.of('tableRoutes'))].find((route) => route.table === table && route.to === prefix)?.hops.length ?? 0
  try {
    here.want(
      [
        group(
          a,
          [e, g].map((each) => session(each, { ...toOthers, as: ofGateways })),
        ),
      ],
      1,
    )
    const failovers: Failover[] = []
    for (let i = 0; i < times; i++) {
      await until(async () => (await ways()) === 2, 'both ways are there', 60_000)
      const kernel = await kernelsWord(addon, a)
      const followed = new Promise<number>((resolve) => {
        changed = () => void ways().then((left) => left === 1 && resolve(realClock.elapsed()))
      })
      const cut = realClock.elapsed()
      await e.namespace.ip('link', 'set', 'up0', 'down')
      failovers.push({ kernelMs: (await kernel.told) - cut, followedMs: (await followed) - cut })
      await e.namespace.ip('link', 'set', 'up0', 'up')
      await e.namespace.ip('address', 'replace', `${e.ipv6}/64`, 'dev', 'up0', 'nodad')
    }
    return failovers
  } finally {
    await lists.stop()
    for (const each of [here, ...gateways]) await each.end()
    await network.remove()
  }
}

/** When the kernel first tells of the prefix, as a socket of its own hears it. */
async function kernelsWord(addon: Addon, { namespace }: BGPNode): Promise<{ readonly told: Promise<number> }> {
  const netlink = await openNetlink(addon, `/run/netns/${namespace.name}`)
  const { promise, resolve } = Promise.withResolvers<number>()
  const { stop } = await netlink.listen(['tableRoutes'], (events) => {
    const isTold = events?.some((event) => event.kind === 'tableRoutes' && event.route.to === prefix)
    if (isTold === true) resolve(realClock.elapsed())
  })
  const told = promise.finally(async () => {
    stop()
    await netlink.close()
  })
  return { told }
}
