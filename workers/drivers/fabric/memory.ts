// A switch in memory: the smallest that keeps the promises of a fabric driver. Like a real one it is asked over a way that may fail,
// takes a batch whole or not at all, and refuses one that a rival has overtaken.
import type { FabricAction, FabricDriver, SwitchPortState, SwitchState } from '../../../core/contracts/fabric-driver.ts'
import { SwitchOvertaken } from '../../../core/errors.ts'
import type { VlanId } from '../../../core/net/segment.ts'

export interface MemoryPort {
  readonly ours: Map<VlanId, string>
  readonly others: Set<VlanId>
  readonly mode: 'trunk' | 'closed' | 'unrestricted' | 'access'
}
/** What the switch has: shared by all that talk to it. */
export interface MemorySwitch {
  readonly ports: Map<string, MemoryPort>
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
  for (const [name, { ours, others, mode }] of world.ports)
    if (ours.size > 0 || state.has(name)) state.set(name, { ours: new Map(ours), others: new Set(others), mode })
  return state
}

function act(world: MemorySwitch, { changes }: FabricAction): void {
  world.batches++
  const before = show(world)
  for (const change of changes) {
    const there = world.ports.get(change.on)
    if (there === undefined) continue
    const ours = new Map(there.ours)
    if (change.do === 'open' && !there.others.has(change.vlan)) ours.set(change.vlan, change.of)
    else if (change.do === 'close' && ours.get(change.vlan) === change.of) ours.delete(change.vlan)
    const carries = ours.size + there.others.size > 0
    world.ports.set(change.on, { ours, others: there.others, mode: carries ? 'trunk' : there.mode === 'trunk' ? 'closed' : there.mode })
  }
  if (show(world) !== before) world.version++
}

const show = (world: MemorySwitch): string =>
  JSON.stringify([...world.ports].map(([name, { ours, mode }]) => [name, mode, [...ours].sort()]))
