// A pod that runs and is given a NIC, or loses one: hot plug, a NIC whose network its policy names, and one whose network went and is there
// again. The Port is wired into the sandbox that runs, or unwired there. The runtime asks for nothing then, and is told nothing: the pod's
// network-status is.
import type { ResolvedNic } from '../../core/admit/network-view.ts'
import { whyNotPortOf } from '../../core/admit/pod/port-of-nic.ts'
import { messageOf, PortNotReady, retryOf } from '../../core/errors.ts'
import { inNamespaceOf, keyOf, type Resource } from '../../core/kinds/index.ts'
import { isWireable } from '../../core/plan/node/pieces.ts'
import { isPodFinished } from '../../core/plan/pod/pod.ts'
import { timeLimit } from '../../platform/clock.ts'
import type { AgentEnv } from '../agent-env.ts'
import type { Sandbox, Wired } from '../ledger/record.ts'
import { liveOf, portOf, reportNotWired, reportWired } from '../ports/node-status.ts'
import { unwire, wire, type WiredInterface, type WiringTarget } from '../ports/wiring.ts'
import { nicsOf } from './pods.ts'
import { reportAdd, statusOf } from './result.ts'

type Port = Resource<'Port'>
type Pod = Resource<'Pod'>

/** Longest that one try takes. */
const wireMs = 30_000

/** The sandbox that runs, and has been answered for without this Port. */
export function sandboxWithout(port: Port, { ledger, node, pods, deleting }: AgentEnv): Sandbox | undefined {
  const { claim } = port.spec
  if (claim === undefined || !isWireable(port, node)) return undefined
  const pod = pods.get(inNamespaceOf(port, claim.pod))
  if (pod?.metadata.uid !== claim.podUID || isPodFinished(pod)) return undefined
  const sandbox = ledger.sandboxOf(claim.podUID)
  if (sandbox === undefined || deleting.has(sandbox.containerID)) return undefined
  const wired = ledger.wiredOf(port.metadata.uid)
  return wired === undefined || isUntold(wired, sandbox) ? sandbox : undefined
}

/** In this sandbox, and no other. */
const isUntold = (wired: Wired, sandbox: Sandbox): boolean => wired.containerID === sandbox.containerID && !tellsOf(sandbox, wired)

/** Whoever was killed between the wiring and its word of it has left an interface that nobody was told of. */
const tellsOf = ({ networkStatus = [] }: Sandbox, { ifname }: Wired): boolean => networkStatus.some((each) => each.interface === ifname)

/** The Ports of a pod that its sandbox lacks: they, or the pod's word for them, came before the sandbox was answered for. */
export const portsWithoutSandbox = (pod: Pod, env: AgentEnv): readonly Port[] =>
  [...env.ports.values()].filter((port) => port.spec.claim?.podUID === pod.metadata.uid && sandboxWithout(port, env) !== undefined)

/** @throws what is to be tried again, after the Port has been told why */
export async function wireIntoSandbox(seen: Port, env: AgentEnv): Promise<void> {
  if (!isStillWithout(seen, env)) return
  const port = await liveOf(seen, env)
  const sandbox = port && sandboxWithout(port, env)
  if (port === undefined || sandbox === undefined) return
  try {
    await wireInto(sandbox, port, env)
  } catch (err) {
    await undo(sandbox, port.metadata.uid, env)
    reportNotWired(port, messageOf(err), env)
    // Another's interface of that name may go, and so may whatever else was in the way.
    throw retryOf(err) === 'never' ? new PortNotReady({ port: port.metadata.name, reason: messageOf(err) }) : err
  }
}

function isStillWithout({ metadata: { uid } }: Port, env: AgentEnv): boolean {
  const known = portOf(uid, env)
  return known !== undefined && sandboxWithout(known, env) !== undefined
}

async function wireInto(sandbox: Sandbox, port: Port, env: AgentEnv): Promise<void> {
  const signal = timeLimit(wireMs, env.clock)
  const place = await placeIn(sandbox, port, env, signal)
  // What was asked may have been answered late: the watch has told more since.
  if (place === undefined || !isStillWithout(port, env)) return
  const made = await wire(port, place, env, signal)
  await made.joined
  const now = env.ledger.sandbox(sandbox.containerID, sandbox.ifname)
  // It has ended meanwhile, and whoever ended it did not know of this.
  if (now === undefined || env.deleting.has(sandbox.containerID)) return void (await unwire(made.wired, env))
  await reportWiring(now, made, env)
}

/** What was half-way. */
async function undo({ containerID }: Sandbox, uid: string, env: AgentEnv): Promise<void> {
  const wired = env.ledger.wiredOf(uid)
  if (wired?.containerID !== containerID) return
  await unwire(wired, env).catch((err: unknown) => env.log.warn({ err }, 'an interface of a pod that runs was not undone'))
}

/** @returns undefined where the Port is not what the pod's NIC is answered by */
async function placeIn(
  { containerID, netns, pod: named }: Sandbox,
  port: Port,
  env: AgentEnv,
  signal: AbortSignal,
): Promise<WiringTarget | undefined> {
  const claimed = async (): Promise<{ readonly nic: ResolvedNic | undefined; readonly pod?: Pod }> => {
    const { nics, pod } = await nicsOf(named, env, signal)
    return { nic: nics.find(({ name }) => name === port.spec.claim?.nic), ...(pod && { pod }) }
  }
  let { nic, pod } = await claimed()
  if (nic === undefined) {
    // It has a Port, so its Subnet is there: it may be younger than what was heard of Subnets.
    env.objects.forget()
    ;({ nic, pod } = await claimed())
  }
  if (nic === undefined || pod === undefined || whyNotPortOf(port, nic, pod) !== undefined) return undefined
  const { interfaceName: ifname, mtu, type, defaultRoute } = nic
  const { namespace = '', name, uid } = pod.metadata
  return { containerID, netns, ifname, pod: { namespace, name, uid }, mtu, type, defaultRoute }
}

async function reportWiring(sandbox: Sandbox, made: WiredInterface, env: AgentEnv): Promise<void> {
  const { networkStatus = [] } = sandbox
  const others = networkStatus.filter((each) => each.interface !== made.wired.ifname)
  const sandboxNow: Sandbox = { ...sandbox, networkStatus: [...others, statusOf(made, sandbox.ifname, env)] }
  await env.ledger.putSandbox(sandboxNow)
  reportWired(made.wired, env)
  reportAdd(sandboxNow, env)
}

/** The sandbox that runs on without an interface which goes, as its pod has been told of it. */
function sandboxThatStays(wired: Wired, { ledger, pods, deleting }: AgentEnv): Sandbox | undefined {
  const { pod: of, containerID } = wired
  if (of === undefined || deleting.has(containerID) || !isRunning(pods.get(keyOf(of)), of.uid)) return undefined
  const sandbox = ledger.sandboxOf(of.uid)
  return sandbox?.containerID === containerID && tellsOf(sandbox, wired) ? sandbox : undefined
}
const isRunning = (pod: Pod | undefined, uid: string): boolean =>
  pod?.metadata.uid === uid && pod.metadata.deletionTimestamp === undefined && !isPodFinished(pod)

/** Routes first, then addresses: what the pod begins now goes another way before it loses its source. The interface goes after both. */
export async function emptied(wired: Wired, env: AgentEnv): Promise<void> {
  if (sandboxThatStays(wired, env) === undefined) return
  await env.links
    .strip(wired.inside)
    .catch((err: unknown) => env.log.warn({ err }, 'an interface that goes keeps its addresses until it is gone'))
}

/** What its pod was told of an interface that is gone is taken back. */
export async function reportUnwiring(wired: Wired, env: AgentEnv): Promise<void> {
  const sandbox = sandboxThatStays(wired, env)
  if (sandbox === undefined || env.ledger.wiredIn(wired.containerID).some(({ ifname }) => ifname === wired.ifname)) return
  const networkStatus = (sandbox.networkStatus ?? []).filter((each) => each.interface !== wired.ifname)
  const sandboxNow: Sandbox = { ...sandbox, networkStatus }
  await env.ledger.putSandbox(sandboxNow)
  reportAdd(sandboxNow, env)
}
