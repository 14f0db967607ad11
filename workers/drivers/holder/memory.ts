// A provider in memory: the smallest that keeps the promises of a driver, and like most of them it is asked outside the store.
import type { HeldPort, HolderAction, PortHolder } from '../../../core/contracts/port-holder.ts'
import { AlreadyExists } from '../../../core/errors.ts'

/** What the provider has: shared by all that talk to it. */
export interface MemoryVpc {
  /** UID of the Port → what is held for it. */
  readonly ports: Map<string, HeldPort>
  /** `vni/address`, `vni/mac` and `vni/portID` → UID of the Port that has it: the fence. */
  readonly taken: Map<string, string>
  /** Passes for the way there and back; tests let rivals in here. */
  readonly way?: () => Promise<void>
}

export const memoryVpc = (way?: () => Promise<void>): MemoryVpc => ({ ports: new Map(), taken: new Map(), ...(way && { way }) })

export function memory(world: MemoryVpc): PortHolder {
  const way = world.way ?? (() => Promise.resolve())
  return {
    name: 'memory',
    async observe({ port }) {
      await way()
      return { port: world.ports.get(port.uid) }
    },
    async apply(action) {
      await way()
      act(world, action)
      await way()
    },
  }
}

function act(world: MemoryVpc, action: HolderAction): void {
  const { uid } = action.scope.port
  const held = world.ports.get(uid)
  if (action.do === 'createPort') create(world, action)
  else if (held !== undefined && action.do === 'bindPort')
    world.ports.set(uid, { ...held, hostIP: action.hostIP, identity: action.identity })
  else if (held !== undefined) give(world, uid, action.do === 'freeAddresses' ? action.addresses : undefined)
}

function create(
  { ports, taken }: MemoryVpc,
  { scope, addresses, mac, portID, hostIP, identity }: Extract<HolderAction, { do: 'createPort' }>,
): void {
  const { uid } = scope.port
  const keys = [...addresses, mac, ...(portID === undefined ? [] : [portID])].map((thing) => `${scope.vni}/${thing}`)
  for (const key of keys) if ((taken.get(key) ?? uid) !== uid) throw new AlreadyExists({ kind: 'Port', key })
  for (const key of keys) taken.set(key, uid)
  ports.set(uid, { providerID: `memory-${uid}`, addresses, mac, portID, hostIP, identity })
}

function give({ ports, taken }: MemoryVpc, uid: string, addresses: readonly string[] | undefined): void {
  for (const [key, holder] of taken) if (holder === uid && (addresses?.includes(key.slice(key.indexOf('/') + 1)) ?? true)) taken.delete(key)
  const held = ports.get(uid)
  if (addresses === undefined || held === undefined) ports.delete(uid)
  else ports.set(uid, { ...held, addresses: held.addresses.filter((address) => !addresses.includes(address)) })
}
