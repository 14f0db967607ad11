// Operations that go over many kinds: what a page is made of.
import { explainRoutes } from './explain.ts'
import { meRoutes } from './me.ts'
import { topologyRoutes } from './topology.ts'
import { searchRoutes, usesRoutes } from './uses.ts'
import { watchRoutes } from './watch.ts'

export const acrossRoutes = [...meRoutes, ...watchRoutes, ...topologyRoutes, ...usesRoutes, ...searchRoutes, ...explainRoutes]
