// Objects for planners' tables, as they would be stored.
import type { Kind, Resource, SpecOf, StatusOf } from '../../core/kinds/index.ts'
import type { Meta } from '../../core/kinds/meta.ts'
import { apiVersion } from '../../core/kinds/meta.ts'
import type { Plan } from '../../core/plan/plan.ts'

export const t0 = Date.parse('2026-01-01T00:00:00Z')
export const at = (ms: number): string => new Date(t0 + ms).toISOString()
export const going: Partial<Meta> = { deletionTimestamp: at(0) }

export function thing<K extends Kind>(
  kind: K,
  name: string,
  spec: SpecOf<K>,
  { status, ...metadata }: Partial<Meta> & { status?: StatusOf<K> } = {},
): Resource<K> {
  const meta = { namespace: 'a', name, uid: `uid-${name}`, resourceVersion: '1', generation: 1, creationTimestamp: at(0), ...metadata }
  return { apiVersion, kind, metadata: meta, spec, ...(status && { status }) }
}

/** A plan as one line: phase, reason, and what is done. */
export const line = ({ phase, reason, steps }: Plan<{ readonly do: string }>): string =>
  [`${phase} ${reason}`, ...steps.map(({ action }) => action.do)].join(', ')
