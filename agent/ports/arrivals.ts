// VMs that may come: a Port that moves to this node has its TAP here before its VM is, for the hypervisor to open. The data plane knows
// nothing of it, so that all that is sent to it goes to where it still is; a cloud, which knows of both nodes, has it plugged in here too.
// Its first frame is the sign that its VM runs here: the node says so, workers put the Port on this node, and from then on it is wired as
// any other.
import { LinkRefused, messageOf, PortNotReady } from '../../core/errors.ts'
import { refOf, type Resource } from '../../core/kinds/index.ts'
import type { LocalPort } from '../../core/node/wanted.ts'
import { portPiece } from '../../core/pieces/port.ts'
import { endNameOf } from '../../core/plan/node/pieces.ts'
import { asMoved, isExpectedOn, isStillBoundTo } from '../../core/plan/vpc/move.ts'
import { sameJson } from '../../core/same-json.ts'
import { voiceFilter } from '../../core/wire/guest/filter.ts'
import type { ChangeEvent } from '../../platform/cache/cache.ts'
import { limited } from '../../platform/clock.ts'
import type { AgentEnv } from '../agent-env.ts'
import { nodeItself } from '../ledger/record.ts'
import { ensureEnd } from '../links/ends.ts'
import type { Arrival } from './arrival.ts'
import { liveOf } from './node-status.ts'
import { judgedPort } from './policy.ts'
import { endToBe, segmentOfPort, vpcNamespaceOf } from './wiring.ts'

type Port = Resource<'Port'>
type Migration = NonNullable<NonNullable<Port['status']>['migration']>

/** Longest that the data plane may take to plug it in. */
const plugMs = 30_000

/** Called with every change event of the Ports that are to move here. */
export function onArrivalChange({ before, after }: ChangeEvent<'Port'>, env: AgentEnv): void {
  const port = after ?? before!
  env.outbox.put(`arrival ${port.metadata.uid}`, () => settleArrival(port, env))
}

/** What a watch tells may be of the past: the store itself is asked. */
async function settleArrival(seen: Port, env: AgentEnv): Promise<void> {
  const port = await liveOf(seen, env)
  if (port !== undefined && isExpectedOn(port, env.node)) return expectGuest(port, env)
  if (port !== undefined && isStillBoundTo(port, env.node))
    throw new PortNotReady({ port: port.metadata.name, reason: 'its cloud has still to take back that its VM may come here' })
  await giveUp(seen, port, env)
}

/** What is in its way is said, and it is tried again. */
async function expectGuest(port: Port, env: AgentEnv): Promise<void> {
  const { uid } = port.metadata
  try {
    const there = env.arrivals.of.get(uid) ?? (await env.making.during(uid, () => makeTap(asMoved(port), env)))
    env.arrivals.of.set(uid, there)
    followPort(there, port)
    // By what it is judged may be another thing by now: its rules are carried already.
    judgedPort(port, env)
    await say(port, { tap: there.tap, ...(there.hasSpoken && { active: true }) }, env)
  } catch (err) {
    if (!env.arrivals.of.has(uid)) await say(port, { message: messageOf(err) }, env)
    throw err
  }
}

/** Two states later the move may have been taken back and asked for anew: its VM has to speak once more. */
function followPort(arrival: Arrival, { metadata: { generation = 0 } }: Port): void {
  if (generation > arrival.generation + 1) arrival.hasSpoken = false
  arrival.generation = generation
}

/** @throws PortNotReady while what it had here before has still to go; LinkRefused */
async function makeTap(port: Port, env: AgentEnv): Promise<Arrival> {
  const { uid, name, generation = 0 } = port.metadata
  const { links, ledger, segments } = env
  if (ledger.wiredOf(uid) !== undefined) throw new PortNotReady({ port: name, reason: 'what it had on this node has still to go' })
  if (links.hear === undefined) throw new LinkRefused({ what: endNameOf(port), reason: 'without the native addon no TAP is listened at' })
  // Who is where, and what its rules are, is known by the time that it comes.
  segments.use(segmentOfPort(port), uid, vpcNamespaceOf(port))
  const { local, inside } = await endToBe(
    port,
    { containerID: nodeItself, ifname: endNameOf(port), mtu: undefined, defaultRoute: false },
    env,
  )
  await ensureEnd(local, inside, env)
  if (local.attachment.kind === 'vif') await plugIn(local, env)
  const arrival: Arrival = { tap: local.ifcName, stop: () => undefined, hasSpoken: false, generation }
  const { stop } = await links.hear(local.ifcName, voiceFilter(local.mac), (frame) => {
    if (arrival.hasSpoken) return
    arrival.hasSpoken = frame !== undefined
    // It is not heard any more: its TAP is made and listened at anew.
    if (frame === undefined) env.arrivals.of.delete(uid)
    env.outbox.put(`arrival ${uid}`, () => settleArrival(port, env))
  })
  arrival.stop = stop
  env.log.info({ port: local.of, tap: local.ifcName }, 'a VM may come here')
  return arrival
}

/** Its cloud sends nothing there before its VM speaks, or the Port is here. */
async function plugIn(local: LocalPort, { loop, clock }: AgentEnv): Promise<void> {
  loop.pieces.set(portPiece, local.uid, local)
  await limited(plugMs, clock, (signal) => loop.applied(signal))
}

/** Of the Port as it is now: what was said of it before counts for nothing. */
async function say(port: Port, what: Omit<Migration, 'node' | 'generation'>, { store, node }: AgentEnv): Promise<void> {
  const { uid, generation = 0, resourceVersion } = port.metadata
  const migration: Migration = { node, generation, ...what }
  if (sameJson(migration, port.status?.migration)) return
  await store.patchStatus({ ref: refOf(port), uid, resourceVersion }, { migration: { migration } })
}

/** It is here by now, or is not to come any more: then nothing of it stays. */
async function giveUp(seen: Port, port: Port | undefined, env: AgentEnv): Promise<void> {
  const { uid } = seen.metadata
  const { arrivals, ledger, node } = env
  const tap = arrivals.of.get(uid)?.tap ?? endNameOf(asMoved(seen))
  arrivals.of.get(uid)?.stop()
  arrivals.of.delete(uid)
  if (port?.spec.node !== node) await env.making.during(uid, () => removeTap(seen, tap, env))
  await takeBack(port, env)
  // Until it is wired its TAP is nobody's: it may leave before this node's watch has told that it came.
  if (port?.spec.node === node && ledger.wiredOf(uid) === undefined)
    throw new PortNotReady({ port: port.metadata.name, reason: 'it has come to this node, and has still to be wired' })
}

async function removeTap(seen: Port, tap: string, { ledger, links, loop, ruleSets, segments }: AgentEnv): Promise<void> {
  const { uid } = seen.metadata
  if (ledger.wiredOf(uid) !== undefined) return
  await links.remove(tap)
  loop.pieces.set(portPiece, uid, undefined)
  ledger.forgetNumbers(uid)
  ruleSets.judge(uid, [])
  const segment = segmentOfPort(seen)
  if (segment !== undefined) segments.leave(segment, uid)
}

/** What this node has said of a move that is over. */
async function takeBack(port: Port | undefined, { store, node }: AgentEnv): Promise<void> {
  if (port?.status?.migration?.node !== node) return
  const { uid, resourceVersion } = port.metadata
  await store.patchStatus({ ref: refOf(port), uid, resourceVersion }, { migration: {} })
}
