// Fabrics: audited against everything that is wanted of their switches, when something on a switch has changed and now and then.
import type { Driver } from '../../../core/contracts/driver.ts'
import type { RoutedVlan } from '../../../core/contracts/fabric-driver.ts'
import type { Resource } from '../../../core/kinds/index.ts'
import { parseVlan, type VlanId } from '../../../core/net/segment.ts'
import { fencedStatus } from '../../../core/plan/fence.ts'
import { tokenOf } from '../../../core/plan/l2/fabric.ts'
import { tokensIn } from '../../../core/plan/l2/fabric-marks.ts'
import { planAudit, type AuditAction, type AuditDesired, type AuditObserved } from '../../../core/plan/l2/fabric-audit.ts'
import type { PortsBySwitch } from '../../../core/plan/l2/switch-ports.ts'
import type { Plan } from '../../../core/plan/plan.ts'
import type { Env } from '../../controller-env.ts'
import type { TopologyCache } from '../../fabric/topology-cache.ts'
import { row, type Row } from '../../loop/controller-row.ts'
import type { Controller } from '../../loop/controller.ts'
import { goes, specChanges } from '../../watch/predicates.ts'
import { beingDeleted, itself, named } from '../../watch/map-to-keys.ts'

type Domain = Resource<'L2BridgeDomain'>

const fabricsOf = ({ status }: Domain): readonly string[] => [
  ...new Set((status?.switches ?? []).map((each) => each.slice(0, each.indexOf('/')))),
]

export const fabrics: Row<'Fabric'> = row(
  'Fabric',
  (on) => [
    on('Fabric', { when: specChanges, keys: itself }),
    on('L2BridgeDomain', { when: goes, keys: named('Fabric', 'those that it was open on', fabricsOf, beingDeleted) }),
  ],
  open,
)

function open(env: Env): Controller<AuditDesired, AuditDesired, AuditObserved, AuditAction, Plan<AuditAction>> {
  const { caches, topology, switches, store } = env
  const driver: Driver<AuditDesired, AuditObserved, AuditAction> = {
    name: 'fabric',
    async observe({ fabric, domains }) {
      if (fabric.metadata.deletionTimestamp !== undefined) return { sights: new Map(), known: new Set() }
      const sights = await switches.observe(fabric.spec.switches.map((each) => `${fabric.metadata.name}/${each.name}`))
      const tokens = [...sights.values()].flatMap((sight) => ('state' in sight ? [...tokensIn(sight.state)] : []))
      // What is marked was there before this list: a domain that is not in it has gone and left something open.
      const strange = tokens.some((token) => !domains.has(token))
      return { sights, known: new Set(strange ? (await store.list('L2BridgeDomain')).items.map(tokenOf) : []) }
    },
    async apply(action) {
      if (action.do === 'noteSwitch') await store.commit([fencedStatus(action.domain, { intent: { switches: [...action.switches] } })])
      else await switches.setVlans(action.switches)
    },
  }
  return {
    gather(key) {
      const fabric = caches.Fabric.get(key)
      if (fabric === undefined) return undefined
      const domains = [...caches.L2BridgeDomain.values()]
      const users = domains
        .filter(({ status }) => (status?.switches ?? []).some((each) => each.startsWith(`${key}/`)))
        .map(({ metadata }) => metadata.name)
        .sort()
      return { fabric, users, domains: new Map(domains.map((each) => [tokenOf(each), each])), ...wantsOf(domains, topology) }
    },
    driver: () => driver,
    scope: (desired) => desired,
    item: ({ fabric }) => fabric,
    plan: (desired, observed) => planAudit(desired, observed, env.config.fabricAuditMs),
  }
}

/** `fabric/switch` → port → VLAN → what is wanted of it. */
type Wants<W> = Map<string, Map<string, Map<VlanId, W>>>

function wantsOf(domains: readonly Domain[], topology: TopologyCache): Pick<AuditDesired, 'wants' | 'routes'> {
  const wants: Wants<string> = new Map()
  const routes: Wants<RoutedVlan> = new Map()
  for (const domain of domains) {
    if (domain.metadata.deletionTimestamp !== undefined) continue
    const vlans = [
      domain.spec.vlan,
      ...(domain.spec.draining ?? []).filter((each) => each.close !== true).map((each) => each.vlan),
    ].flatMap((vlan) => parseVlan(vlan) ?? [])
    const of = tokenOf(domain)
    const { ports, routes: routed } = topology.of(domain)
    wanting(wants, { ports, vlans, what: of })
    wanting(routes, { ports: routed.ports, vlans, what: { of, vrf: domain.spec.vrf } })
  }
  return { wants, routes }
}

interface WantedVlans<W> {
  readonly ports: PortsBySwitch
  readonly vlans: readonly VlanId[]
  readonly what: W
}

function wanting<W>(wants: Wants<W>, { ports, vlans, what }: WantedVlans<W>): void {
  for (const [key, names] of ports)
    for (const name of names) {
      const port = portOf(wants, key, name)
      for (const vlan of vlans) port.set(vlan, what)
    }
}

function portOf<W>(wants: Wants<W>, key: string, name: string): Map<VlanId, W> {
  const ports = wants.get(key) ?? new Map<string, Map<VlanId, W>>()
  wants.set(key, ports)
  const there = ports.get(name) ?? new Map<VlanId, W>()
  ports.set(name, there)
  return there
}
