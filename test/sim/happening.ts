// What a case is made of: named things that somebody does or that go wrong, each at its time. A case says all of them, so that any can
// be left out and the others stay what they were.
import type { Dice } from './dice.ts'
import type { Site } from './site.ts'
import type { Mode } from './store.ts'
import type { Machines, PlanesOfNodes } from './world/machines.ts'
import type { Outside } from './world/outside.ts'
import type { Routing } from './world/routing/routing.ts'
import type { Pages } from './world/pages.ts'
import type { Clouds } from './world/clouds.ts'
import type { Deployments } from './world/deployments.ts'
import type { Resolvers } from './world/resolvers.ts'
import type { Switches } from './world/switches.ts'
import type { Traffic } from './world/traffic.ts'
import type { VlanTraffic } from './world/vlan-traffic.ts'

export interface World {
  readonly site: Site
  readonly outside: Outside
  readonly machines: Machines
  readonly routing: Routing
  readonly traffic: Traffic
  readonly vlanTraffic: VlanTraffic
  readonly switches: Switches
  readonly clouds: Clouds
  readonly resolvers: Resolvers
  readonly deployments: Deployments
  readonly pages: Pages
}
export interface HappeningKind<Args extends object = object> {
  readonly name: string
  /** Left out where the same workload is to run undisturbed. */
  readonly fault: boolean
  /** How often it is drawn, beside the others. */
  readonly weight: number
  draw(dice: Dice): Args
  /** Does it, or has it begun; whatever is refused is nobody's fault. */
  run(args: Args, world: World): void
}
export interface Happening {
  /** Virtual milliseconds since the beginning. */
  readonly at: number
  readonly name: string
  readonly args: object
}
export interface Case {
  readonly seed: number
  readonly mode: Mode
  /** There are Fabrics, and a pool of nodes on their switches. */
  readonly fabrics?: boolean
  /** There are Fabrics, and pods with interfaces in their VLANs. */
  readonly vlans?: boolean
  /** Tenants' Vpcs may be of a cloud. */
  readonly clouds?: boolean
  /** The cloud is a Neutron. */
  readonly neutron?: boolean
  /** That Neutron lets nobody choose a MAC. */
  readonly macs?: 'cloud'
  /** A request to that Neutron may take 30 s. */
  readonly pace?: 'slow'
  /** It is an Alcor. */
  readonly alcor?: boolean
  /** Nodes speak BGP, and their kernels route. */
  readonly bgp?: boolean
  /** There are service chains, and pods that carry out their functions. */
  readonly chains?: boolean
  /** Pods that serve NetworkServices answer their nodes, or do not. */
  readonly neighbours?: boolean
  /** A Deployment has pods that serve a NetworkService. */
  readonly deployments?: boolean
  /** Somebody looks at pages. */
  readonly pages?: boolean
  /** Absent: Open vSwitch everywhere. */
  readonly planes?: PlanesOfNodes
  readonly happenings: readonly Happening[]
}

export const happeningKind = <Args extends object>(kind: HappeningKind<Args>): HappeningKind => kind
