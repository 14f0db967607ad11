// What happens to the Ports of this node: those of pods wait for CNI, those without a pod are wired at once, and whatever is
// leaving is unwired before its node lets it go.
import { segmentOf } from '../../core/kinds/vpc/segment.ts'
import type { ChangeEvent } from '../../platform/cache/cache.ts'
import { limited } from '../../platform/clock.ts'
import { portPiece } from '../../core/pieces/port.ts'
import { hotNicsAnnotation, wiredFinalizer } from '../../core/kinds/annotations.ts'
import { refOf, resolveReference, type Resource } from '../../core/kinds/index.ts'
import { endNameOf, isGuarded, isLeaving } from '../../core/plan/node/pieces.ts'
import { emptied, portsWithoutSandbox, reportUnwiring, sandboxWithout, wireIntoSandbox } from '../cni/follow-pod.ts'
import { isToWireWithoutPod, wireWithoutPod } from './without-pod.ts'
import type { AgentEnv } from '../agent-env.ts'
import { runPrograms } from './exec.ts'
import { writeAsSeen } from '../../platform/store/write-as-seen.ts'
import type { Wired } from '../ledger/record.ts'
import { reportRound } from '../chains/round.ts'
import { portOf, reportUnsupported, reportWired, dropReport } from './node-status.ts'
import { isBound, isOfNode, rewire, unwire } from './wiring.ts'

type Port = Resource<'Port'>

/** Longest that the data plane may take to forget a Port. */
const forgetMs = 30_000

/** Called with every change event of this node's Ports. */
export function onPortChange({ before, after }: ChangeEvent<'Port'>, env: AgentEnv): void {
  const port = after ?? before!
  if (after === undefined || isLeaving(after, env.node)) return leave(port, after, env)
  const vni = segmentOf(port)
  if (vni !== undefined) {
    env.segments.use(vni, port.metadata.uid, resolveReference(port.spec.subnet, port.metadata.namespace ?? '').namespace)
    env.outbox.put(`subnet of ${port.metadata.uid}`, () => env.segments.learn(port))
  }
  const wired = env.ledger.wiredOf(port.metadata.uid)
  if (wired !== undefined) {
    rewire(port, wired, env)
    // An agent that begins may hear of it after all it was told at first, which was of a past: it is told now what is in the ledger.
    if (before === undefined) reportIfAnswered(wired, env)
    reportUnsupported(port, env)
    reportRound(port.metadata.uid, env)
  }
  wireUnasked(port, env)
}

/** What no runtime asks for: a Port without a pod, and one that was made for a pod that runs. */
function wireUnasked(port: Port, env: AgentEnv): void {
  if (isToWireWithoutPod(port, env)) env.outbox.put(`port ${port.metadata.uid}`, () => wireWithoutPod(port, env))
  if (sandboxWithout(port, env) !== undefined) env.outbox.put(`port ${port.metadata.uid}`, () => wireIntoSandbox(port, env))
}

/** Called with every change event of this node's pods: the NICs that come and go are its own word. */
export function onHotPlug({ before, after }: ChangeEvent<'Pod'>, env: AgentEnv): void {
  const [had, has] = [before, after].map((pod) => pod?.metadata.annotations?.[hotNicsAnnotation])
  if (after !== undefined && has !== undefined && had !== has) wireLateComers(after, env)
}

/** What a pod was given while its sandbox was being made. */
export function wireLateComers(pod: Resource<'Pod'>, env: AgentEnv): void {
  for (const port of portsWithoutSandbox(pod, env)) wireUnasked(port, env)
}

/** Before nothing is left to do for it, it is not told of as wired. */
function reportIfAnswered(wired: Wired, env: AgentEnv): void {
  const isAnswered = wired.done !== undefined || [...env.ledger.sandboxes()].some(({ containerID }) => containerID === wired.containerID)
  if (isAnswered) reportWired(wired, env)
}

/** @param there absent where the store has no such Port on this node any more: then nobody waits for our word */
function leave(port: Port, there: Port | undefined, env: AgentEnv): void {
  const { uid } = port.metadata
  if (env.making.has(uid)) return env.outbox.put(`port ${uid}`, () => leaveOnceMade(port, env))
  const wired = env.ledger.wiredOf(uid)
  if (wired === undefined) {
    const vni = segmentOf(port)
    if (vni !== undefined) env.segments.leave(vni, uid)
    env.ruleSets.judge(uid, [])
    // Of one that has come here, and goes before it was wired.
    env.loop.pieces.set(portPiece, uid, undefined)
    return release(there, env)
  }
  let begun = false
  // What was begun is ended, or half of it would be gone.
  const unless = (): boolean => !(begun ||= !isBound(uid, env))
  const gone = whenGone(port, wired, env)
  env.outbox.put(`port ${uid}`, async () => {
    if (!(await unwire(wired, env, { before: () => emptied(wired, env), gone, unless }))) return
    await reportUnwiring(wired, env)
    await limited(forgetMs, env.clock, (signal) => env.loop.applied(signal))
    release(there, env)
    const now = portOf(uid, env)
    if (now !== undefined && isToWireWithoutPod(now, env)) env.outbox.put(`port ${uid}`, () => wireWithoutPod(now, env))
  })
}

/** What its maker wants run once the interface of a Port without a pod has gone. */
export const whenGone =
  (port: Port, wired: Wired, env: AgentEnv): (() => Promise<unknown>) =>
  () =>
    isOfNode(wired) ? runPrograms('postDelete', port, { ifname: wired.inside.ifname }, env) : Promise.resolve()

/** By then it may be wanted here again. */
async function leaveOnceMade(port: Port, env: AgentEnv): Promise<void> {
  await env.making.over(port.metadata.uid)
  const there = portOf(port.metadata.uid, env)
  if (there === undefined || isLeaving(there, env.node)) leave(there ?? port, there, env)
}

/** Where the node has nothing of it any more. */
export function release(port: Port | undefined, env: AgentEnv): void {
  if (port === undefined || env.ledger.wiredOf(port.metadata.uid) !== undefined) return
  dropReport(port, env)
  if (isGuarded(port)) env.outbox.put(`release ${port.metadata.uid}`, () => letGo(portOf(port.metadata.uid, env) ?? port, env))
}

async function letGo(port: Port, env: AgentEnv): Promise<void> {
  const { uid } = port.metadata
  const { store, node } = env
  if (!(await isClear(port, env))) return
  await writeAsSeen<'Port'>(port, {
    store,
    isDue: (seen) => isGuarded(seen) && seen.spec.node === node && isLeaving(seen, node),
    async write(seen) {
      const { resourceVersion } = (await unwired(seen, store)).metadata
      await store.commit([{ do: 'removeFinalizer', ref: refOf(seen), uid, finalizer: wiredFinalizer, resourceVersion }])
    },
  })
}

/** An interface that the ledger does not know goes: its maker was killed before it was written down, or the ledger has lost it. */
function isClear(port: Port, { making, ledger, links }: AgentEnv): Promise<boolean> {
  const { uid } = port.metadata
  return making.during(uid, async () => {
    if (ledger.wiredOf(uid) !== undefined) return false
    await links.remove(endNameOf(port))
    return true
  })
}

/** Of one that goes nobody is told any more. One that stays is said not to be wired while it is this node's to say so. */
async function unwired(port: Port, store: AgentEnv['store']): Promise<Port> {
  const { uid, resourceVersion, deletionTimestamp } = port.metadata
  if (deletionTimestamp !== undefined || port.status?.node?.wired !== true) return port
  return store.patchStatus({ ref: refOf(port), uid, resourceVersion }, { node: { node: { wired: false } } })
}
