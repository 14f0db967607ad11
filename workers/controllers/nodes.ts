// Nodes: what to do for the Ports of one that will not unwire them itself.
import type { Write } from '../../core/contracts/store.ts'
import { wiredFinalizer } from '../../core/kinds/annotations.ts'
import { refFromKey, refOf } from '../../core/kinds/index.ts'
import { fencedStatus } from '../../core/plan/fence.ts'
import { planNode, type NodeAction, type NodeDesired } from '../../core/plan/node.ts'
import type { Plan } from '../../core/plan/plan.ts'
import { objects } from '../drivers/objects.ts'
import type { Env } from '../env.ts'
import type { Controller } from '../reconcile.ts'

function writesOf({ port }: NodeAction): readonly Write[] {
  const { uid, resourceVersion, deletionTimestamp } = port.metadata
  const ref = refOf(port)
  const unguarded: Write = { do: 'removeFinalizer', ref, uid, finalizer: wiredFinalizer, resourceVersion }
  // One that stays: its node will not say so itself.
  const stays = deletionTimestamp === undefined && port.status?.node?.wired === true
  return stays ? [unguarded, fencedStatus(port, { node: { node: { wired: false } } })] : [unguarded]
}

export function nodes(env: Env): Controller<NodeDesired, undefined, undefined, NodeAction, Plan<NodeAction>> {
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
    item: () => undefined,
    basis: ({ ref, ports }) => [ref, ...ports],
    plan: planNode,
    report: () => [],
  }
}
