// A port's own pipeline: in → meta → guard → (where policies judge it) → the shared tables; and its way out.
import type { LocalPort } from '../node/wanted.ts'
import { addressElements } from './addresses.ts'
import { inPort, tunId } from './modules.ts'
import { hexOf, hexOfMac } from './bytes.ts'
import { discoveryElements } from './guards/discovery.ts'
import { guardFields, guardRules } from './guards/guard.ts'
import type { Hex, MadeElement as Element } from './elements.ts'
import { checkElements, checkRole, identityElements, kindRole } from './policies.ts'
import { markElements, markOf } from './policies/marks.ts'
import { sendingLimit, waysOut } from './policies/limits.ts'
import { refusalOf } from './unsupported.ts'

/** How ports of type dpdk are reached. */
export interface PortOptions {
  readonly dpdkBy: 'vhost-user' | 'memif'
  /** Where sockets are made that a port names no place for. */
  readonly socketFolder: string
}

/** An interface of the kernel: which driver it has is settled when it is put. */
export const kernelDevice = (ifcName: string): string => `kernel,iface=${ifcName}`

/** BESS is the server of a socket, so that a guest may come and go. */
export function vdevOf({ type, ifcName, number, ...port }: LocalPort, { dpdkBy, socketFolder }: PortOptions): string {
  if (type !== 'dpdk') return kernelDevice(ifcName)
  const { socket = `${socketFolder}/${ifcName}.sock` } = port
  return dpdkBy === 'memif'
    ? `net_memif${number},role=server,id=0,socket=${socket},socket-abstract=no`
    : `net_vhost${number},iface=${socket},queues=1`
}

/**
 * Of a port in a VNI. One that is refused is there, so that others' copies have a way to it, and may send nothing. One that is closed by
 * policies nobody has a way to either.
 */
export function portElements(
  port: LocalPort,
  vni: number,
  { tunnel, ...options }: PortOptions & { readonly tunnel: boolean },
): readonly Element[] {
  const { number, mac, addresses, portSecurity, policy } = port
  const vdev = vdevOf(port, options)
  const role = (name: string): string => `${name}.${number}`
  const [ours, from] = [hexOf(vni, 4), hexOf(number, 2)]
  const attrs = [
    { name: tunId, value: ours },
    { name: inPort, value: from },
  ]
  return [
    { kind: 'port', role: role('p'), vdev },
    { kind: 'module', role: role('in'), args: { mclass: 'PortInc', port: role('p'), device: vdev }, next: [role('meta')] },
    { kind: 'module', role: role('meta'), args: { mclass: 'SetMetadata', attrs }, next: [role('guard')] },
    ...sentBy(port),
    ...sendingLimit(port),
    ...waysOut(port, { port: role('p'), device: vdev }),
    ...waysTo(port, { from, to: [ours, hexOfMac(mac)], tunnel }),
    ...(isJudged(port) ? [...checkElements(vni, { number, portSecurity, dscp: markOf(port) }), ...markElements(port)] : []),
    ...addresses.flatMap((address) => [...addressElements(vni, address, mac), ...identityElements(vni, address, policy?.identity)]),
  ]
}

const isClosed = ({ policy }: LocalPort): boolean => policy?.isClosed === true
const isJudged = ({ policy }: LocalPort): boolean => policy !== undefined && !policy.isClosed

/** Its guard, and where what passes it goes on. */
function sentBy(port: LocalPort): readonly Element[] {
  const guard = `guard.${port.number}`
  const refused = isClosed(port) || refusalOf(port) !== undefined
  const judge = isJudged(port) ? kindRole(port) : undefined
  // Without port security what no rule matches goes on; with it, it is dropped.
  const next = port.portSecurity || refused ? [] : [judge ?? 'bum']
  const table: Element = { kind: 'module', role: guard, args: { mclass: 'WildcardMatch', fields: guardFields(0) }, next }
  if (refused) return [table]
  return [
    table,
    ...guardRules(port, guard, { arp: 'arp', ipv4: judge ?? 'four', ipv6: `nd.${port.number}`, all: 'bum' }),
    ...(port.portSecurity ? discoveryElements(port, { tag: 0, to: judge ?? 'six' }) : []),
  ]
}

/** @param from its number, where answers to it are found by that; `to`: VNI and MAC */
function waysTo(
  port: LocalPort,
  { from, to, tunnel }: { readonly from: Hex; readonly to: readonly Hex[]; readonly tunnel: boolean },
): readonly Element[] {
  if (isClosed(port)) return []
  const way = isJudged(port) ? checkRole(port.number) : `out.${port.number}`
  const rule = (table: string, values: readonly Hex[]): Element => ({ kind: 'rule', table, values, to: way })
  return [rule('reply', [from]), rule('fwd', to), ...(tunnel ? [rule('fwd.in', to)] : [])]
}
