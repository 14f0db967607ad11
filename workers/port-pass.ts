// One Port, from what was gathered to the writes that serve it: used by its own pass, and by the pass of a pod that makes it.
import type { Driver } from '../core/contracts/driver.ts'
import type { Write } from '../core/contracts/store.ts'
import type { PortScope, VpcProvider } from '../core/contracts/vpc-provider.ts'
import { portFinalizer, wiredFinalizer } from '../core/kinds/annotations.ts'
import { refOf, type Resource } from '../core/kinds/index.ts'
import { planPort, type PortAction, type PortObserved } from '../core/plan/vpc/port.ts'
import type { Plan } from '../core/plan/plan.ts'
import { ended, reported } from '../core/plan/status.ts'
import { reporting, type Env } from './env.ts'
import { providerOf, type GatheredPort } from './gather-port.ts'

/** A provider, and beside it what is done to the Port object itself. */
export function portDriver(provider: VpcProvider, env: Env): Driver<PortScope, PortObserved, PortAction> {
  const writesOf = (action: PortAction): readonly Write[] | undefined => {
    if (action.do === 'guardNode') return [{ do: 'addFinalizer', ref: refOf(action.port), uid: action.port.metadata.uid, finalizer: wiredFinalizer }]
    if (action.do === 'leaveNode') return [{ do: 'update', item: { ...action.port, spec: withoutNode(action.port) } }]
    return provider.asWrites?.(action)
  }
  return {
    name: provider.name,
    observe: (scope, signal) => provider.observe(scope, signal),
    apply: (action, signal) => (action.do === 'guardNode' || action.do === 'leaveNode' ? env.store.commit(writesOf(action) ?? []) : provider.apply(action, signal)),
    asWrites: writesOf,
  }
}

function withoutNode({ spec }: Resource<'Port'>): Resource<'Port'>['spec'] {
  const { node: _, podUID: __, ...rest } = spec
  return rest
}

export function portReport({ port }: GatheredPort, plan: Plan<PortAction>, env: Env, now: number): readonly Write[] {
  if (plan.phase === 'deleted') return ended(port, [portFinalizer], reporting(env, now))
  return reported(port, plan, reporting(env, now)).writes
}

/**
 * What serves a Port that is not stored yet, and the Port as it will be.
 *
 * @returns undefined where its provider has to be asked outside the store: then the Port is made first and served in a pass of its own
 */
export function servedAtBirth(gathered: GatheredPort, env: Env): { readonly writes: readonly Write[]; readonly after: Resource<'Port'> } | undefined {
  const now = env.clock.now()
  const driver = portDriver(providerOf(gathered.vpc, env), env)
  const plan = planPort(gathered, { port: undefined }, now)
  const writes: Write[] = []
  for (const { action } of plan.steps) {
    const more = driver.asWrites?.(action)
    if (more === undefined) return undefined
    writes.push(...more)
  }
  const { writes: told, after } = reported(gathered.port, plan, reporting(env, now))
  return { writes: [...writes, ...told], after }
}

/** Tells what became of the addresses picked in a pass, from its writes and how it ended. */
export function settlePicks(gathered: Pick<GatheredPort, 'picks'>, writes: readonly Write[], err: unknown): void {
  if (gathered.picks.size === 0) return
  const made = new Set(writes.flatMap((write) => (write.do === 'create' && write.draft.kind === 'IPLock' ? [(write.draft.spec as Resource<'IPLock'>['spec']).address] : [])))
  gathered.picks.settle((address) => (!made.has(address) ? 'back' : err === undefined ? 'used' : 'rival'))
}
