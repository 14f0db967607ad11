// What happens to the Ports of this node: those of pods wait for CNI, those without a pod are wired at once, and whatever is
// leaving is unwired before its node lets it go.
import type { Turn } from '../platform/cache.ts'
import { wiredFinalizer } from '../core/kinds/annotations.ts'
import { refOf, resolveReference, type Resource } from '../core/kinds/index.ts'
import type { Condition } from '../core/kinds/meta.ts'
import { isGuarded, isLeaving, isWireable } from '../core/plan/node-pieces.ts'
import { segmentOf } from '../core/plan/node-items.ts'
import { nodeConditions } from '../core/plan/node-unsupported.ts'
import { sameJson } from '../core/same-json.ts'
import type { AgentEnv } from './env.ts'
import { runPrograms } from './exec.ts'
import { nodeItself, type NodeStatus, type Wired } from './ledger/record.ts'
import { isOfNode, rewire, unwire, wire } from './wiring.ts'

type Port = Resource<'Port'>

/** Longest that wiring a Port without a pod may take at one go. */
const wireMs = 30_000

/** Hears of every turn of this node's Ports. */
export function onPortTurn({ before, after }: Turn<'Port'>, env: AgentEnv): void {
  const port = after ?? before!
  if (after === undefined || isLeaving(after, env.node)) return leave(port, after, env)
  const { vni } = port.status ?? {}
  if (vni !== undefined) {
    env.segments.use(vni, port.metadata.uid, resolveReference(port.spec.subnet, port.metadata.namespace ?? '').namespace)
    env.outbox.put(`subnet of ${port.metadata.uid}`, () => env.segments.learn(port))
  }
  const wired = env.ledger.wiredOf(port.metadata.uid)
  if (wired !== undefined) {
    rewire(port, wired, env)
    tellUnsupported(port, env)
  }
  if (isToWire(port, env)) env.outbox.put(`port ${port.metadata.uid}`, () => wireAlone(port, env))
}

/** Pods' are CNI's to wire; an agent before this one may have been killed in the middle. */
function isToWire(port: Port, { ledger, node }: AgentEnv): boolean {
  const wired = ledger.wiredOf(port.metadata.uid)
  const isDone = wired !== undefined && (!isOfNode(wired) || wired.done !== undefined || port.status?.node?.wired === true)
  return port.spec.claim === undefined && isWireable(port, node) && !isDone
}

/** @param there absent where the store has no such Port on this node any more: then nobody waits for our word */
function leave(port: Port, there: Port | undefined, env: AgentEnv): void {
  const { uid } = port.metadata
  const wired = env.ledger.wiredOf(uid)
  if (wired === undefined) {
    if (port.status?.vni !== undefined) env.segments.leave(port.status.vni, uid)
    return release(there, env)
  }
  env.outbox.put(`port ${uid}`, async () => {
    await unwire(wired, env, () => (isOfNode(wired) ? runPrograms('postDelete', port, wired.inside.ifname, env) : Promise.resolve()))
    if (wired.port.attachment.kind === 'vni') env.segments.leave(wired.port.attachment.vni, uid)
    await env.loop.applied(AbortSignal.timeout(wireMs))
    release(there, env)
  })
}

/** The node has nothing of it any more. */
export function release(port: Port | undefined, { outbox, store }: AgentEnv): void {
  if (port === undefined || !isGuarded(port)) return
  outbox.put(`release ${port.metadata.uid}`, () => store.commit([{ do: 'removeFinalizer', ref: refOf(port), uid: port.metadata.uid, finalizer: wiredFinalizer }]))
}

/** KOS's NetworkAttachment on a node: its interface is in the node's own namespace. */
async function wireAlone(port: Port, env: AgentEnv): Promise<void> {
  const ifname = port.status?.ifcName
  if (ifname === undefined || !isToWire(port, env)) return
  const wired = await wiredAlone(port, ifname, env)
  const report = await runPrograms('postCreate', port, ifname, env)
  const done = report === undefined ? {} : { postCreateExecReport: report }
  await env.ledger.put({ ...(env.ledger.wiredOf(port.metadata.uid) ?? wired), done })
  tellStatus(port, { wired: true, ...done }, env)
}

/** No runtime is there that would be answered: what is wrong is said on the Port. */
async function wiredAlone(port: Port, ifname: string, env: AgentEnv): Promise<Wired> {
  const late = AbortSignal.timeout(wireMs)
  try {
    const { wired, joined } = await wire(port, { containerID: nodeItself, ifname, mtu: undefined, defaultRoute: false }, env, late)
    await joined
    return wired
  } catch (problem) {
    const message = late.aborted ? (env.loop.problem ?? 'the data plane does not take it in') : problem instanceof Error ? problem.message : String(problem)
    if (portOf(port.metadata.uid, env)?.status?.node?.message !== message) tellStatus(port, { wired: false, message }, env)
    throw problem
  }
}

const portOf = (uid: string, { ports }: AgentEnv): Port | undefined => [...ports.by('uid', uid)][0]

/** What an agent before this one has done, and was killed before the store had taken its word. */
export function tellDone({ port: { uid }, done }: Wired, env: AgentEnv): void {
  const port = portOf(uid, env)
  if (port !== undefined && done !== undefined && port.status?.node?.wired !== true) tellStatus(port, { wired: true, ...done }, env)
}

/** The status section of which the agent is the one writer. */
export function tellStatus(port: Port, { conditions: _, ...node }: NodeStatus, env: AgentEnv): void {
  const conditions = conditionsOf(port, env)
  const whole: NodeStatus = { ...node, dataplane: env.plane.name, ...(conditions.length > 0 && { conditions: [...conditions] }) }
  env.outbox.put(`status ${port.metadata.uid}`, () => env.store.patchStatus({ ref: refOf(port), uid: port.metadata.uid }, { node: { node: whole } }))
}

function conditionsOf(port: Port, { ledger, loop, plane, clock }: AgentEnv): readonly Condition[] {
  const local = ledger.wiredOf(port.metadata.uid)?.port
  const all = local === undefined ? [] : plane.renderer.unsupported(local, segmentOf(local, loop.pieces.segments))
  return nodeConditions(port, { all, plane: plane.name, now: new Date(clock.now()).toISOString() })
}

/** What was told of a wired Port is told anew where it is another thing by now: its Subnet or its node's data plane is. */
function tellUnsupported(port: Port, env: AgentEnv): void {
  const { node } = port.status ?? {}
  if (node?.wired !== true) return
  if (node.dataplane !== env.plane.name || !sameJson(node.conditions ?? [], conditionsOf(port, env))) tellStatus(port, node, env)
}
