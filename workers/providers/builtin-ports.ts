// Ports of ours.
import type { PortScope } from '../../core/contracts/port-holder.ts'
import type { Resource } from '../../core/kinds/index.ts'
import { planPort, type PortAction, type PortObserved } from '../../core/plan/builtin/port.ts'
import { refused, type Plan } from '../../core/plan/plan.ts'
import type { Env } from '../controller-env.ts'
import { learnGroups } from '../gather/absent-groups.ts'
import { basisOf, gatherPort, type GatheredPort } from '../gather/port.ts'
import { portDriver, settlePicks } from './port-driver.ts'
import type { Controller } from '../loop/controller.ts'

export function builtinPorts(env: Env): Controller<GatheredPort, PortScope, PortObserved, PortAction, Plan<PortAction>> {
  const driver = portDriver(env.holder, env)
  return {
    async gather(key, made) {
      const port = (made as Resource<'Port'> | undefined) ?? env.caches.Port.get(key)
      if (port === undefined) return undefined
      await learnGroups(port, env)
      return gatherPort(port, env, env.addresses.open())
    },
    driver: () => driver,
    scope: (desired) => desired.scope,
    item: ({ port }) => port,
    basis: basisOf,
    plan: planPort,
    refusal: (message) => refused('Refused', message),
    settle: settlePicks,
    unmade: { port: undefined },
  }
}
