// What is wanted of a VPC provider in the laws: one Port, planned by the planner of Ports.
import type { PortScope, HolderAction } from '../../core/contracts/port-holder.ts'
import { portFinalizer, wiredFinalizer } from '../../core/kinds/annotations.ts'
import { apiVersion } from '../../core/kinds/meta.ts'
import type { Resource, SpecOf } from '../../core/kinds/index.ts'
import type { Plan } from '../../core/plan/plan.ts'
import { planPort, type PortDesired, type PortObserved } from '../../core/plan/builtin/port.ts'
import type { Want } from '../laws/driver.ts'

export const vni = 5000
const meta = { namespace: 'a', resourceVersion: '1', generation: 1, creationTimestamp: '2026-01-01T00:00:00Z' }
const vpc: Resource<'Vpc'> = { apiVersion, kind: 'Vpc', metadata: { ...meta, name: 'blue', uid: 'vpc' }, spec: {}, status: { vni } }
export const subnet: Resource<'Subnet'> = {
  apiVersion,
  kind: 'Subnet',
  metadata: { ...meta, name: 'one', uid: 'subnet' },
  spec: { vpc: 'blue', ipv4: { cidr: '10.0.0.0/24' }, ipv6: { cidr: '2001:db8::/64' } },
  status: { vni, validated: true },
}
export const scope: PortScope = {
  vpc: { namespace: 'a', name: 'blue' },
  vni,
  subnet: 'one',
  port: { namespace: 'a', name: 'p', uid: 'port' },
  known: [],
}

type LockOf = PortDesired['lockOf']

function want(
  spec: Partial<SpecOf<'Port'>>,
  lockOf: LockOf,
  { hostIP, going = false }: { hostIP?: string; going?: boolean } = {},
): Want<PortScope, PortObserved, HolderAction> {
  const finalizers = hostIP === undefined ? [portFinalizer] : [portFinalizer, wiredFinalizer]
  const metadata = { ...meta, name: 'p', uid: 'port', finalizers, ...(going && { deletionTimestamp: meta.creationTimestamp }) }
  const port: Resource<'Port'> = {
    apiVersion,
    kind: 'Port',
    metadata,
    spec: { subnet: 'one', ...spec, ...(hostIP !== undefined && { node: 'n1' }) },
  }
  const offers = { ipv4: { address: '10.0.0.7' }, ipv6: { address: '2001:db8::7' } }
  return {
    scope,
    plan: (observed) =>
      planPort(
        {
          port,
          subnet,
          vpc,
          scope,
          offers,
          lockOf,
          leaving: () => false,
          hostIP,
          providerID: undefined,
          createdByUs: false,
          isToLeave: false,
          policy: undefined,
          routed: { lock: undefined, peers: [] },
          agents: true,
        },
        observed,
      ) as Plan<HolderAction>,
  }
}

export const wants = (lockOf: LockOf): Readonly<Record<string, Want<PortScope, PortObserved, HolderAction>>> => ({
  made: want({}, lockOf),
  fixed: want({ ips: ['10.0.0.9'], mac: '02:aa:00:00:00:01', portID: 'mine' }, lockOf),
  bound: want({}, lockOf, { hostIP: '192.0.2.1' }),
  moved: want({}, lockOf, { hostIP: '192.0.2.2' }),
  gone: want({}, lockOf, { going: true }),
})

export const journeys = [
  ['made'],
  ['fixed'],
  ['bound'],
  ['made', 'bound'],
  ['bound', 'moved'],
  ['bound', 'made'],
  ['made', 'gone'],
  ['fixed', 'gone'],
  ['gone'],
]
