// How much a port may send and receive, and how what it sends is marked. A meter drops what is above its rate: whatever the datapath, and
// for ports that have no queue in the kernel too.
import type { PolicyTraffic } from '../../kinds/policy/policy-rule-set.ts'
import type { LocalPort } from '../../node/wanted.ts'
import { load, type Action, type Bits } from '../openflow/actions.ts'
import { flowsOf, meterItem, type FlowOf, type SwitchItem } from '../items.ts'
import { ofPort, to } from '../match.ts'
import { is } from '../openflow/flow.ts'
import { owners } from '../registers.ts'
import { places } from '../tables.ts'
import { portMeter } from './meter-numbers.ts'

/** The DSCP (RFC 2474 section 3), and above it the bit that says that there is one. */
export const dscpBits: Bits = { ...owners.qos, count: 6 }
export const marked: Bits = { ...owners.qos, from: owners.qos.from + dscpBits.count, count: 1 }
export const markWith = (dscp: number): Action => load(owners.qos, 2 ** dscpBits.count + dscp)

const ways = [
  { max: 'maxEgress', place: 'rate', match: ofPort, meter: 0 },
  { max: 'maxIngress', place: 'qos', match: (number: number) => is(owners.out.field, number), meter: 1 },
] as const

/** Kilobits a second, as meters have them: no less than one, no more than 32 bits say. */
export const kilobits = (bits: number): number => Math.min(Math.max(Math.ceil(bits / 1_000), 1), 0xffffffff)
/** What may come at once: a tenth of a second, and ten whole packets at least. */
export const burstOf = (rate: number): number => Math.max(Math.ceil(rate / 10), 120)

export function limitedPort(bridge: string, { number, policy }: Pick<LocalPort, 'number' | 'policy'>, of: FlowOf): readonly SwitchItem[] {
  if (policy?.traffic === undefined || policy.isClosed) return []
  const { traffic } = policy
  const flow = flowsOf(bridge, of)
  return ways.flatMap(({ max, place, match, meter }) => {
    const most = traffic[max]
    if (most === undefined) return []
    const rate = kilobits(most)
    const id = portMeter(number, meter)
    return [
      meterItem(bridge, { id, unit: 'kbps', bands: [{ rate, burst: burstOf(rate) }] }, of.because),
      flow(place, 100, [match(number)], [{ do: 'meter', meter: id }, to(places[place])]),
    ]
  })
}

export const isLimited = ({ maxIngress, maxEgress }: PolicyTraffic): boolean => maxIngress !== undefined || maxEgress !== undefined
