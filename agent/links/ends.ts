// The end that a pod has of a Port or of an interface in VLANs: an interface of the kernel, which links make, or a dpdk port's socket
// in a folder of its pod, which the data plane and the pod's program make between them.
import { join } from 'node:path'
import type { Unsupported } from '../../core/node/unsupported.ts'
import type { LocalPort } from '../../core/node/wanted.ts'
import { socketFolder, socketName } from '../../core/node/sockets.ts'
import type { AgentEnv } from '../agent-env.ts'
import type { Wired } from '../ledger/record.ts'
import { adoptedInto, isAdopted, theirInterface } from './vif/adopted.ts'
import { isTap } from './vif/tap.ts'
import type { Inside, Plumbed } from './links.ts'

type Hands = Pick<AgentEnv, 'links' | 'machine'>

interface RequestedEnd {
  readonly type: LocalPort['type'] | undefined
  readonly ifcName: string
}
interface ObservedEnd {
  readonly pod?: Wired['pod'] | undefined
  readonly ifname: string
}

/** As the Network Plumbing Working Group has it (device information specification 1.1.0): what a pod's program is to open, and how. */
export function deviceInfoOf({ socket }: LocalPort, ifname: string, { capabilities }: Pick<AgentEnv, 'capabilities'>): object | undefined {
  if (socket === undefined) return undefined
  const path = join(socketFolder, socketName(ifname))
  if (capabilities['dpdkBy'] === 'memif') return { type: 'memif', version: '1.1.0', memif: { role: 'slave', path, mode: 'ethernet' } }
  return { type: 'vhost-user', version: '1.1.0', 'vhost-user': { mode: capabilities['podServes'] === true ? 'server' : 'client', path } }
}

/** LocalPort.socket of an interface: undefined where none is asked for, or this node's data plane makes none. */
export function socketFor(
  { type, ifcName }: RequestedEnd,
  { pod, ifname }: ObservedEnd,
  env: Pick<AgentEnv, 'capabilities' | 'config'>,
): string | undefined {
  const { capabilities, config } = env
  if (type !== 'dpdk' || capabilities['dpdk'] !== true) return undefined
  // Of a Port without a pod: nobody's folder.
  return pod === undefined ? join(config.dpdkSockets, socketName(ifcName)) : join(config.dpdkSockets, pod.uid, socketName(ifname))
}

/** @param made.signal ends the wait for an interface that somebody else makes */
export async function ensureEnd(
  port: LocalPort,
  inside: Inside,
  { links, machine }: Hands,
  { joinable, signal }: { readonly joinable?: (() => void) | undefined; readonly signal?: AbortSignal } = {},
): Promise<Plumbed> {
  if (port.socket === undefined) return links.ensure(port, inside, joinable, signal)
  await machine.makeSocketFolder(port.socket)
  joinable?.()
  return { ifcName: port.ifcName, hostIndex: 0, hostMac: '', index: 0, mac: port.mac, mtu: inside.mtu ?? port.mtu, fresh: false }
}

/** In sentences, what differs. */
export async function checkEnd(port: LocalPort, inside: Inside, { links, machine }: Hands): Promise<readonly string[]> {
  if (port.socket === undefined) return links.check(port, inside)
  return (await machine.hasSocketFolder(port.socket)) ? [] : [`the folder of the socket ${port.socket} is gone`]
}

/** A program with DPDK announces its addresses itself: nobody else can send from them. */
export const announceEnd = (port: LocalPort, inside: Inside, { links }: Hands): Promise<void> =>
  port.socket === undefined ? links.announce(port, inside) : Promise.resolve()

/** What a hypervisor opens on the node; undefined: it is in the pod. */
export function tapOnNode(port: LocalPort): string | undefined {
  if (isTap(port)) return port.ifcName
  return isAdopted(port) && port.type === 'tap' ? theirInterface(port) : undefined
}

/** Who may open a TAP is for whoever makes it to say. */
export const tapLeftOut = (port: LocalPort): readonly Unsupported[] =>
  port.tap !== undefined && isAdopted(port) ? [{ name: 'tap', why: 'its cloud makes the TAP, and says who may open it' }] : []

/** What somebody else has made is on the node again, as it was. */
export async function giveBackAdopted(port: LocalPort, inside: Inside, links: Hands['links']): Promise<void> {
  const netns = isAdopted(port) ? adoptedInto(port, inside) : undefined
  if (netns !== undefined) await links.giveBack(port, netns)
}

export async function removeEnd({ port, inside }: Pick<Wired, 'port' | 'inside'>, { links, machine }: Hands): Promise<void> {
  const { macvlanOn, netns, ifname } = inside
  await giveBackAdopted(port, inside, links)
  await links.remove(port.ifcName, macvlanOn !== undefined && netns !== undefined ? { netns, ifname } : undefined)
  if (port.socket !== undefined) await machine.dropSocket(port.socket)
}
