// All operations under /v1 that are not of the table of kinds, in the order of the document.
import { acrossRoutes } from './across/index.ts'
import { operationRoutes } from './edges.ts'
import { nsdRoutes } from './nsd.ts'
import { nsmRoutes } from './nsm.ts'
import { policyRoutes } from './policy.ts'
import { routingRoutes } from './routing.ts'
import { solRoutes } from './sol.ts'
import { secretRoutes, subscriptionRoutes } from './subscriptions.ts'

export const besideKinds = [
  ...operationRoutes,
  ...acrossRoutes,
  ...policyRoutes,
  ...routingRoutes,
  ...nsdRoutes,
  ...secretRoutes,
  ...subscriptionRoutes,
  ...solRoutes,
  ...nsmRoutes,
]
export type BesideKinds = (typeof besideKinds)[number]['operation']['operationId']
