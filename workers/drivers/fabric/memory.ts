// A switch in memory: the smallest that keeps the promises of a fabric driver. Like a real one it is asked over a way that may fail,
// takes a batch whole or not at all, and refuses one that a rival has overtaken.
import {
  isRoute,
  type FabricAction,
  type FabricDriver,
  type RouteChange,
  type RoutedVlan,
  type SwitchPortState,
  type SwitchState,
  type VlanChange,
} from '../../../core/contracts/fabric-driver.ts'
import { SwitchOvertaken, SwitchRefused } from '../../../core/errors.ts'
import type { VlanId } from '../../../core/net/segment.ts'

export interface MemoryPort {
  readonly ours: Map<VlanId, string>
  readonly others: Set<VlanId>
  readonly mode: 'trunk' | 'closed' | 'unrestricted' | 'access'
  /** Subinterfaces of ours; a VRF of ours is there while one of them is in it. */
  readonly routed?: ReadonlyMap<VlanId, RoutedVlan>
}
/** What the switch has: shared by all that talk to it. */
export interface MemorySwitch {
  readonly ports: Map<string, MemoryPort>
  /** VRFs that others have made. */
  readonly foreignVrfs?: ReadonlySet<string>
  /** Batches it has taken. */
  batches: number
  /** Counts changes. */
  version: number
  /** Passes for the way there and back; tests let rivals and faults in here. */
  readonly way?: () => Promise<void>
}

export const memorySwitch = (ports: Iterable<readonly [string, MemoryPort]> = [], way?: () => Promise<void>): MemorySwitch => ({
  ports: new Map(ports),
  batches: 0,
  version: 0,
  ...(way && { way }),
})
export const closedPort = (): MemoryPort => ({ ours: new Map(), others: new Set(), mode: 'closed' })

/** Switches by address, for `driver: memory` in a Fabric: of this process alone, and gone with it. */
const switches = new Map<string, MemorySwitch>()
export function memoryAt(address: string): MemorySwitch {
  const there = switches.get(address) ?? memorySwitch()
  switches.set(address, there)
  return there
}

/** @param any a port that is asked for is there, as on a switch of a demonstration */
export function memory(world: MemorySwitch, { any = false } = {}): FabricDriver {
  const way = (): Promise<void> => world.way?.() ?? Promise.resolve()
  let seen: number | undefined
  return {
    name: 'memory',
    async observe({ ports }) {
      await way()
      if (any) for (const name of ports) if (!world.ports.has(name)) world.ports.set(name, closedPort())
      seen = world.version
      return stateOf(world, ports)
    },
    async apply(action) {
      const read = seen ?? world.version
      await way()
      if (read !== world.version) {
        seen = undefined
        throw new SwitchOvertaken({ target: 'memory' })
      }
      act(world, action)
      seen = world.version
      await way()
    },
    close: () => Promise.resolve(),
  }
}

function stateOf(world: MemorySwitch, names: readonly string[]): SwitchState {
  const state = new Map<string, SwitchPortState>(names.map((name) => [name, { ours: new Map(), others: new Set(), mode: 'absent' }]))
  for (const [name, { ours, others, mode, routed = new Map<VlanId, RoutedVlan>() }] of world.ports)
    if (ours.size + routed.size > 0 || state.has(name))
      state.set(name, { ours: new Map(ours), others: new Set(others), mode, ...(routed.size > 0 && { routed: new Map(routed) }) })
  return state
}

function act(world: MemorySwitch, { changes }: FabricAction): void {
  for (const change of changes) if (change.do === 'join') refuseForeign(change, world)
  world.batches++
  const before = show(world)
  for (const change of changes) {
    const there = world.ports.get(change.on)
    if (there !== undefined) world.ports.set(change.on, isRoute(change) ? routedBy(change, there) : switchedBy(change, there))
  }
  if (show(world) !== before) world.version++
}

function switchedBy(change: VlanChange, { others, mode, ...there }: MemoryPort): MemoryPort {
  const ours = new Map(there.ours)
  if (change.do === 'open' && !others.has(change.vlan)) ours.set(change.vlan, change.of)
  else if (change.do === 'close' && ours.get(change.vlan) === change.of) ours.delete(change.vlan)
  const carries = ours.size + others.size > 0
  return { ...there, ours, others, mode: carries ? 'trunk' : mode === 'trunk' ? 'closed' : mode }
}

function routedBy(change: RouteChange, there: MemoryPort): MemoryPort {
  const { of, vlan } = change
  const routed = new Map(there.routed)
  if (change.do === 'join') routed.set(vlan, { of, vrf: change.vrf })
  else if (routed.get(vlan)?.of === of) routed.delete(vlan)
  return { ...there, routed }
}

function refuseForeign({ vrf, on, vlan, of }: Extract<RouteChange, { do: 'join' }>, { foreignVrfs, ports }: MemorySwitch): void {
  if (foreignVrfs?.has(vrf) === true) throw new SwitchRefused({ target: 'memory', reason: `VRF ${vrf} is somebody else's there` })
  const holder = ports.get(on)?.routed?.get(vlan)?.of
  if (holder !== undefined && holder !== of)
    throw new SwitchRefused({ target: 'memory', reason: `subinterface ${on}.${vlan} is somebody else's there` })
}

const show = (world: MemorySwitch): string =>
  JSON.stringify([...world.ports].map(([name, { ours, mode, routed = new Map() }]) => [name, mode, [...ours].sort(), [...routed].sort()]))
