// What is done for a Port beside what its provider does, and what becomes of the addresses that were picked for it.
import type { Driver } from '../core/contracts/driver.ts'
import type { Write } from '../core/contracts/store.ts'
import type { PortScope, VpcProvider } from '../core/contracts/vpc-provider.ts'
import { wiredFinalizer } from '../core/kinds/annotations.ts'
import { refOf, type Resource } from '../core/kinds/index.ts'
import type { PortAction, PortObserved } from '../core/plan/builtin/port.ts'
import type { Env } from './env.ts'
import type { GatheredPort } from './gather-port.ts'

/** A provider, and beside it what is done to the Port object itself. */
export function portDriver(provider: VpcProvider, env: Env): Driver<PortScope, PortObserved, PortAction> {
  const writesOf = (action: PortAction): readonly Write[] | undefined => {
    if (action.do === 'guardNode')
      return [{ do: 'addFinalizer', ref: refOf(action.port), uid: action.port.metadata.uid, finalizer: wiredFinalizer }]
    if (action.do === 'leaveNode') return [{ do: 'update', item: { ...action.port, spec: withoutNode(action.port) } }]
    return provider.asWrites?.(action)
  }
  return {
    name: provider.name,
    observe: (scope, signal) => provider.observe(scope, signal),
    apply: (action, signal) =>
      action.do === 'guardNode' || action.do === 'leaveNode' ? env.store.commit(writesOf(action) ?? []) : provider.apply(action, signal),
    asWrites: writesOf,
  }
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
