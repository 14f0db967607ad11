// Ports without a pod, as KOS has its NetworkAttachments on a node: an interface in the node's own network with MAC and name, to
// which the node's own programs do the rest. Addresses and routes of a tenant never stand beside the node's: a Port that asks for
// them gets a network namespace of its own, where its Node says that it may.
import { isAdopted } from '../links/vif/adopted.ts'
import { timeLimit } from '../../platform/clock.ts'
import { messageOf, PortNotReady } from '../../core/errors.ts'
import { whyNotAddressed } from '../../core/admit/object/node-allowances.ts'
import type { Resource } from '../../core/kinds/index.ts'
import { portPiece } from '../../core/pieces/port.ts'
import { isWireable } from '../../core/plan/node/pieces.ts'
import type { AgentEnv } from '../agent-env.ts'
import { runPrograms } from './exec.ts'
import { nodeItself, type Wired } from '../ledger/record.ts'
import { liveOf, portOf, reportNodeStatus, tapOf } from './node-status.ts'
import { isOfNode, ownNamespaceFor, wire } from './wiring.ts'

type Port = Resource<'Port'>

/** Longest that wiring a Port without a pod may take at one go. */
const wireMs = 30_000

/** Pods' are CNI's to wire; an agent before this one may have been killed in the middle. */
export function isToWireWithoutPod(port: Port, { ledger, node }: AgentEnv): boolean {
  const wired = ledger.wiredOf(port.metadata.uid)
  const isDone = wired !== undefined && (!isOfNode(wired) || wired.done !== undefined)
  return port.spec.claim === undefined && isWireable(port, node) && !isDone
}

export async function wireWithoutPod(seen: Port, env: AgentEnv): Promise<void> {
  if (!isToWireWithoutPod(seen, env)) return
  const port = await liveOf(seen, env)
  const ifname = port?.status?.ifcName
  if (port === undefined || ifname === undefined || !isToWireWithoutPod(port, env)) return
  const wired = await wiredAlone(port, ifname, env)
  if (wired === undefined) return
  const report = await runPrograms('postCreate', port, wired.inside, env)
  const done = report === undefined ? {} : { postCreateExecReport: report }
  await env.ledger.put({ ...(env.ledger.wiredOf(port.metadata.uid) ?? wired), done })
  reportNodeStatus(port, { wired: true, ...tapOf(wired.port), ...done }, env)
}

/** As the watch has it by now. */
function isStillToWire({ metadata: { uid } }: Port, env: AgentEnv): boolean {
  const known = portOf(uid, env)
  return known !== undefined && isToWireWithoutPod(known, env)
}

/** No runtime is there that would be answered: what is wrong is said on the Port. */
async function wiredAlone(port: Port, ifname: string, env: AgentEnv): Promise<Wired | undefined> {
  const late = timeLimit(wireMs, env.clock)
  try {
    const own = port.spec.addressed === true ? await allowedOwn(port, env) : undefined
    // What was asked may have been answered late: the watch has told more since.
    if (!isStillToWire(port, env)) return undefined
    const { wired, joined } = await wire(port, { containerID: nodeItself, ifname, mtu: undefined, defaultRoute: false, ...own }, env, late)
    await joined
    return wired
  } catch (err) {
    const message = late.aborted ? (env.loop.problem ?? 'the data plane does not take it in') : messageOf(err)
    if (portOf(port.metadata.uid, env)?.status?.node?.message !== message) reportNodeStatus(port, { wired: false, message }, env)
    throw err
  }
}

/** Its Node is asked each time: what it takes may have changed since the Port was made. @throws PortNotReady */
async function allowedOwn(port: Port, { store, node }: AgentEnv): Promise<ReturnType<typeof ownNamespaceFor>> {
  const why = whyNotAddressed(await store.get({ kind: 'Node', name: node }))
  if (why !== undefined) throw new PortNotReady({ port: port.metadata.name, reason: `node ${node}: ${why}` })
  return ownNamespaceFor(port)
}

/** Told of a Port whose addresses an agent of yesterday had put beside the node's own. */
const stripped = "its addresses stand beside the node's own no longer: make it anew with spec.addressed, where its node takes that"

/**
 * Before anything is wanted: what an agent of yesterday, or somebody else, has left otherwise than we would. Addresses that stood
 * beside the node's own are taken off, and the interface stays; where interface or namespace is gone the Port is wired anew.
 */
export async function repairWithoutPod(env: AgentEnv): Promise<void> {
  const alone = [...env.ledger.wired()].filter(isOfNode)
  if (alone.length === 0) return
  const there = new Set((await env.links.list()).map(({ ifcName }) => ifcName))
  for (const wired of alone) {
    // The next agent tries again; the pods of this node need this one.
    await mended(wired, there, env).catch((err: unknown) =>
      env.log.error({ err, port: wired.port.of }, 'a Port without a pod is not as it should be on its node'),
    )
  }
}

async function mended(wired: Wired, there: ReadonlySet<string>, env: AgentEnv): Promise<void> {
  const { ledger, links, log } = env
  const { port, inside, done, ...rest } = wired
  const isGone = port.socket === undefined && !isAdopted(port) && !there.has(port.ifcName)
  if (isGone || (inside.own === true && !(await links.hasOwn(port.ifcName)))) {
    log.warn({ port: port.of }, 'the interface of a Port without a pod is gone: it is made anew')
    await links.remove(port.ifcName)
    await forget(port, env)
    // What was done for it has gone with it; that something is to be undone is still known.
    return done && ledger.put({ port, inside, ...rest })
  }
  if (inside.netns !== undefined || inside.addresses.length === 0) return
  log.warn({ port: port.of, addresses: inside.addresses }, "the addresses of a Port without a pod stand beside the node's own no longer")
  await links.strip(inside)
  await ledger.put({ ...wired, inside: { ...inside, addresses: [], routes: [] }, ...(done && { done: { ...done, message: stripped } }) })
}

/** The interface that comes is another one of the same name: a data plane that kept the one before would not look at it. */
async function forget(port: Wired['port'], { plane, loop, clock }: AgentEnv): Promise<void> {
  const drop = plane.renderer.render(portPiece, port, loop.pieces.neededBy(portPiece, port))
  await plane.apply({ drop: [...drop], put: [] }, timeLimit(wireMs, clock))
}
