// Fabrics: audited against everything that is wanted of their switches, when something on a switch has changed and now and then.
import { finalizersFor } from '../../core/admit/finalizers.ts'
import type { Driver } from '../../core/contracts/driver.ts'
import { switchesFinalizer } from '../../core/kinds/annotations.ts'
import type { Resource } from '../../core/kinds/index.ts'
import { parseVlan, type VlanId } from '../../core/net/segment.ts'
import { tokenOf } from '../../core/plan/fabric.ts'
import { markedIn } from '../../core/plan/fabric-marks.ts'
import { planAudit, type AuditAction, type AuditDesired, type AuditObserved } from '../../core/plan/fabric-audit.ts'
import type { Plan } from '../../core/plan/plan.ts'
import { ended, reported } from '../../core/plan/status.ts'
import { portsOfDomain, switchKeyOf, type Topology } from '../../core/plan/switch-ports.ts'
import { reporting, type Env } from '../env.ts'
import { topologyOf } from '../gather-l2.ts'
import type { Controller } from '../reconcile.ts'

type Domain = Resource<'L2BridgeDomain'>

export function fabrics(env: Env): Controller<AuditDesired, AuditDesired, AuditObserved, AuditAction, Plan<AuditAction>> {
  const { caches, switchboard, store } = env
  const driver: Driver<AuditDesired, AuditObserved, AuditAction> = {
    name: 'fabric',
    async observe({ fabric, domains }) {
      if (fabric.metadata.deletionTimestamp !== undefined) return { sights: new Map(), known: new Set() }
      const sights = await switchboard.observe(fabric.spec.switches.map((each) => `${fabric.metadata.name}/${each.name}`))
      const tokens = [...sights.values()].flatMap((sight) => ('state' in sight ? [...markedIn(sight.state).byToken.keys()] : []))
      // What is marked was there before this list: a domain that is not in it has gone and left something open.
      const strange = tokens.some((token) => !domains.has(token))
      return { sights, known: new Set(strange ? (await store.list('L2BridgeDomain')).items.map(tokenOf) : []) }
    },
    async apply(action) {
      if (action.do === 'wakeDomains') for (const name of action.names) env.add('l2domain', name)
      else await switchboard.setVlans(action.switches)
    },
  }
  return {
    name: 'fabric',
    gather(key) {
      const fabric = caches.Fabric.get(key)
      if (fabric === undefined) return undefined
      const domains = [...caches.L2BridgeDomain.values()]
      const users = domains.filter(({ status }) => (status?.switches ?? []).some((each) => each.startsWith(`${key}/`))).map(({ metadata }) => metadata.name).sort()
      return { fabric, users, domains: new Map(domains.map((each) => [tokenOf(each), each.metadata.name])), wants: wantsOf(domains, topologyOf(caches)) }
    },
    driver: () => driver,
    scope: (desired) => desired,
    plan: (desired, observed) => planAudit(desired, observed, env.config.fabricAuditMs),
    guard: ({ fabric }) => ({ item: fabric, finalizers: finalizersFor('Fabric', fabric) }),
    report: ({ fabric }, plan, now) => (plan.phase === 'deleted' ? ended(fabric, [switchesFinalizer], reporting(env, now)) : reported(fabric, plan, reporting(env, now)).writes),
  }
}

function wantsOf(domains: readonly Domain[], topology: Topology): AuditDesired['wants'] {
  const wants = new Map<string, Map<string, Map<VlanId, string>>>()
  for (const domain of domains) {
    if (domain.metadata.deletionTimestamp !== undefined) continue
    const vlans = [domain.spec.vlan, ...(domain.spec.draining ?? []).filter((each) => each.close !== true).map((each) => each.vlan)].flatMap((vlan) => parseVlan(vlan) ?? [])
    const token = tokenOf(domain)
    for (const at of portsOfDomain(domain, topology).ports) {
      const ports = wants.get(switchKeyOf(at)) ?? new Map<string, Map<VlanId, string>>()
      wants.set(switchKeyOf(at), ports)
      const there = ports.get(at.port) ?? new Map<VlanId, string>()
      ports.set(at.port, there)
      for (const vlan of vlans) there.set(vlan, token)
    }
  }
  return wants
}
