// What the container runtime is answered: by verbs, in turns, once the agent is ready.
import { MegrezError, messageOf } from '../../core/errors.ts'
import {
  answerText,
  cniCodes,
  isCniError,
  readRequest,
  splitRequest,
  versionResult,
  type CniCommand,
  type CniError,
  type CniRequest,
} from '../../core/wire/cni/cni.ts'
import { explainVariable } from '../../core/node/explained.ts'
import { isExternal } from '../../core/node/external-conf.ts'
import { limited } from '../../platform/clock.ts'
import type { AgentEnv } from '../agent-env.ts'
import { explainPort } from '../inquiries/explain.ts'
import { checkExternal, delExternal, gcExternal, statusExternal } from '../external/verbs.ts'
import { addExternal } from '../external/wiring.ts'
import type { CniReply } from '../machine/machine.ts'
import { add, type Timing } from './add.ts'
import type { Readiness } from './readiness.ts'
import { KeyedLock } from '../../platform/order/keyed-lock.ts'
import { check, del, gc, status } from './verbs.ts'

/** Own codes begin at 100 (section 5). */
const checkFailed = 103
const gcFailed = 104

/** A person waits for the answer. */
const explainMs = 20_000

/** What a call is given that has waited for its turn until its time was over: one that takes a pod away may be the last. */
const leastMs = 1_000

/** How long a call waits for an agent that is starting. */
const patienceMs: Readonly<Record<CniCommand, number>> = { ADD: 60_000, DEL: 60_000, CHECK: 10_000, GC: 10_000, STATUS: 0, VERSION: 0 }

/** A pod's ADD may wait for a delegate that comes back to us for an interface in VLANs: those have a way in of their own. */
interface Turnstiles {
  readonly pods: KeyedLock
  readonly external: KeyedLock
}

/** A call that comes before the agent is ready waits for it, and is told to try again where that takes too long. */
export function answering(readiness: Readiness): CniReply {
  const { cniConcurrency } = readiness.env.config
  const turnstiles = { pods: new KeyedLock(cniConcurrency), external: new KeyedLock(cniConcurrency) }
  return (frame) => answerTo(frame, readiness, turnstiles)
}

async function answerTo(bytes: Uint8Array, readiness: Readiness, turnstiles: Turnstiles): Promise<string> {
  const split = splitRequest(bytes)
  if (isCniError(split)) return answerText('1.0.0', split)
  const explained = split.env[explainVariable]
  if (explained !== undefined)
    return JSON.stringify(
      await limited(explainMs, readiness.env.clock, (signal) => explainPort(explained, readiness.env, signal)).catch(cniErrorOf),
    )
  const request = readRequest(split.env, split.stdin)
  if (isCniError(request)) return answerText(versionSaid(split.stdin), request)
  const version = request.conf.cniVersion
  const endAt = readiness.env.clock.elapsed() + readiness.env.config.cniBudgetMs
  if (request.command === 'VERSION') return answerText(version, versionResult(version))
  const ready = await readiness.within(patienceMs[request.command])
  if (!ready)
    return answerText(version, {
      code: request.command === 'STATUS' ? cniCodes.notAvailable : cniCodes.tryAgain,
      msg: 'the agent is still starting',
    })
  return answerText(version, await timed(request, { env: readiness.env, turnstiles, endAt }))
}

/** @param endAt when whoever asked must have its answer, on the agent's clock */
async function timed(
  request: CniRequest,
  { env, turnstiles, endAt }: { readonly env: AgentEnv; readonly turnstiles: Turnstiles; readonly endAt: number },
): Promise<object | undefined> {
  const began = env.clock.elapsed()
  const timing: Timing = { delegateMs: 0 }
  const { command, containerID, ifname, args } = request
  const kind = isExternal(request.conf) ? 'external' : 'pods'
  const run = (): Promise<object | undefined> =>
    limited(Math.max(leastMs, endAt - env.clock.elapsed()), env.clock, (signal) =>
      answered(verbsOf[kind], request, { env, signal, timing }),
    )
  // Whoever asks how we are is told so while all that is under way hangs.
  const answer = await (command === 'STATUS' ? run() : turnstiles[kind].pass(containerID, run)).catch((err: unknown) => cniErrorOf(err))
  const ms = env.clock.elapsed() - began
  const code = answer !== undefined && isCniError(answer) ? answer.code : 0
  env.meter.cni(command, code, (ms - timing.delegateMs) / 1000)
  const result = {
    command,
    containerID,
    ifname,
    pod: args['K8S_POD_NAME'],
    ms: Math.round(ms),
    delegateMs: Math.round(timing.delegateMs),
    code,
  }
  if (code === 0) env.log.info(result, 'a CNI call was answered')
  else env.log.warn({ ...result, reason: (answer as CniError).msg }, 'a CNI call failed')
  return answer
}

/** What calls are answered by: those of a pod as a whole, or those of one of its interfaces in VLANs. */
interface Verbs {
  add(request: CniRequest, env: AgentEnv, signal: AbortSignal, timing: Timing): Promise<object>
  del(request: CniRequest, env: AgentEnv, signal: AbortSignal): Promise<void>
  /** In sentences, what is wrong. */
  check(request: CniRequest, env: AgentEnv, signal: AbortSignal): Promise<readonly string[]>
  gc(request: CniRequest, env: AgentEnv, signal: AbortSignal): Promise<readonly string[]>
  status(request: CniRequest, env: AgentEnv, signal: AbortSignal): void | Promise<void>
}
const verbsOf: Readonly<Record<keyof Turnstiles, Verbs>> = {
  pods: { add, del, check, gc, status },
  external: { add: addExternal, del: delExternal, check: checkExternal, gc: gcExternal, status: statusExternal },
}

async function answered(
  verbs: Verbs,
  request: CniRequest,
  { env, signal, timing }: { env: AgentEnv; signal: AbortSignal; timing: Timing },
): Promise<object | undefined> {
  switch (request.command) {
    case 'ADD':
      return verbs.add(request, env, signal, timing)
    case 'DEL':
      return void (await verbs.del(request, env, signal))
    case 'CHECK':
      return listed(checkFailed, await verbs.check(request, env, signal))
    case 'GC':
      return listed(gcFailed, await verbs.gc(request, env, signal))
    case 'STATUS':
      return void (await verbs.status(request, env, signal))
    case 'VERSION':
      return versionResult(request.conf.cniVersion)
  }
}

const listed = (code: number, wrong: readonly string[]): CniError | undefined =>
  wrong.length === 0 ? undefined : { code, msg: wrong[0]!, details: wrong.slice(1).join('; ') }

function cniErrorOf(err: unknown): CniError {
  if (err instanceof MegrezError)
    return {
      code: err.policy.cni ?? (err.policy.retry === 'never' ? cniCodes.invalidConf : cniCodes.tryAgain),
      msg: err.message,
      ...(err.at !== undefined && { details: err.at }),
    }
  if (err instanceof Error && (err.name === 'TimeoutError' || err.name === 'AbortError'))
    return { code: cniCodes.tryAgain, msg: 'it took too long' }
  return { code: cniCodes.io, msg: messageOf(err) }
}

/** The answer to a configuration that cannot be taken is in its own version, where it says one. */
function versionSaid(stdin: string): string {
  return /"cniVersion"\s*:\s*"([\d.]{5,12})"/.exec(stdin)?.[1] ?? '1.0.0'
}
