// What workers have compiled, of one VNI or VLAN.
import type { Resource } from '../../../core/kinds/index.ts'
import type { RuleSet } from '../../../core/node/wanted.ts'
import { everyOf } from '../across/gather.ts'
import type { RestDeps } from '../deps.ts'

interface CompiledAt {
  /** Of what holds the VNI or the VLAN. */
  readonly namespace: string
  readonly vni: number
}

/** Our own account reads: no tenant may read these kinds, and what is answered of them is about what the caller may read. */
export const compiledIn = <K extends 'PolicyRuleSet' | 'PolicyIdentity'>(
  deps: RestDeps,
  kind: K,
  { namespace, vni }: CompiledAt,
): Promise<readonly Resource<K>[]> => everyOf(deps, undefined, kind, { namespace, fields: { '.spec.vni': String(vni) } })

export const ruleSetsIn = async (deps: RestDeps, at: CompiledAt): Promise<readonly RuleSet[]> =>
  (await compiledIn(deps, 'PolicyRuleSet', at)).map(({ metadata, spec }) => ({ ...spec, namespace: metadata.namespace! }))
