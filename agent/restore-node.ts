// A node as it was before us: what an agent does last where nobody comes after it.
import { giveBackAdopted } from './links/ends.ts'
import { timeLimit, type Clock } from '../platform/clock.ts'
import type { AgentEnv } from './agent-env.ts'

/** Kubelet kills a pod of ours after 30 s; what hangs must not keep the rest from being done. */
const stepMs = 7_000

/**
 * The runtime calls the cluster's own CNI again; interfaces of Ports go, and all that is ours in the data plane: bridges, tunnels, flows.
 * The loop has stopped, or it would put all of it back. What fails is reported, and the rest is still done.
 */
export async function restoreNode({
  config,
  links,
  ledger,
  plane,
  machine,
  clock,
  log,
}: Pick<AgentEnv, 'config' | 'links' | 'ledger' | 'plane' | 'machine' | 'clock' | 'log'>): Promise<void> {
  const steps: Readonly<Record<string, () => Promise<unknown>>> = {
    "the runtime's configuration": () => machine.leave(config),
    'interfaces inside pods': async () => {
      for (const { port, inside } of ledger.wired()) {
        const { netns, macvlanOn, ifname } = inside
        if (macvlanOn !== undefined && netns !== undefined) await links.remove(port.ifcName, { netns, ifname })
        await giveBackAdopted(port, inside, links)
        if (port.socket !== undefined) await machine.dropSocket(port.socket)
      }
    },
    interfaces: async () => {
      for (const { ifcName } of await links.list()) await links.remove(ifcName)
    },
    'the data plane': async () => {
      const signal = timeLimit(stepMs, clock)
      const seen = await plane.observe(undefined, signal)
      await plane.apply({ drop: [...seen].map(([key, text]) => plane.itemOf(key, text)), put: [] }, signal)
    },
  }
  for (const [what, step] of Object.entries(steps))
    await inTime(step, clock).catch((err: unknown) => log.error({ err, what }, 'something of ours stays on this node'))
  log.info('this node is as it was before us')
}

async function inTime(step: () => Promise<unknown>, clock: Clock): Promise<void> {
  const late = Promise.withResolvers<never>()
  const cancel = clock.after(stepMs, () => late.reject(new Error(`not done after ${stepMs} ms`)), { keepsAlive: true })
  try {
    await Promise.race([step(), late.promise])
  } finally {
    cancel()
  }
}
