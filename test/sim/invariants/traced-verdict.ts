// What the rules that are stored say of a packet that a node is asked about: its own half of the way.
import type { Resource, SpecOf } from '../../../core/kinds/index.ts'
import { unknown } from '../../../core/kinds/policy/tiers.ts'
import { macSeen } from '../../../core/policy/trace/peer-mac.ts'
import { verdictOn, type Judged, type Transport } from '../../../core/policy/verdict.ts'
import type { World } from '../happening.ts'

type Port = Resource<'Port'>
type Packet = NonNullable<SpecOf<'Inquiry'>['packet']>

export interface TracedBetween {
  readonly port: Port
  readonly to: Port
  readonly packet: Packet
}

/** Of a destination on another node only its sender is judged here. */
export function passesPolicies({ port, to, packet }: TracedBetween, world: World): boolean {
  const isV6 = packet.to.includes(':')
  const source = port.status?.addresses?.find((address) => address.includes(':') === isV6) ?? ''
  const transport = transportOf(packet, isV6)
  const [near, far] = [
    { address: source, identity: unknown, port },
    { address: packet.to, identity: unknown, port: to },
  ]
  const isAllowed = (subject: Port, direction: Judged['direction'], peer: string, mac: string | undefined): boolean => {
    const identity = subject.status?.policy?.identity
    if (identity === undefined) return true
    const stored = [...world.site.truth.values('PolicyRuleSet')].filter(({ spec }) => spec.vni === subject.status?.vni)
    const isWhole = (subject.status?.policy?.ruleSets ?? []).every((name) => stored.some(({ metadata }) => metadata.name === name))
    // Without one that it names a Port is closed.
    if (!isWhole) return false
    const sets = stored.map(({ spec }) => spec)
    const of = { identity: identityAt(peer, subject, world), address: peer, mac }
    return verdictOn(sets, { subject: identity, direction, peer: of, transport }).isAllowed
  }
  const isHere = to.spec.node === port.spec.node
  return isAllowed(port, 'egress', packet.to, macSeen(far, near)) && (!isHere || isAllowed(to, 'ingress', source, macSeen(near, far)))
}

function identityAt(address: string, { status }: Port, { site }: World): number {
  const lock = [...site.truth.values('IPLock')].find(({ spec }) => spec.vni === status?.vni && spec.address === address)
  return lock?.spec.identity ?? unknown
}

function transportOf({ protocol = 'icmp', l4Port = 0 }: Packet, isV6: boolean): Transport {
  if (protocol === 'icmp') return isV6 ? { protocol: 58, icmpType: 128, icmpCode: 0 } : { protocol: 1, icmpType: 8, icmpCode: 0 }
  return { protocol: protocol === 'tcp' ? 6 : 17, l4Port }
}
