// Ports: subnet → vpc → provider.
import type { PortScope } from '../../core/contracts/vpc-provider.ts'
import type { Resource } from '../../core/kinds/index.ts'
import { planPort, type PortAction, type PortObserved } from '../../core/plan/builtin/port.ts'
import { refused, type Plan } from '../../core/plan/plan.ts'
import type { Env } from '../env.ts'
import { basisOf, gatherPort, providerOf, type GatheredPort } from '../gather-port.ts'
import { portDriver, settlePicks } from '../port-pass.ts'
import { row, type Row } from '../loop/row.ts'
import type { Controller } from '../loop/controller.ts'
import { portWatches } from './port-watches.ts'

export const ports: Row<'Port'> = row('Port', portWatches, open)

function open(env: Env): Controller<GatheredPort, PortScope, PortObserved, PortAction, Plan<PortAction>> {
  return {
    gather(key, made) {
      const port = (made as Resource<'Port'> | undefined) ?? env.caches.Port.get(key)
      return port === undefined ? undefined : gatherPort(port, env, env.addresses.open())
    },
    driver: (desired) => portDriver(providerOf(desired.vpc, env), env),
    scope: (desired) => desired.scope,
    item: ({ port }) => port,
    basis: basisOf,
    plan: planPort,
    refusal: (message) => refused('Refused', message),
    settle: settlePicks,
    unmade: { port: undefined },
  }
}
