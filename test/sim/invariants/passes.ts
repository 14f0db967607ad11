// Packets. None passes that nothing in force while it was under way allowed: from a Port that has the address it speaks from, to one
// that has the address it is for, in one network. What both ends have and both agents have heard of does pass. What was taken back stops
// within its bound. Nor does one pass that no rule table allowed which was in force while it was under way. And once all is quiet, all
// members of a network reach each other whom rules let, and nobody else.
import { segmentOf } from '../../../core/kinds/vpc/segment.ts'
import type { Resource } from '../../../core/kinds/index.ts'
import { perKind, type Invariant } from '../invariant.ts'
import type { World } from '../happening.ts'
import { nodeAddress } from '../layout.ts'
import type { Arrival, Flight, Station } from '../world/traffic.ts'
import { isEnforced, type PortLookup } from './enforced.ts'
import { goesByRoutes } from './routed.ts'
import { Verdicts } from './verdicts.ts'

type Port = Resource<'Port'>

/** An agent that nothing is wrong with has done by then what it was told. */
const settledMs = 5_000
/** And by then nothing passes any more of what it was told to take away: it asks the store once more before, and tries again. */
const revokedMs = 15_000

/** A packet on its way: its ports as they were, and where it had to arrive. */
interface SentPacket {
  readonly from: Port | undefined
  readonly to: ReadonlyMap<string, Port>
  readonly due: Station | undefined
  /** When it was sent. */
  readonly at: number
}

export const passes: Invariant = {
  name: 'passes',
  begin(world, fail) {
    const { site, traffic } = world
    const ports = new Map<string, Port>()
    /** UID of a Port, or VNI and address of a lock → when what matters of it last changed. */
    const changedAt = new Map<string, number>()
    const noteChange = (key: string, was: string | undefined, is: string | undefined): void =>
      void (was !== is && changedAt.set(key, site.scheduler.now))
    const isSettled = (key: string, forMs: number): boolean => site.scheduler.now - (changedAt.get(key) ?? 0) >= forMs
    const known = (uid: string): Port | undefined => ports.get(uid)
    const verdicts = new Verdicts((key) => void changedAt.set(`rules of ${key}`, site.scheduler.now))
    const calmFor = ({ machine: { name, plane, linksMs } }: Station): number =>
      plane.up && linksMs === 0 ? Math.min(site.processOf(`agent-${name}`)?.untroubledMs ?? 0, site.scheduler.now - plane.begunAt) : 0
    const isBoundHere = (port: Port, { machine }: Station, address: string): boolean => {
      const lock = `${port.status?.vni} ${address}`
      return hosts.get(lock) === nodeAddress(machine.name) && isSettled(lock, settledMs)
    }
    /** VNI and address → the node that the lock says. */
    const hosts = new Map<string, string | undefined>()
    /** Ports as they were when a packet was sent, and whether it had to arrive. */
    const sent = new WeakMap<Flight, SentPacket>()

    /** @param since frames come late while a change is made that pauses all; one that is not gone on with is no excuse */
    const isPaused = ({ machine: { plane } }: Station, since: number): boolean =>
      plane.lastPausedAt >= since || (plane.pausedAt !== undefined && site.scheduler.now - plane.pausedAt < settledMs)
    const dueOf = (flight: Flight, since = site.scheduler.now): Station | undefined => {
      const from = known(flight.from.port.uid)
      // To itself nobody needs a network, and whoever guesses a MAC may guess wrong.
      if (
        from === undefined ||
        !flight.asked ||
        flight.from.port.addresses.includes(flight.to) ||
        !isCertain(flight.from, from, since) ||
        !from.status?.addresses?.includes(flight.source) ||
        !traffic.hasWay(flight.from, flight.to)
      )
        return undefined
      return traffic.stations().find((to) => {
        const port = known(to.port.uid)
        return (
          port !== undefined &&
          isAt(port, from.status?.vni, flight.to) &&
          ![from, port].some((each) => verdicts.goesByChains(each)) &&
          !goesByRoutes(from, port, { address: flight.to, isHere: to.machine === flight.from.machine }, site) &&
          isCertain(to, port, since) &&
          isLet(flight, from, { station: to, port }) &&
          isBoundHere(port, to, flight.to) &&
          isBoundHere(from, flight.from, flight.source)
        )
      })
    }
    const isCertain = (station: Station, port: Port, since: number): boolean =>
      !isPaused(station, since) &&
      isInForce(port) &&
      port.status?.node?.wired === true &&
      port.spec.node === station.machine.name &&
      isSettled(port.metadata.uid, settledMs) &&
      calmFor(station) >= settledMs

    /** Rules let it pass, and have for long enough. A data plane that cannot do them is closed. */
    const isLet = ({ from: sender, source, to: address }: Flight, from: Port, { station, port }: PortAt): boolean =>
      [sender, station].every((each) => isEnforced(each, verdicts, known)) &&
      [from.metadata.uid, port.metadata.uid, `${from.status?.vni} ${source}`, `${port.status?.vni} ${address}`].every((key) =>
        isSettled(`rules of ${key}`, settledMs),
      ) &&
      verdicts.allows({ from, to: port, source, address })
    /** Who is told all, and has had its time, enforces nothing of before any more. */
    const catchUp = (station: Station, keys: readonly string[]): void => {
      if (calmFor(station) < revokedMs) return
      for (const key of keys) if (isSettled(`rules of ${key}`, revokedMs)) verdicts.inStep(key)
    }
    const mustBeLet = (flight: Flight, arrival: Arrival, from: Port | undefined): void => {
      const to = known(arrival.at.port.uid)
      if (from === undefined || to === undefined) return
      catchUp(flight.from, [from.metadata.uid, `${to.status?.vni} ${flight.to}`])
      catchUp(arrival.at, [to.metadata.uid, `${from.status?.vni} ${arrival.source}`])
      if (!verdicts.mayHaveAllowed({ from, to, source: arrival.source, address: flight.to }))
        fail(`${said(flight)} came to ${whose(arrival.at, known)} on ${arrival.at.machine.name}, which no rules allowed`)
    }

    traffic.on({
      sent(flight) {
        sent.set(flight, { from: known(flight.from.port.uid), to: new Map(ports), due: dueOf(flight), at: site.scheduler.now })
      },
      ended(flight) {
        const before = sent.get(flight)!
        for (const arrival of flight.arrived) {
          const [from, to] = [
            [before.from, known(flight.from.port.uid)],
            [before.to.get(arrival.at.port.uid), known(arrival.at.port.uid)],
          ]
          // What comes by routes from another network is for the invariant of routes to judge.
          if (arrival.routed && !isSame(flight.from, arrival.at)) continue
          if (!from.some((one) => to.some((other) => isAllowed(one, other, flight, arrival))))
            fail(`${said(flight)} came to ${whose(arrival.at, known)} on ${arrival.at.machine.name}, which nothing allowed`)
          for (const station of [flight.from, arrival.at]) wasRevoked(station, flight)
          mustBeLet(flight, arrival, known(flight.from.port.uid))
        }
        const { due } = before
        if (
          due !== undefined &&
          dueOf(flight, before.at) !== undefined &&
          !flight.arrived.some(({ at, read }) => read && at.port.uid === due.port.uid)
        )
          fail(
            `${said(flight)} did not come to ${whose(due, known)} on ${due.machine.name}, and both ends had it for ${settledMs / 1000} s`,
          )
      },
    })
    // A moment is enough, and no packet may happen to be there.
    for (const { plane, name } of world.machines.all.values())
      plane.onAmiss = () =>
        nobodyReachesStrangers(world, known, (what) => fail(`while ports of ${name} have numbers that they did not ask for ${what}`))
    const said = ({ from, source, to }: Flight): string =>
      `a packet of ${whose(from, known)} on ${from.machine.name} from ${source} to ${to}`
    const wasRevoked = (station: Station, flight: Flight): void => {
      const port = known(station.port.uid)
      if (port !== undefined && isInForce(port)) return
      if (isSettled(station.port.uid, revokedMs) && calmFor(station) >= revokedMs)
        fail(`${said(flight)} passed, ${revokedMs / 1000} s after ${whose(station, known)} was taken back`)
    }
    const follow = perKind({
      Port(before, after) {
        const { uid } = (after ?? before)!.metadata
        if (after === undefined) ports.delete(uid)
        else ports.set(uid, after)
        noteChange(uid, markOf(before), markOf(after))
      },
      IPLock(before, after) {
        const { vni, address } = (after ?? before)!.spec
        if (address === undefined) return
        const key = `${vni} ${address}`
        hosts.set(key, after?.spec.hostIP)
        noteChange(key, before?.spec.hostIP, after?.spec.hostIP)
      },
    })
    return {
      landed(landed) {
        follow(landed)
        verdicts.landed(landed)
      },
      atRest: () => everybodyReached(world, { known, verdicts }, fail),
    }
  },
}

const isAt = ({ status }: Port, vni: number | undefined, address: string): boolean =>
  status?.vni === vni && status?.addresses?.includes(address) === true

/** Allowed as far as these two say: both there, in one network, each with its address. */
function isAllowed(from: Port | undefined, to: Port | undefined, { to: address }: Flight, { source }: Arrival): boolean {
  if (from?.status?.vni === undefined || from.status.vni !== to?.status?.vni) return false
  return from.status.addresses?.includes(source) === true && to.status.addresses?.includes(address) === true
}

const isInForce = ({ metadata }: Port): boolean => metadata.deletionTimestamp === undefined
/** As much of a Port as its wiring follows from. */
const markOf = (port: Port | undefined): string | undefined =>
  port &&
  JSON.stringify([
    port.metadata.deletionTimestamp === undefined,
    port.spec.node,
    segmentOf(port),
    port.status?.addresses,
    port.status?.node?.wired,
  ])
const whose = ({ port }: Station, known: PortLookup): string =>
  `Port ${port.of.namespace}/${port.of.name}${known(port.uid) === undefined ? ', which is gone,' : ''}`

interface PortAt {
  readonly station: Station
  readonly port: Port
}
interface Judging {
  readonly known: PortLookup
  readonly verdicts: Verdicts
}

/** By what is stored now. */
function isLetNow(from: Station, to: Station, address: string, { known, verdicts }: Judging): boolean {
  const [sender, port] = [known(from.port.uid), known(to.port.uid)]
  const source = from.port.addresses.find((each) => each.includes(':') === address.includes(':'))
  return sender === undefined || port === undefined || source === undefined || verdicts.allows({ from: sender, to: port, source, address })
}

const goesByChains = ({ port: { uid } }: Station, { known, verdicts }: Judging): boolean => {
  const port = known(uid)
  return port !== undefined && verdicts.goesByChains(port)
}

function everybodyReached(world: World, judging: Judging, fail: (what: string) => void): void {
  const { known, verdicts } = judging
  for (const { from, address, arrived, all } of reached(world)) {
    const stranger = strangerOf(from, arrived)
    if (stranger !== undefined) fail(`at rest ${reaches(from, address, stranger, known)}`)
    const forbidden = arrived.find(({ at }) => isSame(from, at) && !isLetNow(from, at, address, judging))?.at
    if (forbidden !== undefined)
      fail(`at rest ${whose(from, known)} reaches with ${address} ${whose(forbidden, known)}, which no rules allow`)
    const wanted = all
      .filter(
        ({ port }) =>
          port.addresses.includes(address) && isSame(from, { port }) && port.uid !== from.port.uid && world.traffic.hasWay(from, address),
      )
      .filter(
        ({ machine, port }) =>
          !goesByRoutes(known(from.port.uid), known(port.uid), { address, isHere: machine === from.machine }, world.site),
      )
      .filter((to) => [from, to].every((each) => isEnforced(each, verdicts, known)) && isLetNow(from, to, address, judging))
    // What goes by functions is for the invariant of chains to judge.
    const missed = wanted
      .filter((to) => ![from, to].some((each) => goesByChains(each, judging)))
      .find(({ port }) => !arrived.some(({ at, read }) => read && at.port.uid === port.uid))
    if (missed !== undefined)
      fail(
        `at rest ${whose(from, known)} on ${from.machine.name} does not reach ${address} of ${whose(missed, known)} on ${missed.machine.name}`,
      )
  }
}

function nobodyReachesStrangers(world: World, known: PortLookup, fail: (what: string) => void): void {
  for (const { from, address, arrived } of reached(world)) {
    const stranger = strangerOf(from, arrived)
    if (stranger !== undefined) fail(reaches(from, address, stranger, known))
  }
}

const strangerOf = (from: Station, arrived: readonly Arrival[]): Station | undefined =>
  arrived.find(({ at, routed }) => !routed && !isSame(from, at))?.at
const reaches = (from: Station, address: string, stranger: Station, known: PortLookup): string =>
  `${whose(from, known)} reaches with ${address} ${whose(stranger, known)}, which is in another network`

/** From everybody to every address that anybody has. */
function* reached({ traffic }: World): Generator<{
  readonly from: Station
  readonly address: string
  readonly arrived: readonly Arrival[]
  readonly all: readonly Station[]
}> {
  const all = [...traffic.stations()]
  const addresses = new Set(all.flatMap(({ port }) => port.addresses))
  for (const from of all) for (const address of addresses) yield { from, address, arrived: traffic.reach(from, address).arrived, all }
}

const vniOf = ({ port: { attachment } }: Pick<Station, 'port'>): number | undefined =>
  attachment.kind === 'vni' ? attachment.vni : undefined
const isSame = (a: Pick<Station, 'port'>, b: Pick<Station, 'port'>): boolean => vniOf(a) === vniOf(b)
