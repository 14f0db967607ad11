// Whoever has an interface in a namespace sends packets: to those of a namespace, his own or another, or to an address; in his own name or
// in somebody else's; asking for the neighbour's MAC, or knowing it although nobody has told.
import { macValue } from '../../../core/pipeline/openflow/values.ts'
import { happeningKind } from '../happening.ts'
import { addresses, namespaces } from '../layout.ts'
import { podOfNetns } from '../world/netns.ts'
import type { Station, Traffic } from '../world/traffic.ts'

interface Talk {
  readonly from: string
  /** A namespace, or an address. */
  readonly to: string
  readonly times: number
  readonly everyMs: number
  /** The senders say that they are this one. */
  readonly as?: string
  /** The senders ask nobody for the MAC: of whatever network it is. */
  readonly guessed?: boolean
}

/** Packets at a time. */
const atOnce = 12

export const talk = happeningKind<Talk>({
  name: 'talk',
  fault: false,
  weight: 14,
  draw: (dice) => ({
    from: dice.mostly(namespaces),
    to: dice.chance(0.75) ? dice.mostly(namespaces) : dice.pick(addresses),
    times: dice.between(1, 8),
    everyMs: dice.between(50, 6_000),
    ...(dice.chance(0.2) && { as: dice.pick(addresses) }),
    ...(dice.chance(0.2) && { guessed: true }),
  }),
  run({ from, to, times, everyMs, as, guessed = false }, { traffic, site }) {
    /** A neighbour's MAC is remembered for a packet or two. */
    const macs = new Map<string, number | undefined>()
    const say = (left: number): void => {
      for (const { station, target, mac } of pairs(from, to, traffic).slice(0, atOnce)) {
        const key = `${station.port.uid} ${target}`
        macs.set(key, traffic.send(station, target, { source: as, mac: guessed ? mac : left % 2 === 0 ? macs.get(key) : undefined }))
      }
      if (left > 1) site.scheduler.after(everyMs, `${from} talks on`, () => say(left - 1))
    }
    say(times)
  },
})

interface Pair {
  readonly station: Station
  readonly target: string
  readonly mac?: number
}

function pairs(from: string, to: string, traffic: Traffic): readonly Pair[] {
  const all = [...traffic.stations()]
  const targets = /[.:]/.test(to)
    ? [{ target: to }]
    : all
        .filter((each) => namespaceOf(each) === to)
        .flatMap(({ port }) => port.addresses.map((target) => ({ target, mac: macValue(port.mac) })))
  return all.filter((each) => namespaceOf(each) === from).flatMap((station) => targets.map((each) => ({ station, ...each })))
}

const namespaceOf = ({ port, inside }: Station): string | undefined => podOfNetns(inside.netns ?? '')?.namespace ?? port.of.namespace
