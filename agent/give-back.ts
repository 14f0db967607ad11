// A node as it was before us: what an agent does last where nobody comes after it.
import { leave } from './cni/leave.ts'
import type { AgentEnv } from './env.ts'

/** Kubelet kills a pod of ours after 30 s; what hangs must not keep the rest from being done. */
const stepMs = 7_000

/**
 * The runtime calls the cluster's own CNI again; interfaces of Ports go, and all that is ours in the data plane: bridges, tunnels, flows.
 * The loop has stopped, or it would put all of it back. What fails is told, and the rest is done all the same.
 */
export async function giveBack({ config, links, ledger, plane, log }: Pick<AgentEnv, 'config' | 'links' | 'ledger' | 'plane' | 'log'>): Promise<void> {
  const steps: Readonly<Record<string, () => Promise<unknown>>> = {
    'the runtime\'s configuration': () => leave(config),
    'interfaces inside pods': async () => {
      for (const { port: { ifcName }, inside: { netns, macvlanOn, ifname } } of ledger.wired()) if (macvlanOn !== undefined && netns !== undefined) await links.remove(ifcName, { netns, ifname })
    },
    interfaces: async () => {
      for (const { ifcName } of await links.list()) await links.remove(ifcName)
    },
    'the data plane': async () => {
      const signal = AbortSignal.timeout(stepMs)
      const seen = await plane.observe(undefined, signal)
      await plane.apply({ drop: [...seen].map(([key, text]) => plane.itemOf(key, text)), put: [] }, signal)
    },
  }
  for (const [what, step] of Object.entries(steps)) await inTime(step).catch((err: unknown) => log.error({ err, what }, 'something of ours stays on this node'))
  log.info('this node is as it was before us')
}

async function inTime(step: () => Promise<unknown>): Promise<void> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(`not done after ${stepMs} ms`)), stepMs)
  try {
    await Promise.race([step(), late.promise])
  } finally {
    clearTimeout(timer)
  }
}
