// A Neutron, as cases of clouds see it: its own driver asks it, each request goes its way, and what is listed may be what stood before.
import type { CloudDriver, CloudKind, CloudRule } from '../../../core/contracts/cloud.ts'
import type { Resource } from '../../../core/kinds/index.ts'
import { groupSeen } from '../../../workers/drivers/cloud/neutron/groups/group.ts'
import { neutron } from '../../../workers/drivers/cloud/neutron/neutron.ts'
import { idsOf } from '../../../workers/drivers/cloud/neutron/life.ts'
import { madeFor, nameOf, ownerOf, type Described } from '../../../workers/drivers/cloud/neutron/owner.ts'
import { silentLog } from '../../../platform/log.ts'
import type { Fields } from '../../drivers/neutron/answer.ts'
import { NeutronModel } from '../../drivers/neutron/model.ts'
import { nodeNames } from '../layout.ts'
import { epochMs, type Process } from '../process.ts'
import type { Scheduler } from '../scheduler.ts'
import type { CloudWay, ThingAtCloud, CloudModel } from './cloud-model.ts'

/** Longest that what is listed is behind what stands. */
export const lagMostMs = 3_000
/** Longest that a request is under way. */
const underWayMostMs = { usual: 5_000, slow: 30_000 } as const
/** Its agents see an interface, once a port is bound. */
const plugsMs = 700
const plurals = { network: 'networks', subnet: 'subnets', port: 'ports', group: 'security-groups' } as const

export interface NeutronCloudOptions {
  /** Who chooses them. */
  readonly macs?: 'ours' | 'cloud'
  readonly pace?: keyof typeof underWayMostMs
}

export class NeutronCloudModel implements CloudModel {
  readonly #scheduler: Scheduler
  readonly #model: NeutronModel
  /** Until then lists say what stood when this was taken. */
  #lag: { readonly until: number; readonly past: NeutronModel } | undefined
  #installation = ''
  readonly #pace: keyof typeof underWayMostMs

  constructor(scheduler: Scheduler, { macs = 'ours', pace = 'usual' }: NeutronCloudOptions = {}) {
    this.#scheduler = scheduler
    this.#pace = pace
    this.#model = new NeutronModel({ hosts: nodeNames, macs, now: () => epochMs + scheduler.now })
  }

  /** For that long lists say what stands now. @param ms at most `lagMostMs` */
  lag(ms: number): void {
    this.#lag = { until: this.#scheduler.now + ms, past: this.#model.copied() }
  }

  /** So many ports more than there are may be made; undefined: any number. */
  limit(more: number | undefined): void {
    this.#model.portsMax = more === undefined ? -1 : this.#model.all('ports').length + more
  }

  /** Its agent there is not heard: nothing can be bound to it. */
  lose(node: string): void {
    this.#model.hosts.delete(node)
  }

  find(node: string): void {
    this.#model.hosts.add(node)
  }

  calm(): void {
    this.#lag = undefined
    for (const node of nodeNames) this.find(node)
    this.limit(undefined)
  }

  /** A Subnet of both families is two of Neutron's, made in one request. */
  all(kind: CloudKind): readonly ThingAtCloud[] {
    const things = this.#model.all(plurals[kind]).map((each) => ({ id: each.id, owner: ownerOf(each as Described & Fields)?.uid }))
    if (kind !== 'subnet') return things
    return [...Map.groupBy(things, ({ owner, id }) => owner ?? id).values()].map(([first]) => first!)
  }

  get(kind: CloudKind, id: string): ThingAtCloud | undefined {
    const parts = idsOf(id).map((each) => this.#model.all(plurals[kind]).find((thing) => thing.id === each))
    const [first] = parts
    return first === undefined || parts.includes(undefined) ? undefined : { id, owner: ownerOf(first)?.uid }
  }

  groupsOf(port: string): readonly string[] {
    const ids = (this.#model.all('ports').find(({ id }) => id === port)?.['security_groups'] ?? []) as readonly string[]
    return ids.filter((id) => this.get('group', id)?.owner !== undefined)
  }

  rulesOf(group: string): readonly CloudRule[] {
    const there = this.#model.all('security-groups').find(({ id }) => id === group)
    return there === undefined ? [] : groupSeen(there).rules
  }

  hostsOf(port: string): readonly string[] {
    const host = this.#model.all('ports').find(({ id }) => id === port)?.['binding:host_id']
    const bound = typeof host === 'string' && host !== '' ? [host] : []
    return [...bound, ...(this.#model.inactive.get(port) ?? []).map((each) => each.host)]
  }

  isClosed(port: string): boolean {
    return this.#model.all('ports').find(({ id }) => id === port)?.['admin_state_up'] === false
  }

  removePort(id: string): void {
    this.#model.remove('ports', id)
  }

  editPort(id: string): void {
    const port = this.#model.all('ports').find((each) => each.id === id)
    if (port !== undefined) this.#model.change('ports', id, { port_security_enabled: port['port_security_enabled'] !== true })
  }

  putNetwork(name: string, owner: { readonly uid: string; readonly installation: string } | undefined): ThingAtCloud {
    const installation = owner?.installation === 'here' ? this.#installation : 'elsewhere'
    const described = owner && { name: nameOf(owner.uid), description: madeFor({ kind: 'Vpc', name, uid: owner.uid }, installation) }
    const { id } = this.#model.put('networks', { name, status: 'ACTIVE', mtu: 1450, shared: false, 'router:external': false, ...described })
    return { id, owner: owner?.uid }
  }

  driver(cloud: Resource<'Cloud'>, process: Process, way: CloudWay): CloudDriver {
    this.#installation = cloud.metadata.uid
    const deps = { credentials: {}, clock: process.clock, random: () => process.dice.next(), log: silentLog() }
    const driver = neutron(cloud, deps, {
      ask: async ({ method, url, headers = {}, body }) => {
        await way.there()
        const sent = { method, url, ifMatch: headers['if-match'], ...(body !== undefined && { body: JSON.parse(body) as unknown }) }
        const [status, answer] = this.#seenBy(method).answer(sent)
        const [, port, more] = /\/ports\/([^/?]+)(\/bindings)?/.exec(url) ?? []
        if (port !== undefined && status < 300 && (method === 'PUT' || (method === 'POST' && more !== undefined))) this.#plugLater(port)
        await way.back(method !== 'GET' && status < 300)
        return { status, headers: {}, body: structuredClone(answer) }
      },
    })
    // And so long nobody sees that it has been done.
    return { ...driver, landsWithinMs: underWayMostMs[this.#pace] + lagMostMs }
  }

  #seenBy(method: string): NeutronModel {
    const isBehind = method === 'GET' && this.#lag !== undefined && this.#scheduler.now < this.#lag.until
    return isBehind ? this.#lag!.past : this.#model
  }

  #plugLater(id: string): void {
    this.#scheduler.after(plugsMs, "Neutron's agent sees an interface", () => {
      const isBound = this.#model.all('ports').some((port) => port.id === id && port['binding:vif_type'] === 'ovs')
      if (isBound) this.#model.plug(id)
    })
  }
}
