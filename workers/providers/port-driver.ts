// What is done for a Port beside what its provider does, and what becomes of the addresses that were picked for it.
import type { Driver } from '../../core/contracts/driver.ts'
import type { Write } from '../../core/contracts/store.ts'
import type { HolderAction, PortScope, PortHolder } from '../../core/contracts/port-holder.ts'
import { takenAnnotation, wiredFinalizer } from '../../core/kinds/annotations.ts'
import { refOf, type Resource } from '../../core/kinds/index.ts'
import type { RoutedBlocksAction } from '../../core/plan/builtin/routed-blocks.ts'
import type { PolicyAction } from '../../core/plan/policy/port-policy.ts'
import type { NodeAction } from '../../core/plan/vpc/on-node.ts'
import type { PortAction, PortObserved } from '../../core/plan/builtin/port.ts'
import type { Env } from '../controller-env.ts'
import type { GatheredPort } from '../gather/port.ts'

/** Who holds what the Port has, and beside it what is done to the Port object itself. */
export function portDriver(holder: PortHolder, env: Env): Driver<PortScope, PortObserved, PortAction> {
  return {
    name: holder.name,
    observe: (scope, signal) => holder.observe(scope, signal),
    apply: (action, signal) => {
      const writes = writesBeside(action)
      return writes === undefined ? holder.apply(action as HolderAction, signal) : env.store.commit(writes)
    },
    // It is written by itself: of a commit that is tried a second time it would find its own trace.
    asWrites: (action) => (action.do === 'keepIdentity' ? undefined : (writesBeside(action) ?? holder.asWrites?.(action as HolderAction))),
  }
}

/** What is no matter of who holds its addresses. */
function writesBeside(action: PortAction): readonly Write[] | undefined {
  if (isNodeAction(action)) return nodeWrites(action)
  if (action.do === 'setRoutedBlocks') return routedBlocksWrites(action)
  if (action.do === 'makeIdentity' || action.do === 'keepIdentity') return identityWrites(action)
  return undefined
}

function routedBlocksWrites({ lock, routedBlocks }: RoutedBlocksAction): readonly Write[] {
  const { routedBlocks: _, ...rest } = lock.spec
  return [{ do: 'update', item: { ...lock, spec: routedBlocks.length === 0 ? rest : { ...rest, routedBlocks: [...routedBlocks] } } }]
}

/** One that may be about to be freed is changed: a worker that would free it does so only as it has read it. */
export function identityWrites(action: PolicyAction): readonly Write[] {
  if (action.do === 'makeIdentity') return [{ do: 'create', draft: action.draft }]
  const { metadata } = action.identity
  const annotations = { ...metadata.annotations, [takenAnnotation]: metadata.resourceVersion }
  return [{ do: 'update', item: { ...action.identity, metadata: { ...metadata, annotations } } }]
}

export const isNodeAction = (action: { readonly do: string }): action is NodeAction =>
  ['guardNode', 'leaveNode', 'moveToNode'].includes(action.do)

export function nodeWrites({ do: what, port }: NodeAction): readonly Write[] {
  if (what === 'guardNode') return [{ do: 'addFinalizer', ref: refOf(port), uid: port.metadata.uid, finalizer: wiredFinalizer }]
  return [{ do: 'update', item: { ...port, spec: what === 'leaveNode' ? withoutNode(port) : onItsNewNode(port) } }]
}

function onItsNewNode({ spec: { migratingTo, ...rest } }: Resource<'Port'>): Resource<'Port'>['spec'] {
  return migratingTo === undefined ? rest : { ...rest, node: migratingTo }
}

function withoutNode({ spec }: Resource<'Port'>): Resource<'Port'>['spec'] {
  const { node: _, podUID: __, ...rest } = spec
  return rest
}

/** Tells what became of the addresses picked in a pass, from its writes and how it ended. */
export function settlePicks(gathered: Pick<GatheredPort, 'picks'>, writes: readonly Write[], err: unknown): void {
  if (gathered.picks.size === 0) return
  const made = new Set(
    writes.flatMap((write) =>
      write.do === 'create' && write.draft.kind === 'IPLock' ? [(write.draft.spec as Resource<'IPLock'>['spec']).address] : [],
    ),
  )
  gathered.picks.settle((address) => (!made.has(address) ? 'back' : err === undefined ? 'used' : 'rival'))
}
