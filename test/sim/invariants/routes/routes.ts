// Routes. No packet comes again where it was for longer than news of a route is on its way. None comes into a Vpc from another, or from
// outside, and no route from outside into a table, for which no word is in force that both have agreed, by BGP or by a peering. And
// where nothing has gone wrong for a while, and once all is quiet, whoever is to reach somebody by routes does.
// A daemon that comes again loses nobody's routes.
import { perKind, type Invariant } from '../../invariant.ts'
import { Forwarding } from '../../world/routing/forwarding.ts'
import { untroubledMs } from '../untroubled.ts'
import { Circles } from './circles.ts'
import { kernelWalks, saidOf, type KernelWalk } from './walks.ts'
import { missedPairs } from './pairs.ts'
import { Peerings } from './peerings.ts'
import { Speakers } from './speakers.ts'
import { leftMs, unwantedRoutes } from './unwanted-routes.ts'

/** An agent and a daemon that nothing is wrong with have done by then what they were told; a daemon that starts waits for neighbours. */
const settledMs = 30_000
/**
 * No black hole is longer, where nothing has gone wrong for so long: a neighbour that is lost is missed after the hold time of 9 s, or one
 * that restarts after 20 s; a session is opened again within 6 s; an agent looks at its daemon each second, and has done within 5 s what it
 * hears.
 */
export const blackHoleMs = 40_000

type Fail = (what: string) => void

export const routes: Invariant = {
  name: 'routes',
  begin(world, fail) {
    const { site, routing, machines } = world
    if (site.config.bgp === 'off') return {}
    const { scheduler, truth } = site
    const forwarding = new Forwarding(routing)
    const speakers = new Speakers(() => scheduler.now)
    const peerings = new Peerings(() => scheduler.now)
    /** When something was last otherwise that decides who is to be reached. */
    let changedAt = 0
    const calmMs = (node: string): number =>
      Math.min(untroubledMs(world, node), scheduler.now - machines.of(node).plane.begunAt, routing.untroubledMs(node))
    const catchUp = (): void => {
      for (const { name } of machines.all.values()) if (calmMs(name) >= settledMs) speakers.forget(name, scheduler.now - settledMs)
    }
    /** Node, VNI and address → when who had it there was gone. */
    const leftAt = new Map<string, number>()
    machines.on(({ node, port: { attachment, addresses } }, there) => {
      if (attachment.kind !== 'vni') return
      for (const address of addresses) {
        const key = `${node} ${attachment.vni} ${address}`
        if (there) leftAt.delete(key)
        else leftAt.set(key, scheduler.now)
      }
    })
    const isLate = (node: string, address: string): boolean =>
      calmMs(node) >= leftMs && isAnswered(node) && scheduler.now - (leftAt.get(`${node} ${address}`) ?? scheduler.now) >= leftMs
    /** Where an agent died over a call the runtime waits, and the Port's next interface, or its end, comes only after that. */
    const isAnswered = (node: string): boolean => {
      const { calls, calledAt } = machines.of(node)
      return calls === 0 && scheduler.now - calledAt >= leftMs
    }
    /**
     * The sender's own node leads over, as far as it was told, or may still have heard of; by other nodes only to what these announce.
     */
    const isPeered = ({ way: { from, hops, end }, destination }: KernelWalk): boolean => {
      if (from === undefined || end.to !== 'router') return false
      if (hops.length > 1 && !isSaidOn(end.machine.name, end.pair.vni, speakers)) return false
      const since = calmMs(hops[0]!) >= settledMs ? scheduler.now - settledMs : 0
      return peerings.allow({ from, into: end.pair.vni, destination }, since)
    }
    const circles = new Circles(scheduler, () => inspect(), fail)
    const inspect = (): void => {
      catchUp()
      const walks = [...kernelWalks(world, forwarding)]
      circles.take(walks)
      for (const walk of walks) if (!isPeered(walk)) judge(walk, speakers, fail)
      for (const problem of unwantedRoutes(world, speakers, isLate)) fail(problem)
    }
    const reachAll = (when: string, isCalm: (node: string) => boolean): void => {
      for (const missed of missedPairs(world, { speakers, peerings, isCalm })) fail(`${when} ${missed}`)
    }
    routing.sessions.onTooSoon = fail
    let isDue = false
    routing.onChange = () => {
      if (isDue) return
      isDue = true
      scheduler.after(0, 'routes are looked at', () => {
        isDue = false
        inspect()
      })
    }
    let isWaiting = false
    const changed = (): void => {
      changedAt = scheduler.now
      if (isWaiting) return
      isWaiting = true
      const wait = (ms: number): void =>
        void scheduler.after(ms, 'has nothing changed for long?', () => {
          const left = changedAt + blackHoleMs - scheduler.now
          if (left > 0) return wait(left)
          isWaiting = false
          reachAll(`${blackHoleMs / 1_000} s after the last change`, (node) => calmMs(node) >= blackHoleMs)
        })
      wait(blackHoleMs)
    }
    const isDecisive = (): void => changed()
    return {
      landed: perKind({
        BGPSpeaker(before, after) {
          speakers.take(before, after)
          if (JSON.stringify(before?.spec) !== JSON.stringify(after?.spec)) changed()
        },
        VpcPeering: (before, after) => peerings.take(before, after) && changed(),
        BGPSessionGroup: isDecisive,
        Vpc: isDecisive,
        Subnet: isDecisive,
        Port: isDecisive,
        IPLock: isDecisive,
        Node: isDecisive,
        PolicyRuleSet: isDecisive,
      }),
      atRest() {
        for (const { spec, status } of truth.values('BGPSpeaker'))
          if (status?.daemon?.state === 'refused') fail(`BIRD of ${spec.node} refuses what its agent has written: ${status.daemon.problem}`)
        inspect()
        reachAll('at rest', () => true)
      },
    }
  },
}

const isSaidOn = (node: string, vni: number, speakers: Speakers): boolean =>
  speakers.possible(node).some(({ advertise }) => advertise.some((each) => each.vni === vni))

function judge({ way, destination }: KernelWalk, speakers: Speakers, fail: Fail): void {
  const { from, hops, end } = way
  if (end.to !== 'router' || end.pair.vni === from) return
  const { vni } = end.pair
  const isSaid = isSaidOn(end.machine.name, vni, speakers)
  const isAsked = from === undefined || speakers.possible(hops[0]!).some(({ imports }) => imports.some((each) => each.vni === from))
  if (!isSaid || !isAsked)
    fail(`${saidOf({ way, destination })} comes into VNI ${vni}, and ${isSaid ? `VNI ${from} asks for no routes` : `nobody is told of it`}`)
}
