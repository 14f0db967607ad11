// All views, in the order in which they are offered: a view is a folder here, and a line below.
import { addresses } from './addresses/index.tsx'
import { callbacks } from './callbacks/index.tsx'
import { clouds } from './clouds/index.tsx'
import { fabric } from './fabric/index.tsx'
import { health } from './health/index.tsx'
import { network } from './network/index.tsx'
import { node } from './node/index.tsx'
import { objectsView } from './objects/index.tsx'
import { policy } from './policy/index.tsx'
import { routing } from './routing/index.tsx'
import { services } from './services/index.tsx'
import type { View } from './view.ts'

export const views: readonly View[] = [network, objectsView, addresses, routing, services, fabric, clouds, node, policy, callbacks, health]
export const viewOf = (name: string | undefined): View => views.find((view) => view.name === name) ?? network
