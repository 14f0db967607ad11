// Of a forwarder: mechanism VXLAN is settled by whoever serves, with an address and a VNI of its own, and both forwarders say what fits.
// Source: networkservicemesh/sdk, common/mechanisms/vxlan/vni/server.go (2026-11).
import { ChainRefused } from '../../../../core/errors.ts'
import { drawsEven, tunnelAnswer, vniOf, withMtuAtMost, type TunnelPlace } from '../../../../core/nsm/connection/tunnel.ts'
import type { Mechanism } from '../../../../core/wire/nsm/connection.ts'
import type { Random } from '../../../chance.ts'
import type { Element } from '../chain.ts'
import { slot, type Visit } from '../visit.ts'

const given = slot<number>('vni')
/** With half of the range taken one connection in a million is refused wrongly. */
const draws = 20

/** For whoever asks from another node. */
export function giveTunnel(place: TunnelPlace, random: Random): Element {
  const taken = new Set<number>()
  return {
    name: 'give tunnel',
    async request(visit, next) {
      const wanted = visit.connection.mechanism
      if (wanted?.type !== 'VXLAN') return next.request(visit)
      const had = visit.kept.get(given)
      const vni = had ?? vniFor(wanted, taken, { place, random })
      taken.add(vni)
      try {
        const connection = withMtuAtMost({ ...visit.connection, mechanism: tunnelAnswer(wanted, place, vni) }, place.mtu)
        const answer = await next.request({ ...visit, connection })
        visit.kept.set(given, vni)
        return answer
      } catch (err) {
        if (had === undefined) taken.delete(vni)
        throw err
      }
    },
    async close(visit, next) {
      const vni = visit.kept.take(given)
      try {
        await next.close(visit)
      } finally {
        if (vni !== undefined) taken.delete(vni)
      }
    },
  }
}

/** One that is said already stays: after a restart of ours it is known to the other side alone. */
function vniFor(
  wanted: Mechanism,
  taken: ReadonlySet<number>,
  { place, random }: { readonly place: TunnelPlace; readonly random: Random },
): number {
  const { vniMin, vniMax, address } = place
  const before = vniOf(wanted)
  if (before !== 0) {
    if (before >= vniMin && before <= vniMax && !taken.has(before)) return before
    throw new ChainRefused({ reason: `VNI ${before} is not among ${vniMin} to ${vniMax}, or is another connection's` })
  }
  const parity = drawsEven(wanted, address) ? 0 : 1
  const first = vniMin + ((vniMin + parity) % 2)
  const count = Math.floor((vniMax - first) / 2) + 1
  for (let draw = 0; draw < draws; draw++) {
    const vni = first + 2 * Math.floor(random() * count)
    if (!taken.has(vni)) return vni
  }
  throw new ChainRefused({ reason: `no VNI of ${vniMin} to ${vniMax} is free` })
}

/** Towards another node. */
export const fitTunnel = ({ mtu }: TunnelPlace): Element => ({
  name: 'fit tunnel',
  request: async (visit, next) =>
    next.request(asksForTunnel(visit) ? { ...visit, connection: withMtuAtMost(visit.connection, mtu) } : visit),
})

const asksForTunnel = ({ connection, preferences }: Visit): boolean =>
  (connection.mechanism === undefined ? preferences : [connection.mechanism]).some(({ type }) => type === 'VXLAN')
