// For how long nothing has been wrong with a node's agent, its machine and its data plane.
import type { World } from '../happening.ts'

/** In virtual milliseconds; since when the data plane has been there is not asked. */
export function untroubledMs({ machines, site }: Pick<World, 'machines' | 'site'>, node: string): number {
  const { plane, up, severed, linksMs } = machines.of(node)
  if (!plane.up || !up || severed || linksMs > 0) return 0
  return site.processOf(`agent-${node}`)?.untroubledMs ?? 0
}
