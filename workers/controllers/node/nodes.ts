// Nodes: what to do for the Ports of one that will not unwire them itself.
import type { Write } from '../../../core/contracts/store.ts'
import { wiredFinalizer } from '../../../core/kinds/annotations.ts'
import { refFromKey, refOf, type Resource } from '../../../core/kinds/index.ts'
import { isEvicted } from '../../../core/plan/vpc/eviction.ts'
import { fencedStatus } from '../../../core/plan/fence.ts'
import { planNode, type NodeAction, type NodeDesired } from '../../../core/plan/node/node.ts'
import type { Plan } from '../../../core/plan/plan.ts'
import { isWired, onNode } from '../../../core/plan/vpc/on-node.ts'
import { objects } from '../../drivers/store-objects.ts'
import type { Env } from '../../controller-env.ts'
import { row, type Row } from '../../loop/controller-row.ts'
import type { Controller } from '../../loop/controller.ts'
import { appears, both, either, goes, isGoing, latest, part, specChanges, when } from '../../watch/predicates.ts'
import { itself, named } from '../../watch/map-to-keys.ts'

function writesOf({ port }: NodeAction): readonly Write[] {
  const { uid, resourceVersion, deletionTimestamp } = port.metadata
  const ref = refOf(port)
  const unguarded: Write = { do: 'removeFinalizer', ref, uid, finalizer: wiredFinalizer, resourceVersion }
  // One that stays: its node will not say so itself.
  const stays = deletionTimestamp === undefined && port.status?.node?.wired === true
  return stays ? [unguarded, fencedStatus(port, { node: { node: { wired: false } } })] : [unguarded]
}

type Port = Resource<'Port'>
const nodeOf = ({ spec: { node } }: Port): readonly string[] => (node === undefined ? [] : [node])
/** Its node may be known to be gone already when the second proof comes. */
const isToBeUnwired = when<'Port'>(
  'is to be unwired',
  (event) => isWired(latest(event)) && (isGoing(event.after) || !onNode(latest(event))),
)
/** It has been told to leave its Vpc. */
const isAskedToLeave = when<'Port'>(
  'is told to leave while it is wired',
  ({ before, after }) => after !== undefined && isEvicted(after) && isWired(after) && (before === undefined || !isEvicted(before)),
)

export const nodes: Row<'Node'> = row(
  'Node',
  (on) => [
    on('Node', {
      when: either(
        appears,
        goes,
        part<'Node'>('spec.taints', (node) => node?.spec.taints),
      ),
      keys: itself,
    }),
    on('Port', { when: both(specChanges, isToBeUnwired), keys: named('Node', 'its node', nodeOf) }),
    on('Port', { when: isAskedToLeave, keys: named('Node', 'its node', nodeOf) }),
  ],
  open,
)

function open(env: Env): Controller<NodeDesired, undefined, undefined, NodeAction, Plan<NodeAction>> {
  const driver = objects<undefined, undefined, NodeAction>(env.store, 'objects', { observe: () => undefined, writesOf })
  return {
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
  }
}
