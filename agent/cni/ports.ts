// The Port that answers a Nic: looked for in this node's watch, else in the store, bound to this node where nobody has yet, and
// waited for until it can be wired.
import { PortNotReady, Stale } from '../../core/errors.ts'
import type { WantedNic } from '../../core/admit/world.ts'
import type { Resource } from '../../core/kinds/index.ts'
import { isWireable } from '../../core/plan/node-pieces.ts'
import type { AgentEnv } from '../env.ts'

type Port = Resource<'Port'>

/** Workers bind a Port, and the watch tells of it: only where they seem to be away is the store itself asked. Sooner, both would write. */
const askMs = 3_000
/** How often it is asked again. Each time is a list, and many pods may wait at once. */
const askAgainMs = 3_000

/**
 * @param signal the budget: when it falls, what is still missing is said
 * @throws PortNotReady
 */
export async function readyPort(nic: WantedNic, podUID: string, env: AgentEnv, signal: AbortSignal): Promise<Port> {
  // Most are ready: waiting is begun only where there is something to wait for.
  const ready = portIn(env.ports.by('podUID', podUID), nic)
  return ready !== undefined && isWireable(ready, env.node) ? ready : awaited(nic, podUID, env, signal)
}

async function awaited(nic: WantedNic, podUID: string, env: AgentEnv, signal: AbortSignal): Promise<Port> {
  let askAt = env.clock.now() + askMs
  for (;;) {
    const turned = nextTurn(env, signal, askAt - env.clock.now())
    const known = portIn(env.ports.by('podUID', podUID), nic)
    if (known !== undefined && isWireable(known, env.node)) return known
    if (env.clock.now() >= askAt) {
      askAt = env.clock.now() + askAgainMs
      if (known === undefined) await bind(nic, podUID, env)
    }
    await turned
    if (signal.aborted) throw new PortNotReady({ port: `of NIC ${nic.name}`, reason: known?.status?.message ?? 'nobody has made it yet' })
  }
}

/** A Nic that names a Port has it by its portID; any other by its own name. */
function portIn(ports: Iterable<Port>, nic: WantedNic): Port | undefined {
  return [...ports].find((port) => port.spec.claim?.nic === nic.name)
}

/** Workers bind a pod's Ports to its node; who comes first does. */
async function bind(nic: WantedNic, podUID: string, { store, node, log }: AgentEnv): Promise<void> {
  const { items } = await store.list('Port', { fields: { '.spec.podUID': podUID } })
  const port = portIn(items, nic)
  if (port === undefined || port.spec.node !== undefined) return
  try {
    await store.update({ ...port, spec: { ...port.spec, node } })
  } catch (problem) {
    if (!(problem instanceof Stale)) throw problem
    log.debug({ port: port.metadata.name }, 'a Port was bound by somebody else meanwhile')
  }
}

/** Resolves at the next turn of a Port here, when it is time to ask again, or when the signal falls. */
function nextTurn({ portTurns, clock }: AgentEnv, signal: AbortSignal, withinMs: number): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      cancel()
      forget()
      signal.removeEventListener('abort', done)
      resolve()
    }
    const cancel = clock.after(Math.max(0, withinMs), done)
    const forget = portTurns.once(done)
    signal.addEventListener('abort', done)
    if (signal.aborted) done()
  })
}
