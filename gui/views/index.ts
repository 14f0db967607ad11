// All views, in the order in which they are offered: a view is a folder here, and a line below.
import { network } from './network/index.tsx'
import { objectsView } from './objects/index.tsx'
import type { View } from './view.ts'

export const views: readonly View[] = [network, objectsView]
export const viewOf = (name: string | undefined): View => views.find((view) => view.name === name) ?? network
