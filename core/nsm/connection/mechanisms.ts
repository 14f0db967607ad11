// How a connection is carried: the first of what is asked for that whoever serves has. Texts are those of networkservicemesh/sdk,
// pkg/networkservice/common/mechanisms/server.go (2026-11).
import { ChainRefused } from '../../errors.ts'
import type { Connection, Mechanism } from '../../wire/nsm/connection.ts'
import { indexOf, segmentsOf, withSegment } from './path.ts'

/** Types that we know. VHOST is ours: peers refuse it. */
export const mechanismTypes = ['KERNEL', 'VXLAN', 'VLAN', 'MEMIF', 'VHOST', 'NOOP'] as const
export type MechanismType = (typeof mechanismTypes)[number]
const local: readonly string[] = ['KERNEL', 'MEMIF', 'VHOST', 'NOOP', 'VFIO'] satisfies readonly (MechanismType | 'VFIO')[]

/** Of a type by its name, in whichever case: LOCAL where it does not leave the node. */
export function mechanismOf(type: string, parameters: ReadonlyMap<string, string> = new Map()): Mechanism {
  const name = type.toUpperCase()
  return { cls: local.includes(name) ? 'LOCAL' : 'REMOTE', type: name, parameters }
}

/** Said where none is left to try. */
export const noMechanism = 'cannot support any of the requested mechanism'

/**
 * What the connection may be carried by, in this order: what it has already, else those of its client's preferences that are offered.
 *
 * @throws ChainRefused where it has one that is not offered
 */
export function possibleMechanisms(
  { mechanism }: Connection,
  preferences: readonly Mechanism[],
  offered: ReadonlySet<string>,
): readonly Mechanism[] {
  if (mechanism === undefined) return preferences.filter(({ type }) => offered.has(type))
  if (offered.has(mechanism.type)) return [mechanism]
  throw new ChainRefused({ reason: 'unsupported mechanism' })
}

/** The segment of whoever serves says of which interface its counters are. */
export function withServerInterface(connection: Connection, { type, parameters }: Mechanism): Connection {
  const index = indexOf(connection)
  const metrics = segmentsOf(connection)[index]?.metrics ?? new Map<string, string>()
  if (metrics.has('server_interface')) return connection
  const name = parameters.size === 0 ? 'unknown' : (parameters.get('name') ?? '')
  return withSegment(connection, index, { metrics: new Map([...metrics, ['server_interface', `${type}/${name}`]]) })
}

/** As Linux has them: IFNAMSIZ of linux/if.h, without the final zero. */
const longestInterfaceName = 15
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** `svc-a-8hLw2Xz0P`: as much of the service as leaves four letters of chance. @param random in [0, 1) */
export function interfaceName(service: string, random: () => number): string {
  const head = `${service.slice(0, longestInterfaceName - 5)}-`
  const drawn = Array.from({ length: longestInterfaceName - head.length }, () => alphabet[Math.floor(random() * alphabet.length)])
  return head + drawn.join('')
}
