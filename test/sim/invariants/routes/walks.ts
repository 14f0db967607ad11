// From every kernel, by every router and by the link, and from the gateway, to every address that anybody may have.
import { isInBlock } from '../../../../core/net/cidr.ts'
import { parseIp } from '../../../../core/net/ip.ts'
import { routerName } from '../../../../core/net/router-name.ts'
import type { World } from '../../happening.ts'
import { peeredBlock } from '../../layout.ts'
import { outsideAddress } from '../../world/routing/gateway.ts'
import { leadsBack, type Forwarding, type PacketPlace, type Way } from '../../world/routing/forwarding.ts'
import type { RouterPair } from '../../world/routing/kernel.ts'
import type { Machine } from '../../world/machines.ts'

const hostsFrom = (first: number, count: number): readonly string[] => Array.from({ length: count }, (_, i) => `10.0.0.${first + i}`)
/** All of the blocks that every case has. */
const inside = hostsFrom(1, 14)
/** In the block of a Vpc that is peered. */
const peered = hostsFrom(17, 6)
const destinations: readonly string[] = [...inside, outsideAddress]

export interface KernelWalk {
  readonly way: Way
  readonly destination: string
}

/** Of a router nothing leaves the node but from an address that leads back to it: where there is none, nobody sends so. */
export function* kernelWalks({ machines }: World, forwarding: Forwarding): Generator<KernelWalk> {
  const all = [...machines.all.values()]
  const isPeered = all.some(({ kernel }) => [...kernel.routes.values()].some(({ to }) => to === peeredBlock))
  const to = isPeered ? [...destinations, ...peered] : destinations
  for (const [place, source, pair] of begins(all))
    for (const destination of to) yield { way: forwarding.walk(place, { source, destination }, pair), destination }
}

function* begins(machines: readonly Machine[]): Generator<readonly [place: PacketPlace, source: string, pair?: RouterPair]> {
  yield ['gateway', outsideAddress]
  for (const machine of machines) {
    if (!machine.up || machine.severed) continue
    for (const pair of machine.kernel.pairs.values()) {
      if (!machine.plane.leadsToKernel(pair.vni)) continue
      yield [machine, inside.find((source) => leadsBack(machine, { source, destination: outsideAddress }, pair)) ?? outsideAddress, pair]
      for (const source of peeredSources(machine, pair)) yield [machine, source, pair]
    }
  }
}

/** One of each block that its own rules name: of Vpcs that are peered. */
function* peeredSources({ kernel }: Machine, { vni }: RouterPair): Generator<string> {
  const iif = routerName(vni)
  const blocks = new Set([...kernel.rules.values()].flatMap((rule) => (rule.iif === iif && rule.from !== undefined ? [rule.from] : [])))
  for (const block of blocks) {
    const source = [...inside, ...peered].find((each) => isInBlock(block, parseIp(each)!))
    if (source !== undefined) yield source
  }
}

export const saidOf = ({ way: { from, hops }, destination }: KernelWalk): string =>
  `a packet ${from === undefined ? 'from outside' : `of VNI ${from}`} to ${destination} by ${hops.join(', ')}`
