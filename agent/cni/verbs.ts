// DEL, CHECK, GC and STATUS. A DEL has no say over Ports: it takes away what its own sandbox has, and that always succeeds.
import { AgentNotReady, messageOf } from '../../core/errors.ts'
import { keyOf } from '../../core/kinds/index.ts'
import type { CniRequest, CniResult } from '../../core/wire/cni/cni.ts'
import type { AgentEnv } from '../agent-env.ts'
import { removeOfSandboxes } from '../external/verbs.ts'
import { checkEnd } from '../links/ends.ts'
import { nodeItself, sandboxKey, type Sandbox } from '../ledger/record.ts'
import { portPiece } from '../../core/pieces/port.ts'
import { isLeaving } from '../../core/plan/node/pieces.ts'
import { release, wireLateComers } from '../ports/ports.ts'
import { portOf } from '../ports/node-status.ts'
import { unwire } from '../ports/wiring.ts'
import type { DelegateConf } from './conf.ts'
import { delegateCheck, delegateDel, delegateNotice, type DelegateCall } from './delegate.ts'
import { noDelegate } from './follow-conf.ts'

/** What a request to the delegate needs. */
async function callFor(
  request: CniRequest,
  sandbox: Sandbox | undefined,
  env: AgentEnv,
  signal: AbortSignal,
): Promise<DelegateCall | undefined> {
  const conf = (sandbox?.delegate?.conf as DelegateConf | undefined) ?? (await env.machine.delegateConf(env.config.cniDelegate))
  return conf === undefined ? undefined : { conf, request, bin: env.config.cniBin, signal, machine: env.machine }
}

export async function del(request: CniRequest, env: AgentEnv, signal: AbortSignal): Promise<void> {
  const { containerID, ifname } = request
  const sandbox = env.ledger.sandbox(containerID, ifname)
  env.deleting.add(containerID)
  try {
    await deleted(request, env, signal)
  } finally {
    env.deleting.delete(containerID)
  }
  if (sandbox !== undefined) wireIntoOther(sandbox, env)
}

/** A runtime that has asked again for an old sandbox of a pod, and takes it away, leaves the one that the pod runs in. */
function wireIntoOther({ pod: of }: Sandbox, env: AgentEnv): void {
  const pod = env.pods.get(keyOf(of))
  if (pod?.metadata.uid === of.uid) wireLateComers(pod, env)
}

async function deleted(request: CniRequest, env: AgentEnv, signal: AbortSignal): Promise<void> {
  const { containerID, ifname } = request
  const sandbox = env.ledger.sandbox(containerID, ifname)
  await takeAway(containerID, env)
  // A sandbox that had no delegate asks for none; one that nobody remembers may have had it.
  if (sandbox === undefined || sandbox.delegate !== undefined) {
    const call = await callFor(request, sandbox, env, signal)
    if (call !== undefined) await delegateDel(call, sandbox?.delegate?.result ?? request.conf.prevResult)
  }
  // Who made them (Multus, as our delegate) has taken them away by now, unless it has lost them.
  for (const problem of await removeOfSandboxes((each) => each === containerID, request, env, signal))
    env.log.warn({ containerID, problem }, 'an interface in VLANs that nobody took away')
  env.ledger.dropSandbox({ containerID, ifname }).catch((err: unknown) => env.log.error({ err }, 'the ledger does not take a line'))
}

/** Our own interfaces of a sandbox; Ports that only waited for it are let go. */
async function takeAway(containerID: string, env: AgentEnv): Promise<void> {
  for (const wired of env.ledger.wiredIn(containerID)) {
    await unwire(wired, env)
    const port = portOf(wired.port.uid, env)
    if (port !== undefined && isLeaving(port, env.node)) release(port, env)
  }
}

/** @throws CheckFailed with all that differs */
export async function check(request: CniRequest, env: AgentEnv, signal: AbortSignal): Promise<readonly string[]> {
  const { containerID, ifname } = request
  const sandbox = env.ledger.sandbox(containerID, ifname)
  if (sandbox === undefined) return [`container ${containerID} has no interface ${ifname} that we made`]
  const wired = env.ledger.wiredIn(containerID)
  const wrong = (await Promise.all(wired.map(({ port, inside }) => checkEnd(port, inside, env)))).flat()
  for (const { ifname: name, port } of wired) if (!env.loop.pieces.has(portPiece, port.uid)) wrong.push(`${name} is not in the data plane`)
  wrong.push(...missingIn(request.conf.prevResult, sandbox.result))
  if (sandbox.delegate !== undefined) {
    const call = await callFor(request, sandbox, env, signal)
    if (call !== undefined) await delegateCheck(call, sandbox.delegate.result)
  }
  return wrong
}

/** The runtime's idea of the interfaces against ours. */
function missingIn(result: CniResult | undefined, known: object | undefined): string[] {
  const names = new Set(((known as CniResult | undefined)?.interfaces ?? []).map(({ name }) => name))
  return (result?.interfaces ?? [])
    .filter(({ name }) => !names.has(name))
    .map(({ name }) => `interface ${name} of prevResult is none of this sandbox`)
}

/**
 * Everything of sandboxes that the runtime does not name; goes on past what fails. What comes after it was asked is not judged: a runtime
 * that waits no longer adds on, and has not named that.
 */
export async function gc(request: CniRequest, env: AgentEnv, signal: AbortSignal): Promise<readonly string[]> {
  const valid = new Set((request.conf['cni.dev/valid-attachments'] ?? []).map(sandboxKey))
  const live = new Set((request.conf['cni.dev/valid-attachments'] ?? []).map(({ containerID }) => containerID))
  const known = [...env.ledger.sandboxes(), ...env.ledger.wired()].map(({ containerID }) => containerID)
  const gone = new Set(known.filter((containerID) => containerID !== nodeItself && !live.has(containerID)))
  const wrong: string[] = []
  const tried = (run: Promise<unknown>): Promise<unknown> => run.catch((err: unknown) => wrong.push(messageOf(err)))
  for (const sandbox of [...env.ledger.sandboxes()]) {
    if (valid.has(sandboxKey(sandbox))) continue
    await tried(del({ ...request, command: 'DEL', containerID: sandbox.containerID, ifname: sandbox.ifname, netns: '' }, env, signal))
  }
  for (const containerID of gone) await tried(takeAway(containerID, env))
  const call = await callFor(request, undefined, env, signal)
  if (call !== undefined) await tried(delegateNotice('GC', call))
  wrong.push(...(await removeOfSandboxes((each) => gone.has(each), request, env, signal)))
  return wrong
}

/** @throws AgentNotReady where an ADD would fail for want of us */
export async function status(request: CniRequest, env: AgentEnv, signal: AbortSignal): Promise<void> {
  const reason = env.loop.problem ?? (env.ports.synced && env.pods.synced ? undefined : 'the store has not told of Ports and pods yet')
  if (reason !== undefined) throw new AgentNotReady({ reason })
  const call = await callFor(request, undefined, env, signal)
  if (call === undefined && env.config.clusterNic === 'delegate') throw new AgentNotReady({ reason: noDelegate(env.config) })
  if (call !== undefined) await delegateNotice('STATUS', call)
}
