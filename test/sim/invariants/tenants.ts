// No tenant writes in a namespace of others, nor gets somebody else to.
import { requestedByAnnotation } from '../../../core/kinds/annotations.ts'
import { keyOfItem, type Resource } from '../../../core/kinds/index.ts'
import type { Site } from '../site.ts'
import type { Invariant } from '../invariant.ts'

export const tenants: Invariant = {
  name: 'tenants',
  begin({ site, outside }, fail) {
    return {
      landed({ kind, before, after, by }) {
        const tenant = tenantIn(by.startsWith('webhooks-') ? after?.metadata.annotations?.[requestedByAnnotation] : by)
        const item = after ?? before
        if (tenant !== undefined && item !== undefined && item.metadata.namespace !== tenant)
          fail(`the owner of ${tenant} wrote ${kind} ${keyOfItem(item)}`)
      },
      atRest() {
        for (const what of outside.trespasses) fail(`somebody may who must not: ${what}`)
        for (const port of site.truth.values('Port')) {
          const pod = podOf(port, site)
          if (pod !== undefined && isElsewhere(port, pod))
            fail(`Port ${keyOfItem(port)} is wired on ${port.spec.node}, and its pod is on ${pod.spec.nodeName}`)
        }
      },
    }
  },
}

const tenantIn = (who: string | undefined): string | undefined => /^(?:operator|provider):(.+)$/.exec(who ?? '')?.[1]

/** Whose it is, where that is settled. */
function podOf({ spec: { claim }, metadata }: Resource<'Port'>, { truth }: Site): Resource<'Pod'> | undefined {
  if (claim === undefined || claim.until !== undefined) return undefined
  const pod = truth.at('Pod', `${metadata.namespace ?? ''}/${claim.pod}`)
  return pod?.metadata.uid === claim.podUID ? pod : undefined
}

const isElsewhere = ({ spec, status }: Resource<'Port'>, pod: Resource<'Pod'>): boolean =>
  status?.node?.wired === true && spec.node !== undefined && spec.node !== pod.spec.nodeName
