// All invariants. A new one is a file here and a name in this list.
import type { Invariant, InvariantOfStore } from '../invariant.ts'
import { advertised } from './advertised.ts'
import { booked } from './booked.ts'
import { broadcast } from './broadcast.ts'
import { cloudBindings } from './cloud-bindings.ts'
import { cloudGroups } from './cloud-groups.ts'
import { chains } from './chains.ts'
import { closedAtClouds } from './closed-at-clouds.ts'
import { clouds } from './clouds.ts'
import { connections } from './connections.ts'
import { delegated } from './delegated.ts'
import { egress } from './egress.ts'
import { egressPools } from './egress-pools.ts'
import { fabric } from './fabric.ts'
import { history } from './history.ts'
import { hotNics } from './hot-nics.ts'
import { inUse } from './in-use.ts'
import { inquiries } from './inquiries.ts'
import { kept } from './kept.ts'
import { leftOver } from './left-over.ts'
import { locks } from './locks.ts'
import { networkServices } from './network-services.ts'
import { oneHolder } from './one-holder.ts'
import { moves } from './moves.ts'
import { order } from './order.ts'
import { outsideNames } from './outside-names.ts'
import { ownNode } from './own-node.ts'
import { pages } from './pages.ts'
import { passes } from './passes.ts'
import { peering } from './peering.ts'
import { policies } from './policies.ts'
import { revealed } from './revealed.ts'
import { routedBlocks } from './routed-blocks.ts'
import { routes } from './routes/routes.ts'
import { sequence } from './sequence.ts'
import { followedNetworks } from './followed-networks.ts'
import { scalers } from './scalers.ts'
import { serviceAddresses } from './service-addresses.ts'
import { serviceSlices } from './service-slices.ts'
import { servedPods } from './served-pods.ts'
import { served } from './served.ts'
import { subscribed } from './subscribed.ts'
import { tenants } from './tenants.ts'
import { notified } from './notified.ts'
import { traffic } from './traffic.ts'
import { tried } from './tried.ts'
import { vrfs } from './vrfs.ts'
import { vlanPasses } from './vlan-passes.ts'
import { wired } from './wired.ts'

export const ofStore: readonly InvariantOfStore[] = [oneHolder, locks, sequence, served, policies]
export const invariants: readonly Invariant[] = [
  ...ofStore,
  notified,
  subscribed,
  history,
  followedNetworks,
  servedPods,
  hotNics,
  moves,
  tenants,
  revealed,
  tried,
  wired,
  outsideNames,
  advertised,
  egress,
  egressPools,
  routedBlocks,
  serviceAddresses,
  serviceSlices,
  peering,
  passes,
  broadcast,
  routes,
  vlanPasses,
  traffic,
  booked,
  delegated,
  clouds,
  cloudGroups,
  closedAtClouds,
  cloudBindings,
  fabric,
  vrfs,
  inUse,
  inquiries,
  networkServices,
  connections,
  scalers,
  chains,
  kept,
  pages,
  leftOver,
  ownNode,
  order,
]
