// The Port that answers a Nic: looked for in this node's watch, and waited for until it can be wired. Workers make and bind Ports,
// an agent never does: where they are away the pod waits, and is told so.
import { isHotNic } from '../../core/admit/pod/hot-nics.ts'
import { portNameFor, whyNotPortOf } from '../../core/admit/pod/port-of-nic.ts'
import type { ResolvedNic } from '../../core/admit/network-view.ts'
import { messageOf, PortNotReady } from '../../core/errors.ts'
import type { Resource } from '../../core/kinds/index.ts'
import { isWireable } from '../../core/plan/node/pieces.ts'
import { limited } from '../../platform/clock.ts'
import type { AgentEnv } from '../agent-env.ts'
import type { ChosenNic } from '../ports/chosen-nics.ts'

type Port = Resource<'Port'>
type Pod = Resource<'Pod'>

/** A Nic, the pod that it is of, and the time there is: when it falls, what is still missing is said. */
export interface PortWait {
  readonly nic: ResolvedNic
  readonly pod: Pod
  readonly signal: AbortSignal
}

/**
 * When the store itself is asked about a Port that the watch does not tell of, each time after twice as long: for the words alone, and many
 * pods may wait at once.
 */
const [askMs, askMostMs] = [1_000, 16_000]

export interface ReadyNic {
  readonly nic: ResolvedNic
  readonly port: Port
}

/** NICs that come and go hold up no sandbox: what is not ready so soon after the others is wired when it is. */
const hotMs = 2_000

/**
 * @returns in their order; without those that come and go and are not ready
 * @throws PortNotReady, NicsRefused
 */
export async function readyPorts(
  chosen: readonly ChosenNic[],
  { pod, signal }: Pick<PortWait, 'pod' | 'signal'>,
  env: AgentEnv,
): Promise<readonly ReadyNic[]> {
  const wait = async ({ nic, check }: ChosenNic, until: AbortSignal): Promise<ReadyNic> => {
    const port = await readyPort({ nic, pod, signal: until }, env)
    check(port)
    return { nic, port }
  }
  const { hot = [], own = [] } = Object.groupBy(chosen, ({ nic }) => (isHotNic(pod, nic.name) ? 'hot' : 'own'))
  const ready = await Promise.all(own.map((each) => wait(each, signal)))
  const came = await limited(hotMs, env.clock, (late) =>
    Promise.all(hot.map((each) => wait(each, AbortSignal.any([signal, late])).catch(unlessNotReady))),
  )
  const all = [...ready, ...came.filter((each) => each !== undefined)]
  return all.sort((a, b) => placeOf(a, chosen) - placeOf(b, chosen))
}

/** That it is another Port than the runtime names is refused here too. */
function unlessNotReady(err: unknown): undefined {
  if (!(err instanceof PortNotReady)) throw err
}

const placeOf = ({ nic }: ReadyNic, chosen: readonly ChosenNic[]): number => chosen.findIndex((each) => each.nic === nic)

/** @throws PortNotReady */
async function readyPort(waiting: PortWait, env: AgentEnv): Promise<Port> {
  // Most are ready: waiting is begun only where there is something to wait for.
  const ready = portHere(waiting, env)
  return ready !== undefined && isWireable(ready, env.node) ? ready : awaited(waiting, env)
}

async function awaited(waiting: PortWait, env: AgentEnv): Promise<Port> {
  const { nic, signal } = waiting
  let waitMs = askMs
  let askAt = env.clock.elapsed() + waitMs
  let missing = 'nobody has made it yet'
  for (;;) {
    const turned = nextChange(env, signal, askAt - env.clock.elapsed())
    const known = portHere(waiting, env)
    if (known !== undefined && isWireable(known, env.node)) return known
    if (env.clock.elapsed() >= askAt) {
      waitMs = Math.min(2 * waitMs, askMostMs)
      askAt = env.clock.elapsed() + waitMs
      if (known === undefined) [missing] = await Promise.all([whyMissing(waiting, env), turned])
    }
    await turned
    if (signal.aborted) throw new PortNotReady({ port: `of NIC ${nic.name}`, reason: known?.status?.message ?? missing })
  }
}

/** Only Ports that are on this node are watched. */
function portHere({ nic, pod }: PortWait, { ports }: AgentEnv): Port | undefined {
  const port = ports.get(`${pod.metadata.namespace ?? ''}/${portNameFor(nic, pod)}`)
  return port !== undefined && whyNotPortOf(port, nic, pod) === undefined ? port : undefined
}

/** What its maker has left undone, as the store itself has it. */
async function whyMissing({ nic, pod }: PortWait, { store, node }: AgentEnv): Promise<string> {
  const name = portNameFor(nic, pod)
  try {
    const port = await store.get({ kind: 'Port', namespace: pod.metadata.namespace ?? '', name })
    if (port === undefined) return `Port ${name} is not made yet, which workers do: perhaps none runs`
    const why = whyNotPortOf(port, nic, pod)
    if (why !== undefined) return `Port ${name}: ${why}`
    return port.spec.node === node
      ? `Port ${name} is not told of yet`
      : `Port ${name} is not bound to this node yet, which workers do: perhaps none runs`
  } catch (err) {
    return messageOf(err)
  }
}

/** Resolves at the next change event of a Port of this node, when it is time to ask again, or when the signal is aborted. */
function nextChange({ portChanges, clock }: AgentEnv, signal: AbortSignal, withinMs: number): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      cancel()
      forget()
      signal.removeEventListener('abort', done)
      resolve()
    }
    const cancel = clock.after(Math.max(0, withinMs), done)
    const forget = portChanges.once(done)
    signal.addEventListener('abort', done)
    if (signal.aborted) done()
  })
}
