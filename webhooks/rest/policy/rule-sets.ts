// What policies of a VNI have been compiled to. Read as we see it: no tenant may read these kinds, and what is answered of them is about
// Ports that the caller may read.
import type { Store } from '../../../core/contracts/store.ts'
import type { Resource } from '../../../core/kinds/index.ts'
import { everyOf } from './network.ts'

/** @param at the namespace of the Vpc that has the VNI */
export function compiledFor<K extends 'PolicyRuleSet' | 'PolicyIdentity'>(
  store: Store,
  kind: K,
  at: { readonly namespace: string; readonly vni: number },
): Promise<readonly Resource<K>[]> {
  return everyOf(store, kind, { namespace: at.namespace, fields: { '.spec.vni': String(at.vni) } })
}
