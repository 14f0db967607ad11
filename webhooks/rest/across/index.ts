// The handlers of operations that go over many kinds.
import type { Handler, RestDeps } from '../deps.ts'
import { explainHandlers } from './explain.ts'
import { meHandlers } from './me.ts'
import { NetworkViews } from './network-views.ts'
import { searchHandlers } from './search.ts'
import { topologyPictureOf } from './topology-picture.ts'
import { topologyOf } from './topology.ts'
import { usesHandlers } from './uses.ts'
import { watchHandlers } from './watch.ts'

/** One of each server. */
const views = new WeakMap<RestDeps, NetworkViews>()
const viewsOf = (deps: RestDeps): NetworkViews => views.get(deps) ?? views.set(deps, new NetworkViews(deps)).get(deps)!

/** By the id of the operation. */
export const acrossHandlers = {
  ...meHandlers,
  getTopology: (deps: RestDeps): Handler => topologyOf(deps, viewsOf(deps)),
  getTopologyPicture: (deps: RestDeps): Handler => topologyPictureOf(deps, viewsOf(deps)),
  ...watchHandlers,
  ...usesHandlers,
  ...searchHandlers,
  ...explainHandlers,
}
