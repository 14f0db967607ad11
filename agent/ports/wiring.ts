// A Port and its interface: made, kept as the Port says, taken away. What was wired is in the ledger before anybody is told.
import { MtuTooLarge, PortNotReady } from '../../core/errors.ts'
import { wiredFinalizer } from '../../core/kinds/annotations.ts'
import { refOf, resolveReference, type Resource } from '../../core/kinds/index.ts'
import { segmentOf } from '../../core/kinds/vpc/segment.ts'
import { parseCidr } from '../../core/net/cidr.ts'
import type { LocalPort } from '../../core/node/wanted.ts'
import { segmentNumberOf } from '../../core/node/wanted.ts'
import { portPiece } from '../../core/pieces/port.ts'
import {
  blockOf,
  blocksAnswered,
  endNameOf,
  isGuarded,
  isLeaving,
  localPortOf,
  routesOf,
  subnetKeyOfPort,
} from '../../core/plan/node/pieces.ts'
import { guestOf, isGuest } from '../../core/plan/node/guest.ts'
import { sameJson } from '../../core/same-json.ts'
import { mtuOf } from '../../core/plan/node/mtu.ts'
import { limited, timeLimit } from '../../platform/clock.ts'
import type { AgentEnv } from '../agent-env.ts'
import { nodeItself, wiredKey, type Wired } from '../ledger/record.ts'
import { portOf } from './node-status.ts'
import { plugged } from './plugged.ts'
import { judgedPort } from './policy.ts'
import { bookAgain, carryAnew, writeDown } from './rejudge.ts'
import { announceEnd, ensureEnd, removeEnd, socketFor } from '../links/ends.ts'
import type { Inside, InsideRoute, Plumbed } from '../links/links.ts'
import { ownNamespace } from '../links/own-namespace.ts'
import { withBooking } from '../uplink/bookings.ts'

/** Where a Port is to be seen, and how. */
export interface WiringTarget {
  readonly containerID: string
  readonly netns?: string
  /** That namespace is the Port's own. */
  readonly own?: true
  readonly ifname: string
  readonly pod?: Wired['pod']
  /** Bytes, where the Nic asks for them. */
  readonly mtu: number | undefined
  /** As its Nic says; absent: as the Port says. */
  readonly type?: LocalPort['type']
  /** Everything else goes through this one. */
  readonly defaultRoute: boolean
}
export interface WiredInterface {
  readonly wired: Wired
  readonly plumbed: Plumbed
  readonly subnet: Resource<'Subnet'>
  /** Resolves once the data plane has it: what is written down meanwhile does not wait for that. */
  readonly joined: Promise<unknown>
}

/** How long traffic to other nodes is worth waiting for. */
const endpointsMs = 2_000
/** Longest that the data plane may take to forget a socket. */
const forgetMs = 30_000

/**
 * Makes the interface, and joins it to the data plane; twice is once.
 *
 * @throws MtuTooLarge, PortNotReady, and what links throw; `joined` rejects with what the data plane throws
 */
export function wire(port: Resource<'Port'>, place: WiringTarget, env: AgentEnv, signal: AbortSignal): Promise<WiredInterface> {
  return env.making.during(port.metadata.uid, () => make(port, place, env, signal))
}

/**
 * A runtime never goes back to a sandbox that it has given up for another, yet what it asked for that one may be carried out late.
 *
 * @throws PortNotReady where a newer sandbox has the Port
 */
function mustNotBeLate(before: Wired, { containerID }: WiringTarget, { ledger }: AgentEnv): void {
  if (before.containerID === containerID || isOfNode(before)) return
  if (ledger.hasEnded(containerID))
    throw new PortNotReady({ port: before.port.of.name, reason: `sandbox ${before.containerID} has it, which came after ${containerID}` })
  void ledger.end(before.containerID)
}

/**
 * Of a node that was taken for gone an address may be another's by now, and its own interface is still there: that one goes first.
 *
 * @throws PortNotReady
 */
function mustBeAlone({ uid, addresses, mac, attachment, of }: LocalPort, env: AgentEnv): void {
  const segment = segmentNumberOf(attachment)
  if (segment === undefined) return
  for (const { port, external } of env.ledger.wired()) {
    if (port.uid === uid || external !== undefined || segmentNumberOf(port.attachment) !== segment || isBound(port.uid, env)) continue
    if (port.mac === mac || port.addresses.some((each) => addresses.includes(each)))
      throw new PortNotReady({ port: of.name, reason: 'an interface of this node that had its address has still to go' })
  }
}

async function make(port: Resource<'Port'>, place: WiringTarget, env: AgentEnv, signal: AbortSignal): Promise<WiredInterface> {
  const { ledger, loop, segments } = env
  const { uid } = port.metadata
  const vpcNamespace = vpcNamespaceOf(port)
  const segment = segmentOfPort(port)
  const before = ledger.wiredOf(uid)
  if (before !== undefined) mustNotBeLate(before, place, env)
  segments.use(segment, uid, vpcNamespace)
  const seen = portOf(uid, env)
  const [{ subnet, local }] = await Promise.all([localWithSubnet(port, place, env), guard(port, env)])
  const inside = insideOf(local, subnet, place, env)
  const { containerID, ifname, pod } = place
  const wired: Wired = {
    containerID,
    ifname,
    port: local,
    inside,
    vpcNamespace,
    ...(pod && { pod }),
    ...guestWith(port, local, subnet, place),
  }
  await clearOwn(before, inside, env)
  mustBeAlone(local, env)
  // The host end is taken in while the inside is made, where the data plane has none of its name.
  const stood = loop.pieces.stands(portPiece, uid)
  let taken = false
  const take = (): void => {
    if (taken) return
    taken = true
    carryAnew(local, env)
    segments.refresh(segment)
    // What was heard of it while its interface was made.
    const now = portOf(uid, env)
    if (now !== undefined && now !== seen) rewire(now, wired, env)
  }
  // A pod's line is on disk once that of its sandbox is, which stands behind it; until then its interface is an orphan that the next
  // agent removes.
  const written = isOfNode(wired) || segment === undefined ? ledger.put(wired) : ledger.begin(wired)
  // A namespace of its own has no other mark.
  if (inside.own === true) await written
  const [plumbed] = await Promise.all([ensureEnd(local, inside, env, { joinable: stood ? undefined : take, signal }), written])
  await leaveDataPlane(stood && plumbed.fresh ? uid : undefined, env, signal)
  take()
  if (isGoing(uid, env)) {
    await takeAway(wired, env)
    throw new PortNotReady({ port: port.metadata.name, reason: 'it is to leave this node' })
  }
  env.guests.answer(wired)
  const joined = Promise.all([loop.applied(signal), neighboursKnown(segment, env, signal)]).then(() => {
    if (before?.containerID !== containerID) env.outbox.put(`announce ${uid}`, () => announceEnd(local, inside, env))
    return segment === undefined && !isOfNode(wired) ? plugged(wired, env, signal) : undefined
  })
  joined.catch(() => undefined)
  return { wired, plumbed, subnet, joined }
}

/**
 * What a data plane has is on an interface, and goes by its name: put on one that went, it is on none that comes after it, and nobody sees
 * a difference. So it is taken away before it is put again.
 *
 * @param uid of the Port that has another interface now; undefined: none
 */
async function leaveDataPlane(uid: string | undefined, { loop }: AgentEnv, signal: AbortSignal): Promise<void> {
  if (uid === undefined) return
  loop.pieces.set(portPiece, uid, undefined)
  await loop.applied(signal)
}

/** Resolves at once where all endpoints and rules are known: a signal of one's own costs more than the rest of it. */
function neighboursKnown(
  segment: number | undefined,
  { locks, ruleSets, clock }: AgentEnv,
  signal: AbortSignal,
): Promise<unknown> | undefined {
  if (segment === undefined || (locks.isKnown(segment) && ruleSets.isKnown(segment))) return undefined
  const within = AbortSignal.any([signal, timeLimit(endpointsMs, clock)])
  return Promise.all([locks.known(segment, within), ruleSets.known(segment, within)])
}

/** A Port that is bound here is kept until it is unwired, also where the agent was faster than the workers. */
async function guard(port: Resource<'Port'>, { store, config }: AgentEnv): Promise<void> {
  if (!config.agents || isGuarded(port)) return
  await store.commit([{ do: 'addFinalizer', ref: refOf(port), uid: port.metadata.uid, finalizer: wiredFinalizer }])
}

/** A Port that was alone and is a pod's now leaves its own namespace, which goes. */
async function clearOwn(before: Wired | undefined, inside: Inside, { links }: AgentEnv): Promise<void> {
  if (before?.inside.own === true && inside.own !== true) await links.remove(before.port.ifcName)
}

/** Where a Port without a pod has its addresses. */
export const ownNamespaceFor = (port: Resource<'Port'>): Pick<WiringTarget, 'netns' | 'own' | 'defaultRoute'> => ({
  netns: ownNamespace(endNameOf(port)),
  own: true,
  defaultRoute: true,
})

/** @throws PortNotReady, MtuTooLarge */
async function localWithSubnet(
  port: Resource<'Port'>,
  place: WiringTarget,
  env: AgentEnv,
): Promise<{ readonly subnet: Resource<'Subnet'>; readonly local: LocalPort }> {
  const subnet = await env.segments.learn(port)
  if (subnet === undefined) throw new PortNotReady({ port: port.metadata.name, reason: `Subnet ${port.spec.subnet} not found` })
  return { subnet, local: await localOf(port, { place, subnet, vpcNamespace: vpcNamespaceOf(port) }, env) }
}

interface Around {
  readonly place: WiringTarget
  readonly subnet: Resource<'Subnet'>
  readonly vpcNamespace: string
}

async function localOf(port: Resource<'Port'>, { place, subnet, vpcNamespace }: Around, env: AgentEnv): Promise<LocalPort> {
  const { ledger, objects, mtuMost } = env
  const { uid } = port.metadata
  const vpc = subnet.spec.vpc === undefined ? undefined : await objects.get('Vpc', `${vpcNamespace}/${subnet.spec.vpc}`)
  const vpcMtu = vpc?.spec.mtu
  const most = mostOf(port, { overlay: mtuMost, vpc: vpcMtu })
  const mtu = mtuOf(place.mtu, vpcMtu, most)
  if (mtu === undefined) throw new MtuTooLarge({ mtu: place.mtu ?? vpcMtu ?? 0, most })
  const local = localPortOf(port, {
    number: ledger.numberFor(uid),
    mtu,
    ...judgedPort(port, env),
    type: place.type,
    socket: socketFor({ type: place.type ?? port.spec.type, ifcName: endNameOf(port) }, place, env),
  })
  if (local === undefined) throw new PortNotReady({ port: port.metadata.name, reason: port.status?.message ?? 'it has no addresses yet' })
  return local
}

/** Ethernet's own. */
const usualMtu = 1_500
interface MtuAround {
  readonly overlay: number
  readonly vpc: number | undefined
}

/** A cloud says what its network carries, and of a physical network its Vpc; Ethernet's own where they do not. */
function mostOf({ status: { vif, vlan, mtu } = {} }: Resource<'Port'>, { overlay, vpc = usualMtu }: MtuAround): number {
  if (vif !== undefined) return mtu ?? usualMtu
  return vlan === undefined ? overlay : Math.max(vpc, usualMtu)
}

export const vpcNamespaceOf = (port: Resource<'Port'>): string =>
  resolveReference(port.spec.subnet, port.metadata.namespace ?? '').namespace

/** OVS in user space and BESS never fill in a checksum that the kernel left to a card. */
const inSoftware = ({ capabilities }: AgentEnv): boolean => capabilities['userspace'] === true

function insideOf(port: LocalPort, subnet: Resource<'Subnet'>, { netns, own, ifname, defaultRoute }: WiringTarget, env: AgentEnv): Inside {
  // A tenant's addresses and routes never stand beside the node's own.
  if (netns === undefined) return { ifname, addresses: [], routes: [], mtu: port.mtu, checksumsInSoftware: inSoftware(env) }
  const routes: InsideRoute[] = routesOf(subnet).map(({ destination, nextHop }) => ({ to: destination, via: nextHop }))
  for (const address of port.addresses) {
    const via = defaultRoute ? gatewayOf(subnet, address) : undefined
    if (via !== undefined) routes.push({ to: address.includes(':') ? '::/0' : '0.0.0.0/0', via })
  }
  return {
    ifname,
    addresses: port.addresses.map((address) => `${address}/${lengthOf(subnet, address)}`),
    routes,
    mtu: port.mtu,
    checksumsInSoftware: inSoftware(env),
    netns,
    ...(own && { own }),
  }
}

const lengthOf = (subnet: Resource<'Subnet'>, address: string): number =>
  parseCidr(blockOf(subnet, address.includes(':') ? 'ipv6' : 'ipv4')?.cidr ?? '')?.length ?? (address.includes(':') ? 128 : 32)

/** The gateway that is answered for: Subnet's own, else the usual one. */
export function gatewayOf(subnet: Resource<'Subnet'>, address: string): string | undefined {
  return blocksAnswered(subnet).find(({ cidr }) => cidr.includes(':') === address.includes(':'))?.gateway
}

/** The Port says something new, or again what it said before: same number, same place. The ledger may not have what it said last. */
export function rewire(port: Resource<'Port'>, wired: Wired, env: AgentEnv): void {
  const reported = localPortOf(port, { ...wired.port, ...judgedPort(port, env) })
  if (reported === undefined) return
  // The interface that is there keeps its name.
  const local = withBooking({ ...reported, ifcName: wired.port.ifcName }, env)
  if (sameJson(local, env.loop.pieces.of(portPiece).get(local.uid) ?? wired.port)) return
  env.loop.pieces.set(portPiece, local.uid, local)
  env.segments.refresh(segmentNumberOf(local.attachment))
  writeDown(local, env)
}

interface Taking {
  /** What is done with it before it goes. */
  readonly before?: () => Promise<unknown>
  /** What is left to do before it is forgotten: the next agent does it where this one is killed meanwhile. */
  readonly gone?: () => Promise<unknown>
  /** Asked once nothing is being made of the Port any more. */
  readonly unless?: () => boolean
}

/**
 * Takes the interface away, behind whatever is being made of the Port: no frame passes once this has returned; the data plane follows in
 * a moment. Repeatable. A later sandbox that has the Port by then keeps it.
 *
 * @returns whether the node has nothing of the Port any more
 */
export async function unwire(wired: Wired, env: AgentEnv, { before, gone, unless }: Taking = {}): Promise<boolean> {
  const { uid } = wired.port
  await env.making.during(uid, async () => {
    if (unless?.() === true) return
    await before?.()
    await takeAway(wired, env, gone)
  })
  return env.ledger.wiredOf(uid) === undefined
}

/** A Port without a pod has one interface: the way out is its guest's too. */
function guestWith(
  port: Resource<'Port'>,
  local: LocalPort,
  subnet: Resource<'Subnet'>,
  { containerID, defaultRoute }: WiringTarget,
): Pick<Wired, 'guest' | 'subnetKey'> {
  if (!isGuest(local)) return {}
  return { guest: guestOf(local, subnet, defaultRoute || containerID === nodeItself), subnetKey: subnetKeyOfPort(port) }
}

/** Only where the Port is claimed. */
async function takeAway(wired: Wired, env: AgentEnv, gone?: () => Promise<unknown>): Promise<void> {
  const { port } = wired
  const now = env.ledger.wiredOf(port.uid)
  if (now === undefined || wiredKey(now) !== wiredKey(wired)) return
  env.guests.leave(port.uid)
  await removeEnd(now, env)
  env.loop.pieces.set(portPiece, port.uid, undefined)
  env.ruleSets.judge(port.uid, [])
  // Whoever has the other end of a socket goes on until the data plane lets go of it.
  if (port.socket !== undefined) await limited(forgetMs, env.clock, (signal) => env.loop.applied(signal))
  await gone?.()
  // Not waited for: a line that is lost is dropped when the agent looks for its interface.
  env.ledger.drop(wired).catch((err: unknown) => env.log.error({ err }, 'the ledger does not take a line'))
  bookAgain(env)
  const segment = segmentNumberOf(port.attachment)
  if (segment === undefined) return
  env.segments.refresh(segment)
  if (now.external !== undefined || !isBound(port.uid, env)) env.segments.leave(segment, port.uid)
}

/** The interface that a Port would have here: nothing is made or written down. */
export async function endToBe(
  port: Resource<'Port'>,
  place: WiringTarget,
  env: AgentEnv,
): Promise<{ readonly local: LocalPort; readonly inside: Inside }> {
  const { subnet, local } = await localWithSubnet(port, place, env)
  return { local, inside: insideOf(local, subnet, place, env) }
}

/** Undefined where the fabric is not ours. */
export const segmentOfPort = (port: Resource<'Port'>): number | undefined => (port.status?.vif === undefined ? segmentOf(port) : undefined)

/** Whether the Port is to be on this node: where no sandbox has it another will come for it. */
export const isBound = (uid: string, { ports, node }: AgentEnv): boolean => [...ports.by('uid', uid)].some((port) => !isLeaving(port, node))

/** Whether a watch has told meanwhile that it is to be unwired. One that no watch has told of yet is not. */
const isGoing = (uid: string, { ports, node }: AgentEnv): boolean => [...ports.by('uid', uid)].some((port) => isLeaving(port, node))

export const isOfNode = ({ containerID }: Wired): boolean => containerID === nodeItself
