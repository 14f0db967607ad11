// Ports: subnet → vpc → provider.
import { finalizersFor } from '../../core/admit/finalizers.ts'
import type { PortScope } from '../../core/contracts/vpc-provider.ts'
import { lockName } from '../../core/plan/locks.ts'
import { planPort, type PortAction, type PortObserved } from '../../core/plan/port.ts'
import { refused, type Plan } from '../../core/plan/plan.ts'
import { keyOf } from '../../core/kinds/index.ts'
import type { Env } from '../env.ts'
import { basisOf, gatherPort, providerOf, type GatheredPort } from '../gather-port.ts'
import { portDriver, portReport, settlePicks } from '../port-pass.ts'
import type { Controller } from '../reconcile.ts'
import { topics } from '../waiting.ts'

export function ports(env: Env): Controller<GatheredPort, PortScope, PortObserved, PortAction, Plan<PortAction>> {
  return {
    name: 'port',
    gather(key) {
      const port = env.caches.Port.get(key)
      return port === undefined ? undefined : gatherPort(port, env, env.addresses.open())
    },
    driver: (desired) => portDriver(providerOf(desired.vpc, env), env),
    scope: (desired) => desired.scope,
    item: ({ port }) => port,
    basis: basisOf,
    plan: planPort,
    guard: ({ port }) => ({ item: port, finalizers: finalizersFor('Port', port) }),
    report: (desired, plan, now) => portReport(desired, plan, env, now),
    refusal: (message) => refused('Refused', message),
    settle: settlePicks,
    awaits: (desired, plan) => awaited(desired, plan),
  }
}

function awaited({ port, scope }: GatheredPort, { reason }: Plan<PortAction>): string | undefined {
  const lock = (name: string | undefined): string | undefined => name && topics.lock(scope.vpc.namespace, name)
  if (reason === 'SubnetFull') return topics.address(keyOf({ namespace: scope.vpc.namespace, name: scope.subnet }))
  if (reason === 'AddressTaken' || reason === 'AddressLeaving') return lock(lockName(scope.vni, { address: port.spec.ips?.[0] ?? '' }))
  if (reason === 'PortIDTaken') return lock(lockName(scope.vni, { portID: port.spec.portID ?? '' }))
  return reason === 'MacTaken' ? lock(lockName(scope.vni, { mac: port.spec.mac ?? '' })) : undefined
}
