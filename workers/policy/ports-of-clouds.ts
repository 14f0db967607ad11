// Ports that a policy selects and does not judge: what their cloud carries passes no table of ours.
import type { Resource } from '../../core/kinds/index.ts'
import type { CommonPolicy } from '../../core/policy/one-form.ts'
import { holds } from '../../core/policy/label-selector.ts'
import type { Env } from '../controller-env.ts'
import { memberIn } from './member-in.ts'

/** Ports that are looked at: of more a policy's status does not tell. */
const lookedAtMost = 1_000

/** A sentence for each, in order. */
export function unjudgedAtClouds({ subjects }: CommonPolicy, env: Env): readonly string[] {
  const { namespace, namespaceLabels = [], labels = [] } = subjects
  const isSelected = (port: Resource<'Port'>): boolean => {
    const member = memberIn(port, env)
    return holds(labels, member.labels) && (namespaceLabels.length === 0 || holds(namespaceLabels, member.namespaceLabels))
  }
  const found: string[] = []
  let left = lookedAtMost
  for (const { metadata } of env.caches.Cloud.values())
    for (const port of env.caches.Port.by('cloud', metadata.name)) {
      if (left-- <= 0) return found.sort()
      const { name, namespace: its } = port.metadata
      if ((namespace === undefined || namespace === its) && isSelected(port))
        found.push(`on Port ${its}/${name}: cloud ${metadata.name} carries what it sends and is sent, by its own rules`)
    }
  return found.sort()
}
