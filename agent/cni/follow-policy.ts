// A pod's NIC in a network that its policy names: its Port is made anew where that is another one, and is wired into the sandbox that runs.
// The runtime asks for nothing then, and is told nothing: the pod's status is.
import { isNetworkByPolicy } from '../../core/admit/pod/network-by-policy.ts'
import { whyNotPortOf } from '../../core/admit/pod/port-of-nic.ts'
import { keyOf, type Resource } from '../../core/kinds/index.ts'
import { isWireable } from '../../core/plan/node/pieces.ts'
import { timeLimit } from '../../platform/clock.ts'
import type { AgentEnv } from '../agent-env.ts'
import type { Sandbox } from '../ledger/record.ts'
import { liveOf, portOf, reportWired } from '../ports/node-status.ts'
import { unwire, wire, type WiredInterface, type WiringTarget } from '../ports/wiring.ts'
import { nicsOf } from './pods.ts'
import { reportAdd, statusOf } from './result.ts'

type Port = Resource<'Port'>

/** Longest that one try takes. */
const wireMs = 30_000

/** The sandbox that runs, and has been answered for without this Port. */
export function sandboxWithout(port: Port, { ledger, node, pods, deleting }: AgentEnv): Sandbox | undefined {
  const { claim } = port.spec
  if (claim === undefined || !isWireable(port, node) || ledger.wiredOf(port.metadata.uid) !== undefined) return undefined
  const pod = pods.get(keyOf({ namespace: port.metadata.namespace ?? '', name: claim.pod }))
  if (pod?.metadata.uid !== claim.podUID || !isNetworkByPolicy(pod)) return undefined
  const sandbox = ledger.sandboxOf(claim.podUID)
  return sandbox !== undefined && deleting.has(sandbox.containerID) ? undefined : sandbox
}

export async function wireIntoSandbox(seen: Port, env: AgentEnv): Promise<void> {
  if (!isStillWithout(seen, env)) return
  const port = await liveOf(seen, env)
  const sandbox = port && sandboxWithout(port, env)
  if (port === undefined || sandbox === undefined) return
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

function isStillWithout({ metadata: { uid } }: Port, env: AgentEnv): boolean {
  const known = portOf(uid, env)
  return known !== undefined && sandboxWithout(known, env) !== undefined
}

/** @returns undefined where the Port is not what the pod's NIC is answered by */
async function placeIn(
  { containerID, netns, pod: named }: Sandbox,
  port: Port,
  env: AgentEnv,
  signal: AbortSignal,
): Promise<WiringTarget | undefined> {
  const { nics, pod } = await nicsOf(named, env, signal)
  const nic = nics.find(({ name }) => name === port.spec.claim?.nic)
  if (nic === undefined || pod === undefined || whyNotPortOf(port, nic, pod) !== undefined) return undefined
  const { interfaceName: ifname, mtu, defaultRoute } = nic
  const { namespace = '', name, uid } = pod.metadata
  return { containerID, netns, ifname, pod: { namespace, name, uid }, mtu, defaultRoute }
}

async function reportWiring(sandbox: Sandbox, made: WiredInterface, env: AgentEnv): Promise<void> {
  const { networkStatus = [] } = sandbox
  const others = networkStatus.filter((each) => each.interface !== made.wired.ifname)
  const sandboxNow: Sandbox = { ...sandbox, networkStatus: [...others, statusOf(made, sandbox.ifname, env)] }
  await env.ledger.putSandbox(sandboxNow)
  reportWired(made.wired, env)
  reportAdd(sandboxNow, env)
}
