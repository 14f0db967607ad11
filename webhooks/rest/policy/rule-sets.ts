// What policies of a VNI have been compiled to. Read as we see it: no tenant may read these kinds, and what is answered of them is about
// Ports that the caller may read.
import type { Store } from '../../../core/contracts/store.ts'
import type { Resource } from '../../../core/kinds/index.ts'

/** Of one list. */
const pageSize = 1_000

/** @param at the namespace of the Vpc that has the VNI */
export async function compiledFor<K extends 'PolicyRuleSet' | 'PolicyIdentity'>(
  store: Store,
  kind: K,
  at: { readonly namespace: string; readonly vni: number },
): Promise<readonly Resource<K>[]> {
  const within = { namespace: at.namespace, fields: { '.spec.vni': String(at.vni) } }
  const found: Resource<K>[] = []
  let place: { readonly continue?: string } = {}
  for (;;) {
    const page = await store.list(kind, { ...within, ...place, limit: pageSize })
    found.push(...page.items)
    if (page.continue === undefined) return found
    place = { continue: page.continue }
  }
}
