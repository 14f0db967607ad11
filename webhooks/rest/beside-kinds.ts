// The operations that are not of the table of kinds. Their addresses and methods are those of the contract (`openapi/paths/`); here
// each is given its handler, and the compiler misses the one that has none.
import type { FastifyInstance } from 'fastify'
import { besideKinds, type BesideKinds } from '../../openapi/paths/beside-kinds.ts'
import { acrossHandlers } from './across/index.ts'
import type { AllowedMethods } from './allowed-methods.ts'
import type { Handler, RestDeps } from './deps.ts'
import { nsdHandlers } from './nsd/nsd.ts'
import { nsmHandlers } from './nsm/endpoints.ts'
import { policyHandlers } from './policy/policy.ts'
import { routingHandlers } from './routing/routes.ts'
import { solHandlers } from './sol/sol.ts'
import { secretHandlers } from './subscriptions/secrets.ts'
import { subscriptionHandlers } from './subscriptions/subscriptions.ts'
import { operationHandlers } from './write/operations.ts'

/** Undefined: not offered in this deployment, but the address exists. */
type HandlerOf = (deps: RestDeps) => Handler | undefined

const handlers: Readonly<Record<BesideKinds, HandlerOf>> = {
  ...operationHandlers,
  ...acrossHandlers,
  ...policyHandlers,
  ...routingHandlers,
  ...nsdHandlers,
  ...secretHandlers,
  ...subscriptionHandlers,
  ...solHandlers,
  ...nsmHandlers,
}

/** @param offered is told of addresses that offer nothing here */
export function useBesideKinds(app: FastifyInstance, deps: RestDeps, offered: AllowedMethods): void {
  for (const { at, method, opaque, operation } of besideKinds) {
    const address = at
      .replace('{name}', opaque ? ':id' : ':name')
      .replace('{namespace}', ':namespace')
      .replace('{kind}', ':kind')
    const handler = handlers[operation.operationId](deps)
    if (handler === undefined) offered.add(address, [])
    else app.route({ method, url: address.slice('/v1'.length), exposeHeadRoute: true, handler })
  }
}
