// Switches of two Fabrics as models: reached over ways that take their time, are cut and lose answers, and edited by others meanwhile.
import type { FabricRegistry } from '../../../workers/drivers/fabric/index.ts'
import { fabricRegistry } from '../../../workers/drivers/fabric/index.ts'
import { closedPort, memory, memorySwitch, type MemoryPort, type MemorySwitch } from '../../../workers/drivers/fabric/memory.ts'
import { SwitchUnavailable } from '../../../core/errors.ts'
import type { VlanId } from '../../../core/net/segment.ts'
import type { Process } from '../process.ts'

const vrfs = [
  { name: 'blue', namespaces: ['a'] },
  { name: 'red', namespaces: ['a', 'b'] },
  { name: 'green', namespaces: ['b'] },
]
/** Of two Fabrics: the first has two switches, and its gateway on one of them, which is that gateway's router too. */
export const fabrics = {
  dc: {
    switches: [
      { name: 'tor1', driver: 'memory' as const, address: 'tor1' },
      { name: 'tor2', driver: 'memory' as const, address: 'tor2' },
    ],
    links: [
      { node: 'n1', interface: 'ens1', switch: 'tor1', switchPort: 'n1' },
      { node: 'n2', interface: 'ens1', switch: 'tor2', switchPort: 'n2' },
    ],
    gateways: [{ physicalNetwork: 'physnet', switch: 'tor1', switchPort: 'gw', router: { switch: 'tor1', port: 'up', vrfs } }],
  },
  edge: {
    switches: [{ name: 'tor3', driver: 'memory' as const, address: 'tor3' }],
    links: [{ node: 'n3', interface: 'ens1', switch: 'tor3', switchPort: 'n3' }],
  },
}
export const addresses = ['tor1', 'tor2', 'tor3'] as const
export const connectionPoints: Readonly<Record<string, readonly string[]>> = { cp: ['n1', 'n2'], edge: ['n3'] }
/** Its NodePool has its name. */
export const poolOf = (point: string) => ({ nodes: [...connectionPoints[point]!], interfaces: [{ name: 'ens1', connectionPoint: point }] })
/** The switch port of each node. */
export const portOf: Readonly<Record<string, readonly [address: string, port: string]>> = {
  n1: ['tor1', 'n1'],
  n2: ['tor2', 'n2'],
  n3: ['tor3', 'n3'],
}

export interface Closed {
  readonly address: string
  readonly port: string
  readonly vlan: VlanId
  readonly by: string
}

/** A VLAN that we have put into a VRF of a router. */
export interface Joined {
  readonly address: string
  readonly port: string
  readonly vlan: VlanId
  readonly of: string
  readonly vrf: string
  readonly by: string
}

export class Switches {
  readonly all: ReadonlyMap<string, MemorySwitch> = new Map(
    addresses.map((address) => [
      address,
      memorySwitch(
        Object.values(portOf)
          .filter(([of]) => of === address)
          .map(([, port]) => [port, closedPort()]),
      ),
    ]),
  )
  /** Address → until when nobody answers, in virtual milliseconds. */
  readonly cutUntil = new Map<string, number>()
  /** So many of the next batches are taken, and their answers lost. */
  readonly lostAnswers = new Map<string, number>()
  /** So many of the next batches are answered as done, of which it has taken the first few changes alone. */
  readonly lies = new Map<string, { readonly times: number; readonly takes: number }>()
  /** What a switch has when it begins anew. */
  readonly #startup = new Map<string, ReadonlyMap<string, MemoryPort>>()
  /** Carried again since a switch has begun anew: address, port and VLAN (placeOf). */
  readonly revived = new Set<string>()
  readonly #listeners: ((closed: Closed) => void)[] = []
  readonly #joining: ((joined: Joined) => void)[] = []

  /** Hears of each VLAN of ours that we have closed. */
  on(listener: (closed: Closed) => void): void {
    this.#listeners.push(listener)
  }

  /** Hears of each VLAN that we have put into a VRF. */
  onJoined(listener: (joined: Joined) => void): void {
    this.#joining.push(listener)
  }

  registryFor(process: Process): FabricRegistry {
    return { ...fabricRegistry, memory: ({ address }) => memory(new SwitchView(this, address, process), { any: true }) }
  }

  tell(closed: Closed): void {
    for (const listener of this.#listeners) listener(closed)
  }

  tellJoined(joined: Joined): void {
    for (const listener of this.#joining) listener(joined)
  }

  /** Somebody else's hand at a port. */
  edit(address: string, port: string, change: (of: MemoryPort) => MemoryPort): void {
    const there = this.all.get(address)!
    there.ports.set(port, change(there.ports.get(port) ?? closedPort()))
    there.version++
  }

  /** Has it keep what it has by now over a new beginning. */
  save(address: string): void {
    this.#startup.set(address, copyOf(this.all.get(address)!.ports))
  }

  /** It begins anew, with what was saved last: other VLANs than it carried, or none. */
  reboot(address: string): void {
    const there = this.all.get(address)!
    const before = copyOf(there.ports)
    const saved = this.#startup.get(address)
    for (const port of before.keys()) there.ports.set(port, closedPort())
    for (const [port, had] of copyOf(saved ?? new Map())) {
      there.ports.set(port, had)
      for (const vlan of [...had.ours.keys(), ...(had.routed?.keys() ?? [])])
        if (before.get(port)?.ours.has(vlan) !== true) this.revived.add(placeOf(address, port, vlan))
    }
    there.version++
  }
}

export const placeOf = (address: string, port: string, vlan: number): string => `${address}/${port}/${vlan}`

const copyOf = (ports: ReadonlyMap<string, MemoryPort>): Map<string, MemoryPort> =>
  new Map([...ports].map(([name, { ours, others, ...same }]) => [name, { ...same, ours: new Map(ours), others: new Set(others) }]))

/** A switch as one process reaches it. */
class SwitchView implements MemorySwitch {
  readonly #switches: Switches
  readonly #address: string
  readonly #process: Process
  readonly ports: MemorySwitch['ports']

  constructor(switches: Switches, address: string, process: Process) {
    this.#switches = switches
    this.#address = address
    this.#process = process
    const { ports } = switches.all.get(address)!
    const tell = (port: string, before: MemoryPort | undefined, after: MemoryPort): void => {
      for (const vlan of before?.ours.keys() ?? []) if (!after.ours.has(vlan)) switches.tell({ address, port, vlan, by: process.name })
      for (const joined of joinedBy(before, after)) switches.tellJoined({ ...joined, address, port, by: process.name })
    }
    this.ports = new Proxy(ports, {
      get: (of, name) =>
        name === 'set'
          ? (port: string, after: MemoryPort) => (this.#takes-- > 0 ? (tell(port, of.get(port), after), of.set(port, after)) : of)
          : bound(of, name),
    })
  }

  get version(): number {
    return this.#there.version
  }
  set version(to: number) {
    this.#there.version = to
  }
  get batches(): number {
    return this.#there.batches
  }
  set batches(to: number) {
    this.#there.batches = to
    const lost = this.#switches.lostAnswers.get(this.#address) ?? 0
    this.#loses = lost > 0
    if (lost > 0) this.#switches.lostAnswers.set(this.#address, lost - 1)
    const { times, takes } = this.#switches.lies.get(this.#address) ?? { times: 0, takes: 0 }
    if (times > 0) this.#switches.lies.set(this.#address, { times: times - 1, takes })
    this.#takes = times > 0 ? takes : Infinity
  }
  #loses = false
  /** Changes of the batch under way. */
  #takes = Infinity

  readonly way = async (): Promise<void> => {
    await this.#process.pass(this.#process.way(), `switch ${this.#address}`)
    const isCut = this.#process.scheduler.now < (this.#switches.cutUntil.get(this.#address) ?? 0)
    const lost = this.#loses
    this.#loses = false
    this.#takes = Infinity
    if (isCut || lost) throw new SwitchUnavailable({ bridge: this.#address, reason: 'no answer' })
  }

  get #there(): MemorySwitch {
    return this.#switches.all.get(this.#address)!
  }
}

function bound(of: Map<string, MemoryPort>, name: string | symbol): unknown {
  const value: unknown = Reflect.get(of, name, of)
  return typeof value === 'function' ? (value.bind(of) as unknown) : value
}

const joinedBy = (before: MemoryPort | undefined, { routed = new Map() }: MemoryPort): Pick<Joined, 'vlan' | 'of' | 'vrf'>[] =>
  [...routed].flatMap(([vlan, { of, vrf }]) => (vrf === undefined || before?.routed?.get(vlan)?.vrf === vrf ? [] : [{ vlan, of, vrf }]))
