// L2BridgeDomains: their VLAN on the switches.
import type { Driver } from '../../../core/contracts/driver.ts'
import { takesAway } from '../../../core/contracts/fabric-driver.ts'
import type { Write } from '../../../core/contracts/store.ts'
import type { Resource } from '../../../core/kinds/index.ts'
import { planDomain, wantedOn, type DomainAction, type DomainDesired, type ObservedFabric } from '../../../core/plan/l2/fabric.ts'
import { fencedStatus } from '../../../core/plan/fence.ts'
import { refused, type Plan } from '../../../core/plan/plan.ts'
import type { Env } from '../../controller-env.ts'
import { row, type Row } from '../../loop/controller-row.ts'
import type { Controller } from '../../loop/controller.ts'
import { part, specChanges } from '../../watch/predicates.ts'
import { by, every, itself } from '../../watch/map-to-keys.ts'

/** By which it is known which switch ports a ConnectionPoint is. */
const topologyKinds = ['ConnectionPoint', 'NodePool', 'Fabric', 'Node'] as const

export const l2Domains: Row<'L2BridgeDomain'> = row(
  'L2BridgeDomain',
  (on) => [
    on('L2BridgeDomain', { when: specChanges, keys: itself }),
    on('ConnectionPoint', { when: specChanges, keys: by('L2BridgeDomain', 'connectionPoint', ({ metadata }) => [metadata.name]) }),
    on('NodePool', { when: specChanges, keys: every('L2BridgeDomain') }),
    on('Fabric', { when: specChanges, keys: every('L2BridgeDomain') }),
    // Labels put a Node into a NodePool.
    on('Node', { when: part('metadata.labels', (node) => node?.metadata.labels), keys: every('L2BridgeDomain') }),
  ],
  open,
  { wider: 5 },
)

function open(env: Env): Controller<DomainDesired, readonly string[], ObservedFabric, DomainAction, Plan<DomainAction>> {
  const { caches, topology, switches } = env
  const driver: Driver<readonly string[], ObservedFabric, DomainAction> = {
    name: 'fabric',
    observe: (keys) => switches.observe(keys),
    apply: (action) => (action.do === 'setVlans' ? switches.setVlans(action.switches) : env.store.commit(writesOf(action))),
    asWrites: (action) => (action.do === 'setVlans' ? undefined : writesOf(action)),
  }
  return {
    gather(key) {
      const domain = caches.L2BridgeDomain.get(key)
      return domain && { domain, ...topology.of(domain) }
    },
    driver: () => driver,
    scope: (desired) => {
      const { metadata, status } = desired.domain
      return [...new Set([...(metadata.deletionTimestamp === undefined ? wantedOn(desired) : []), ...(status?.switches ?? [])])]
    },
    item: ({ domain }) => domain,
    plan: planDomain,
    needsLive: ({ domain }, plan) => {
      const sets = plan.steps.flatMap(({ action }) => (action.do === 'setVlans' ? [...action.switches.values()].flat() : []))
      if (sets.length === 0) return letsGo(domain, plan) ? [] : undefined
      // Where the VLAN is still asked for, a past of who is plugged in where would close it.
      if (domain.spec.connectionPoints.length > 0 && sets.some(takesAway)) return topologyKinds
      // By a past of a Fabric it would join a VRF that is no longer offered to it.
      return sets.some(({ do: what }) => what === 'join') ? ['Fabric'] : []
    },
    forget: ({ domain }, sinceMs) => switches.forget(domain.status?.switches ?? [], sinceMs),
    refusal: (message) => refused('SwitchRefused', message),
  }
}

/** It says that nothing of it is open any more on a switch, or of a VLAN: by that word VLANs are given to others. */
function letsGo({ status }: Resource<'L2BridgeDomain'>, { phase, sections = {} }: Plan<DomainAction>): boolean {
  const { switches = [] } = (sections['intent'] ?? {}) as { readonly switches?: readonly string[] }
  const { closed, closing } = (sections['fabric'] ?? {}) as { readonly closed?: readonly number[]; readonly closing?: number }
  return phase === 'deleted' || closed !== undefined || isShut(status?.closing, closing) || leavesOne(status?.switches, switches)
}

const isShut = (before: number | undefined, after: number | undefined): boolean => before !== undefined && after === undefined
const leavesOne = (before: readonly string[] = [], after: readonly string[]): boolean => before.some((key) => !after.includes(key))

function writesOf(action: Extract<DomainAction, { do: 'noteSwitches' }>): readonly Write[] {
  const { domain, switches } = action
  return [fencedStatus(domain, { intent: { switches: [...switches] } })]
}
