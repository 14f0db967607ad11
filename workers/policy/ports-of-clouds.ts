// Ports that a policy selects and does not judge: what their cloud carries passes no table of ours.
import type { CommonPolicy } from '../../core/policy/one-form.ts'
import { isSelected } from '../../core/policy/member.ts'
import type { Env } from '../controller-env.ts'
import { memberIn } from './member-in.ts'

/** Ports that are looked at: of more a policy's status does not tell. */
const lookedAtMost = 1_000

/** A sentence for each, in order. */
export function unjudgedAtClouds(policy: CommonPolicy, env: Env): readonly string[] {
  const found: string[] = []
  let left = lookedAtMost
  for (const { metadata } of env.caches.Cloud.values())
    for (const port of env.caches.Port.by('cloud', metadata.name)) {
      if (left-- <= 0) return found.sort()
      const { name, namespace: its } = port.metadata
      if (isSelected(policy, memberIn(port, env)))
        found.push(`on Port ${its}/${name}: cloud ${metadata.name} carries what it sends and is sent, by its own rules`)
    }
  return found.sort()
}
