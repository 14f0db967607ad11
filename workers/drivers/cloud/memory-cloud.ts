// A cloud in memory, with a mind of its own: it takes its time, chooses addresses, counts its revisions, and is changed by others too.
import type { CloudKind, CloudRule, CloudKinds, CloudScope, PortSettings, PortWanted, SubnetWanted } from '../../../core/contracts/cloud.ts'
import { CloudRefused } from '../../../core/errors.ts'
import { contains, parseCidr } from '../../../core/net/cidr.ts'
import { parseIp, printIp } from '../../../core/net/ip.ts'
import { hash80 } from '../../../core/net/names.ts'
import type { Learned } from '../../../core/kinds/vpc/subnet.ts'

export interface MemoryCloudOptions {
  /** Of the cloud's own clock. */
  readonly now?: () => number
  /** Milliseconds until what is asked for is so: made, bound, active. 0: at once. */
  readonly takesMs?: number
  /** Active as soon as it is bound, or only once somebody has plugged it in: `plug`. */
  readonly activates?: 'bound' | 'plugged'
  /** Its quota. */
  readonly portsMax?: number
  /** Bridge that its ports are plugged into on each node. */
  readonly bridge?: string
  /** Nodes that it knows nothing of: it makes no second binding to them. */
  readonly strangers?: string[]
  /** Names of its QoS policies; `qos-` before a name is an ID. */
  readonly qosPolicies?: readonly string[]
}

/** As it stands at the cloud. */
export interface StoredThing {
  readonly id: string
  readonly name: string
  readonly owner: string | undefined
  /** Of its owner. */
  readonly installation?: string | undefined
  /** For an owner. */
  readonly isMade?: boolean
  readonly revision: number
  /** When it is no longer building. */
  readonly readyAt: number
  readonly failed?: string
  readonly network?: string | undefined
  readonly subnet?: string | undefined
  readonly mtu?: number | undefined
  readonly learned?: Learned
  readonly port?: PortSettings & Pick<PortWanted, 'addresses'> & { readonly mac: string }
  readonly host?: string | undefined
  /** The node that its VM is to move to. */
  readonly second?: string | undefined
  readonly boundAt?: number
  readonly plugged?: boolean
  /** Of a group. */
  readonly rules?: readonly CloudRule[]
}

export class MemoryCloud {
  readonly options: Required<MemoryCloudOptions>
  readonly #things: Readonly<Record<CloudKind, Map<string, StoredThing>>> = {
    network: new Map(),
    subnet: new Map(),
    port: new Map(),
    group: new Map(),
  }
  readonly #listeners = new Set<(kind: CloudKind, uid: string) => void>()
  #made = 0

  constructor(options: MemoryCloudOptions = {}) {
    this.options = {
      now: () => 0,
      takesMs: 0,
      activates: 'bound',
      portsMax: Infinity,
      bridge: 'br-int',
      strangers: [],
      qosPolicies: [],
      ...options,
    }
  }

  all(kind: CloudKind): readonly StoredThing[] {
    return [...this.#things[kind].values()]
  }

  get(kind: CloudKind, id: string): StoredThing | undefined {
    return this.#things[kind].get(id)
  }

  /** By ID or name where it is there already, else by its owner. */
  find(kind: CloudKind, { existing, of }: Pick<CloudScope, 'existing' | 'of'>): StoredThing | undefined {
    if (existing === undefined) return this.all(kind).find(({ owner }) => owner === of.uid)
    return this.get(kind, existing) ?? this.all(kind).find(({ name }) => name === existing)
  }

  listen(wake: (kind: CloudKind, uid: string) => void): () => void {
    this.#listeners.add(wake)
    return () => void this.#listeners.delete(wake)
  }

  /** Of an owner there is one at most. */
  create<K extends CloudKind>(kind: K, scope: CloudScope, wanted: CloudKinds[K]['wanted'], installation?: string): void {
    if (this.find(kind, { existing: undefined, of: scope.of }) !== undefined) return
    if (kind === 'port' && this.all('port').length >= this.options.portsMax)
      throw new CloudRefused({ cloud: 'memory', what: 'a port', reason: `quota exceeded for ports: ${this.options.portsMax}` })
    this.put(kind, nameOf(scope.of.uid), {
      owner: scope.of.uid,
      installation,
      isMade: true,
      network: scope.network,
      subnet: scope.subnet,
      ...this.#partsOf(kind, scope, wanted),
    })
  }

  /** Also by others: then it has no owner. */
  put(kind: CloudKind, name: string, more: Partial<StoredThing>): StoredThing {
    const id = `${kind}-${++this.#made}`
    const thing: StoredThing = { id, name, owner: undefined, revision: 1, readyAt: this.options.now() + this.options.takesMs, ...more }
    this.#things[kind].set(id, thing)
    return thing
  }

  /** Whatever changes, and whoever changes it: the revision counts. */
  change(kind: CloudKind, id: string, more: Partial<StoredThing>): void {
    const before = this.get(kind, id)
    if (before === undefined) return
    const thing = { ...before, ...more, revision: before.revision + 1 }
    this.#things[kind].set(id, thing)
    this.#notify(kind, thing.owner ?? before.owner)
  }

  remove(kind: CloudKind, id: string): void {
    const before = this.get(kind, id)
    if (kind === 'network' && this.all('subnet').some(({ network }) => network === id)) throw inUse(id)
    if (kind === 'subnet' && this.all('port').some(({ subnet }) => subnet === id)) throw inUse(id)
    if (kind === 'group' && this.all('port').some(({ port }) => port?.groups.includes(id) === true)) throw inUse(id)
    this.#things[kind].delete(id)
    this.#notify(kind, before?.owner)
  }

  /** Of an ID or a name. */
  qosPolicy(text: string | null): PortSettings['qosPolicy'] {
    if (text === null) return undefined
    const name = this.options.qosPolicies.find((each) => each === text || `qos-${each}` === text)
    if (name === undefined) throw new CloudRefused({ cloud: 'memory', what: 'a port', reason: `there is no QoS policy ${text}` })
    return { id: `qos-${name}`, name }
  }

  /** An interface has come for a port, or has gone. */
  plug(id: string, plugged = true): void {
    if (this.get('port', id)?.plugged !== plugged) this.change('port', id, { plugged })
  }

  #notify(kind: CloudKind, uid: string | undefined): void {
    if (uid !== undefined) for (const wake of this.#listeners) wake(kind, uid)
  }

  #partsOf<K extends CloudKind>(kind: K, scope: CloudScope, wanted: CloudKinds[K]['wanted']): Partial<StoredThing> {
    if (kind === 'group') return { rules: (wanted as CloudKinds['group']['wanted']).rules }
    if (kind === 'network') return { mtu: (wanted as CloudKinds['network']['wanted']).mtu ?? 1450 }
    if (kind === 'subnet') return { learned: learnedOf(wanted as SubnetWanted) }
    return this.#portOf(scope, wanted as PortWanted)
  }

  #portOf(scope: CloudScope, wanted: PortWanted): Partial<StoredThing> {
    const { mac = macOf(scope.of.uid), host: _, securityGroups = [], qosPolicy, ...port } = wanted
    const missing = port.groups.find((id) => this.get('group', id) === undefined)
    if (missing !== undefined) throw new CloudRefused({ cloud: 'memory', what: 'a port', reason: `there is no group ${missing}` })
    return {
      port: {
        ...port,
        securityGroups,
        mac,
        qosPolicy: this.qosPolicy(qosPolicy ?? null),
        addresses: this.#addressesFor(scope, port.addresses),
      },
      mtu: this.get('network', scope.network ?? '')?.mtu,
    }
  }

  /** One of each family that the subnet has. */
  #addressesFor({ subnet = '' }: CloudScope, fixed: readonly string[]): readonly string[] {
    const { learned } = this.get('subnet', subnet) ?? {}
    if (learned === undefined) throw new CloudRefused({ cloud: 'memory', what: 'a port', reason: `there is no subnet ${subnet}` })
    const taken = new Set(this.all('port').flatMap((each) => (each.subnet === subnet ? (each.port?.addresses ?? []) : [])))
    return [learned.ipv4, learned.ipv6].flatMap((block) => {
      if (block === undefined) return []
      const cidr = parseCidr(block.cidr)!
      const wanted = fixed.find((text) => {
        const ip = parseIp(text)
        return ip !== undefined && contains(cidr, ip)
      })
      if (wanted !== undefined && taken.has(wanted))
        throw new CloudRefused({ cloud: 'memory', what: 'a port', reason: `IP address ${wanted} already allocated in subnet ${subnet}` })
      if (wanted !== undefined) return [wanted]
      for (let value = cidr.first + 2n; value < cidr.last; value++) {
        const text = printIp({ family: cidr.family, value })
        if (!taken.has(text)) return [text]
      }
      throw new CloudRefused({ cloud: 'memory', what: 'a port', reason: `no more addresses in subnet ${subnet}` })
    })
  }
}

export const nameOf = (uid: string): string => `megrez-${uid}`
const inUse = (id: string): Error => new CloudRefused({ cloud: 'memory', what: `the end of ${id}`, reason: 'it is in use' })
/** 24 bits of the hash, behind OpenStack's own prefix. */
function macOf(uid: string): string {
  const bits = Number.parseInt(hash80('memory cloud', uid).slice(0, 5), 32) % 2 ** 24
  return `fa:16:3e${bits.toString(16).padStart(6, '0').replace(/../g, ':$&')}`
}

function learnedOf({ ipv4, ipv6, routes, dns }: SubnetWanted): Learned {
  const blockOf = (block: SubnetWanted['ipv4']): NonNullable<Learned['ipv4']> | undefined => {
    const cidr = parseCidr(block?.cidr ?? '')
    if (block === undefined || cidr === undefined) return undefined
    return { cidr: block.cidr, gateway: block.gateway ?? printIp({ family: cidr.family, value: cidr.first + 1n }) }
  }
  const [four, six] = [blockOf(ipv4), blockOf(ipv6)]
  return { ...(four && { ipv4: four }), ...(six && { ipv6: six }), ...(routes && { routes }), ...(dns && { dns }) }
}

const clouds = new Map<string, MemoryCloud>()

/** One endpoint is one cloud of the process. */
export function memoryCloudAt(endpoint: string, options?: MemoryCloudOptions): MemoryCloud {
  const cloud = clouds.get(endpoint) ?? new MemoryCloud(options)
  clouds.set(endpoint, cloud)
  return cloud
}
