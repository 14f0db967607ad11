// ADD: what the delegate makes, and beside it each Nic's Port. What was begun and not finished is undone before the answer.
import { MultusAway, NoDelegate, PortNotReady } from '../../core/errors.ts'
import type { ResolvedNic } from '../../core/admit/network-view.ts'
import { hotNicsAnnotation, networksAnnotation } from '../../core/kinds/annotations.ts'
import { keyOf, type Resource } from '../../core/kinds/index.ts'
import { isLeaving } from '../../core/plan/node/pieces.ts'
import type { CniRequest, CniResult } from '../../core/wire/cni/cni.ts'
import { limited } from '../../platform/clock.ts'
import type { AgentEnv } from '../agent-env.ts'
import { portOf } from '../ports/node-status.ts'
import { wireLateComers } from '../ports/ports.ts'
import { unwire, wire, type WiredInterface } from '../ports/wiring.ts'
import { chosenNics } from '../ports/chosen-nics.ts'
import { delegateAdd, delegateDel, type DelegateCall } from './delegate.ts'
import { nicsOf, podNamed } from './pods.ts'
import { readyPorts } from './ports.ts'
import { remember, type DelegateResult } from './result.ts'

/** Time spent in the delegate is told apart from ours. */
export interface Timing {
  delegateMs: number
}

export async function add(request: CniRequest, env: AgentEnv, signal: AbortSignal, timing: Timing): Promise<CniResult> {
  // Asked twice, it is answered twice alike: the interfaces are there.
  const known = env.ledger.sandbox(request.containerID, request.ifname)
  if (known?.result !== undefined && known.netns === request.netns) return known.result
  const named = podNamed(request.args)
  const { clusterNic, nics, pod } = await nicsOf(named, env, signal)
  const chosen = chosenNics(nics, pod, request)
  await needMultus(pod, request, env)
  const made: WiredInterface[] = []
  let delegate: DelegateResult | undefined
  try {
    // The Ports are waited for and the delegate works at the same time; ours are wired when its interface is there.
    const wanted = pod === undefined ? Promise.resolve([]) : readyPorts(chosen, { pod, signal }, env)
    wanted.catch(() => undefined)
    if (usesDelegate(clusterNic, request)) delegate = await timed(timing, env, () => addByDelegate(request, env, signal))
    const ports = await wanted
    const all = await Promise.allSettled(ports.map(({ nic, port }) => wireNic(nic, port, { request, nics, clusterNic, pod, signal }, env)))
    for (const each of all) if (each.status === 'fulfilled') made.push(each.value)
    const failed = all.find((each) => each.status === 'rejected')
    if (failed !== undefined) throw failed.reason
    const result = await remember({ request, delegate, made, pod }, env)
    wireWhatCame(pod, env)
    return result
  } catch (err) {
    await undo(request, made, delegate, env)
    throw err
  }
}

/** What it was given meanwhile is wired into the sandbox that is there now. */
function wireWhatCame(pod: Resource<'Pod'> | undefined, env: AgentEnv): void {
  const now = pod && env.pods.get(keyOf({ namespace: '', ...pod.metadata }))
  if (now?.metadata.uid === pod?.metadata.uid && now?.metadata.annotations?.[hotNicsAnnotation] !== undefined) wireLateComers(now, env)
}

/** What it asks of Multus is not lost without a word where the runtime has called us past it. @throws MultusAway */
async function needMultus(pod: Resource<'Pod'> | undefined, { conf }: CniRequest, { machine, config }: AgentEnv): Promise<void> {
  const requested = pod?.metadata.annotations?.[networksAnnotation]?.trim() ?? ''
  if (requested === '' || requested === '[]' || conf.prevResult !== undefined) return
  const plugin = await machine.multusAway(config)
  if (plugin !== undefined) throw new MultusAway({ plugin, folder: config.cniConf })
}

/** Not after another plugin in a chain: that has made the cluster's NIC. */
const usesDelegate = (clusterNic: Sandboxed['clusterNic'], { conf }: CniRequest): boolean =>
  clusterNic === 'delegate' && conf.prevResult === undefined

async function addByDelegate(request: CniRequest, env: AgentEnv, signal: AbortSignal): Promise<DelegateResult> {
  const conf = await env.machine.delegateConf(env.config.cniDelegate)
  if (conf === undefined) throw new NoDelegate({ folder: env.config.cniDelegate })
  const call: DelegateCall = { conf, request, bin: env.config.cniBin, signal, machine: env.machine }
  try {
    return { conf, result: await delegateAdd(call) }
  } catch (err) {
    // Section 2.2 of the specification: a plugin that delegates cleans up after a delegate that failed.
    await delegateDel(call, undefined).catch((err: unknown) => env.log.warn({ err }, 'what a failed delegate began was not undone'))
    throw err
  }
}

async function timed<T>(timing: Timing, env: AgentEnv, run: () => Promise<T>): Promise<T> {
  const began = env.clock.elapsed()
  try {
    return await run()
  } finally {
    timing.delegateMs += env.clock.elapsed() - began
    env.meter.delegate('ADD', timing.delegateMs / 1000)
  }
}

interface Sandboxed {
  readonly request: CniRequest
  readonly nics: readonly ResolvedNic[]
  readonly clusterNic: 'delegate' | 'none'
  readonly pod: Resource<'Pod'> | undefined
  readonly signal: AbortSignal
}

async function wireNic(
  nic: ResolvedNic,
  port: Resource<'Port'>,
  { request, nics, clusterNic, pod, signal }: Sandboxed,
  env: AgentEnv,
): Promise<WiredInterface> {
  mustBeHere(port, env)
  // Without the cluster's NIC the first is the way out, unless another says that it is.
  const first = clusterNic === 'none' && request.conf.prevResult === undefined && nic === nics[0] && !nics.some((each) => each.defaultRoute)
  const { namespace = '', name = '', uid = '' } = pod?.metadata ?? {}
  return wire(
    port,
    {
      containerID: request.containerID,
      netns: request.netns,
      ifname: nic.interfaceName,
      pod: { namespace, name, uid },
      mtu: nic.mtu,
      type: nic.type,
      defaultRoute: nic.defaultRoute || first,
    },
    env,
    signal,
  )
}

/** It was ready when it was found: other Ports of the pod were waited for since. @throws PortNotReady */
function mustBeHere({ metadata: { uid, name } }: Resource<'Port'>, env: AgentEnv): void {
  const now = portOf(uid, env)
  if (now === undefined || isLeaving(now, env.node)) throw new PortNotReady({ port: name, reason: 'it is to leave this node' })
}

async function undo(
  request: CniRequest,
  made: readonly WiredInterface[],
  delegate: DelegateResult | undefined,
  env: AgentEnv,
): Promise<void> {
  for (const { wired } of made)
    await unwire(wired, env).catch((err: unknown) => env.log.warn({ err }, 'an interface of a failed ADD was not undone'))
  // What was half-way: its interface may be there although nobody answered for it.
  for (const wired of env.ledger.wiredIn(request.containerID))
    await unwire(wired, env).catch((err: unknown) => env.log.warn({ err }, 'an interface of a failed ADD was not undone'))
  await env.ledger.dropSandbox(request).catch((err: unknown) => env.log.error({ err }, 'the ledger does not take a line'))
  if (delegate === undefined) return
  const call: Omit<DelegateCall, 'signal'> = { conf: delegate.conf, request, bin: env.config.cniBin, machine: env.machine }
  await limited(10_000, env.clock, (signal) => delegateDel({ ...call, signal }, delegate.result)).catch((err: unknown) =>
    env.log.warn({ err }, 'the delegate did not undo what it made for a failed ADD'),
  )
}
