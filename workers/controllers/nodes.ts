// Nodes: what to do for the Ports of one that will not unwire them itself.
import type { Write } from '../../core/contracts/store.ts'
import { wiredFinalizer } from '../../core/kinds/annotations.ts'
import { refFromKey, refOf } from '../../core/kinds/index.ts'
import { planNode, type NodeAction, type NodeDesired } from '../../core/plan/node.ts'
import type { Plan } from '../../core/plan/plan.ts'
import { objects } from '../drivers/objects.ts'
import type { Env } from '../env.ts'
import type { Controller } from '../reconcile.ts'

export function nodes(env: Env): Controller<NodeDesired, undefined, undefined, NodeAction, Plan<NodeAction>> {
  const writesOf = ({ port }: NodeAction): readonly Write[] => [{ do: 'removeFinalizer', ref: refOf(port), uid: port.metadata.uid, finalizer: wiredFinalizer }]
  const driver = objects<undefined, undefined, NodeAction>(env.store, 'objects', { observe: () => undefined, writesOf })
  return {
    name: 'node',
    async gather(key) {
      const ports = [...env.caches.Port.by('node', key)]
      if (ports.length === 0) return undefined
      const ref = refFromKey('Node', key)
      return { ref, ports, node: env.caches.Node.get(key) ?? (await env.store.get(ref)) }
    },
    driver: () => driver,
    scope: () => undefined,
    plan: planNode,
    report: () => [],
  }
}
