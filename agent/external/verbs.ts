// The verbs of CNI for interfaces in VLANs. None of them asks the delegate: it may be who is calling.
import { AgentNotReady, messageOf } from '../../core/errors.ts'
import { portPiece } from '../../core/pieces/port.ts'
import type { CniRequest, CniResult } from '../../core/wire/cni/cni.ts'
import type { AgentEnv } from '../agent-env.ts'
import { checkEnd } from '../links/ends.ts'
import { sandboxKey } from '../ledger/record.ts'
import { ipamCheck, ipamDel } from './ipam.ts'
import { callOf, confOf, needUplink, removeExternal, wiredFor } from './wiring.ts'

export async function delExternal(request: CniRequest, env: AgentEnv, signal: AbortSignal): Promise<void> {
  const wired = wiredFor(request, env)
  if (wired !== undefined) return removeExternal(wired, request, env, signal)
  // One that nobody remembers may still have addresses.
  await ipamDel(callOf(request, env, signal))
}

/** In sentences, what is not as ADD left it. */
export async function checkExternal(request: CniRequest, env: AgentEnv, signal: AbortSignal): Promise<readonly string[]> {
  const wired = wiredFor(request, env)
  if (wired === undefined) return [`container ${request.containerID} has no interface ${request.ifname} in VLANs`]
  const { port, inside, external } = wired
  const wrong = [...(await checkEnd(port, inside, env))]
  if (!env.loop.pieces.has(portPiece, port.uid)) wrong.push(`${inside.ifname} is not in the data plane`)
  const names = new Set(((external.result as CniResult | undefined)?.interfaces ?? []).map(({ name }) => name))
  for (const { name, sandbox } of request.conf.prevResult?.interfaces ?? [])
    if (sandbox === inside.netns && !names.has(name)) wrong.push(`interface ${name} of prevResult was not made by us`)
  await ipamCheck(callOf(request, env, signal))
  return wrong
}

/** Everything of this network that the runtime does not name; goes on past what fails. */
export function gcExternal(request: CniRequest, env: AgentEnv, signal: AbortSignal): Promise<readonly string[]> {
  const valid = new Set((request.conf['cni.dev/valid-attachments'] ?? []).map(sandboxKey))
  return removeWhere((each) => each.external.network === request.conf.name && !valid.has(sandboxKey(each)), request, env, signal)
}

/** Of sandboxes that are gone as a whole, whoever forgot to say so. */
export const removeOfSandboxes = (
  isGone: (containerID: string) => boolean,
  request: CniRequest,
  env: AgentEnv,
  signal: AbortSignal,
): Promise<readonly string[]> => removeWhere(({ containerID }) => isGone(containerID), request, env, signal)

async function removeWhere(
  isGone: (wired: ReturnType<AgentEnv['ledger']['external']>[number]) => boolean,
  request: CniRequest,
  env: AgentEnv,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const wrong: string[] = []
  for (const wired of env.ledger.external().filter(isGone))
    await removeExternal(wired, request, env, signal).catch((err: unknown) => wrong.push(messageOf(err)))
  return wrong
}

/** @throws AgentNotReady, ExternalRefused, NoUplink where an ADD would fail */
export function statusExternal(request: CniRequest, env: AgentEnv): void {
  needUplink(confOf(request), env)
  if (env.loop.problem !== undefined) throw new AgentNotReady({ reason: env.loop.problem })
}
