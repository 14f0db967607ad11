// A change of the graph, made while all workers are paused: first what goes, from the rules down to the ports, then what comes, from the
// ports up. Ports take tens of milliseconds: those that only come are made before the pause, those that only go are dropped after it. What
// is there already is left as it is, so that a change that was cut off is made again from its beginning.
import { rm } from 'node:fs/promises'
import type { NodeChange } from '../../../core/contracts/dataplane.ts'
import {
  classText,
  copyOfKey,
  familyOf,
  isOpen,
  ruleKey,
  ruleOfKey,
  type CopyElement,
  type ModuleElement,
  type Element,
  type PortElement,
  type RuleElement,
} from '../../../core/graph/elements.ts'
import * as wire from '../../../core/wire/bess/modules.ts'
import { pack } from '../../../core/wire/protobuf/protobuf.ts'
import { argOf } from './args.ts'
import { copyTo } from './copies.ts'
import { Classes } from './classes.ts'
import type { Daemon } from './daemon.ts'
import { deviceFor, isDpdk, wantedAs } from './devices.ts'
import { moduleName, ourName, portName } from './names.ts'
import { rulesOf, readModule, type SeenModule } from './read-graph.ts'
import { addRule, deleteRule, dropGate, isTable, setDefaultGate, type TableRule } from './tables.ts'

interface Named {
  readonly name: string
  readonly mclass: string
}

interface SeenPort {
  readonly name: string
  readonly vdev: string
  readonly dpdk: boolean
}

/** A connection or rule of a module that stays, to one that is made anew. */
interface Cut {
  readonly from: string
  readonly gate: number
  readonly to: string
}

/** What is left of a change's items, by kind. */
interface Sorted {
  readonly modules: ReadonlyMap<string, ModuleElement>
  readonly ports: ReadonlyMap<string, PortElement>
  readonly rules: readonly RuleElement[]
  readonly copies: readonly CopyElement[]
  readonly limits: ReadonlyMap<string, number>
  readonly goneLimits: ReadonlySet<string>
  readonly goneCopies: readonly Pick<CopyElement, 'family' | 'to'>[]
  readonly goneModules: ReadonlySet<string>
  readonly gonePorts: ReadonlySet<string>
  readonly goneRules: readonly Pick<RuleElement, 'table' | 'values' | 'masks'>[]
}

function sorted({ drop, put }: NodeChange<Element>): Sorted {
  const made = put.map(({ value }) => value)
  const gone = (kind: string): ReadonlySet<string> =>
    new Set(drop.flatMap(({ key }) => (key.startsWith(`${kind}/`) ? [key.slice(kind.length + 1)] : [])))
  const kept = new Set(put.map(({ key }) => key))
  return {
    modules: new Map(made.flatMap((element) => (element.kind === 'module' ? [[element.role, element]] : []))),
    ports: new Map(made.flatMap((element) => (element.kind === 'port' ? [[element.role, element]] : []))),
    rules: made.filter((element) => element.kind === 'rule'),
    copies: made.filter((element) => element.kind === 'copy'),
    limits: new Map(made.flatMap((element) => (element.kind === 'limit' ? [[element.role, element.bitsPerSecond]] : []))),
    goneLimits: gone('limit'),
    goneCopies: drop.flatMap(({ key }) => (kept.has(key) ? [] : (copyOfKey(key) ?? []))),
    goneModules: gone('module'),
    gonePorts: gone('port'),
    goneRules: drop.flatMap(({ key }) => (kept.has(key) ? [] : (ruleOfKey(key) ?? []))),
  }
}

async function each<T>(of: Iterable<T>, take: (one: T) => Promise<unknown>): Promise<void> {
  for (const one of of) await take(one)
}

/** What may be done in any order is on its way at once. All of it has ended when this ends, also where one part failed. */
async function together<T>(of: Iterable<T>, take: (one: T) => Promise<unknown>): Promise<void> {
  const done = await Promise.allSettled([...of].map(take))
  for (const one of done) if (one.status === 'rejected') throw one.reason
}

export class Change {
  readonly #daemon: Daemon
  readonly #sorted: Sorted
  /** By role; what two modules or ports have the same role is dropped and made anew. */
  readonly #modules = new Map<string, Named[]>()
  readonly #ports = new Map<string, readonly SeenPort[]>()
  /** Of DPDK, whosever they are. */
  #devices = 0
  /** Connections of modules that stay, by role and gate. */
  readonly #tables = new Map<string, SeenModule>()
  readonly #cuts: Cut[] = []
  /** Connections of gates that are spoken for. */
  readonly #ways: (() => Promise<unknown>)[] = []
  /** Roles that have just been made. */
  readonly #fresh = new Set<string>()
  /** By role, before anything changes. */
  #limits: ReadonlyMap<string, number> = new Map()

  constructor(daemon: Daemon, change: NodeChange<Element>) {
    this.#daemon = daemon
    this.#sorted = sorted(change)
  }

  /** Workers run on: looks at what is there. */
  async prepare(): Promise<void> {
    await this.#readGraph()
    const nobodyLeaves = this.#leaving().length === 0
    if (nobodyLeaves) await this.#makePorts()
    if (nobodyLeaves && this.#onlyAdds()) await together(this.#tablesOfRules(this.#sorted.rules), (role) => this.#table(role))
  }

  /** Workers are paused. */
  async make(): Promise<void> {
    const { goneRules, goneCopies, goneModules, modules, ports, rules: put, copies } = this.#sorted
    await together(goneRules, ({ table, ...match }) =>
      each(this.#modules.get(table) ?? [], ({ name }) => deleteRule(this.#daemon, name, match)),
    )
    await each(goneCopies, (copy) => this.#copyTo(copy, 0))
    const rules = [...(await this.#rulesOfMadeAnew()), ...put]
    await together(new Set([...goneModules, ...modules.keys()]), (role) => this.#clear(role))
    // One that comes may have the device or the interface of one that goes.
    if ([...ports.keys()].some((role) => this.#kept(role) === undefined)) {
      await this.#clearPorts()
      await this.#makePorts()
    }
    await together(modules.values(), (element) => this.#makeModule(element))
    await this.#limit()
    await together(this.#cuts, (cut) => this.#mend(cut))
    const tables = [...modules.values()].filter(({ args }) => isTable(args.mclass))
    await together(
      [...modules.values()].filter(({ args }) => !isTable(args.mclass)),
      (element) => this.#lead(element),
    )
    await each(tables, (element) => this.#leadDefault(element))
    await each(copies, (copy) => this.#copyTo(copy, 1))
    await together(this.#tablesOfRules(rules), (role) => this.#table(role))
    // Gates one after the other: two rules must not take the same one. Who stands behind them, and what is written into tables, is then any
    // order's.
    const writes: (() => Promise<void>)[] = []
    await each(rules, async (rule) => writes.push(...(await this.#ruleWrites(rule))))
    await together(this.#ways.splice(0), (way) => way())
    await together(writes, (write) => write())
  }

  /** Workers run again, and no module knows of these ports any more. */
  async finish(): Promise<void> {
    await this.#clearPorts()
  }

  async #readGraph(): Promise<void> {
    const [modules, ports, classes] = await Promise.all([this.#daemon.modules(), this.#daemon.ports(), Classes.read(this.#daemon)])
    this.#limits = new Map(classes.limits().map(({ role, bitsPerSecond }) => [role, bitsPerSecond]))
    for (const { name, mclass } of modules) {
      const named = ourName(name)
      if (named !== undefined) this.#modules.set(named.role, [...(this.#modules.get(named.role) ?? []), { name, mclass }])
    }
    this.#devices = ports.filter(isDpdk).length
    for (const port of ports) {
      const named = ourName(port.name)
      if (named !== undefined)
        this.#ports.set(named.role, [...(this.#ports.get(named.role) ?? []), { name: port.name, vdev: wantedAs(port), dpdk: isDpdk(port) }])
    }
  }

  /**
   * Of tables that will be made anew: their rules that the change does not speak of, since they are as they were.
   * They go with the table, so they are looked at before anything does.
   */
  async #rulesOfMadeAnew(): Promise<readonly RuleElement[]> {
    const { modules, rules } = this.#sorted
    const spoken = new Set(rules.map(ruleKey))
    const old = [...modules.values()].flatMap(({ role, args }) => {
      const there = this.#modules.get(role) ?? []
      return isTable(args.mclass) && !there.some(({ name }) => name === moduleName(role, classText(args))) ? there : []
    })
    const seen = await Promise.all(old.map((module) => readModule(this.#daemon, module)))
    const there = seen.flatMap((module) => (module === undefined ? [] : rulesOf(module)))
    return there.filter((rule) => !spoken.has(ruleKey(rule)) && fits(rule, modules.get(rule.table)!))
  }

  /** Away with all modules of a role but the one that is wanted. */
  async #clear(role: string): Promise<void> {
    const wanted = this.#sorted.modules.get(role)
    const there = this.#modules.get(role) ?? []
    const keep = wanted === undefined ? undefined : there.find(({ name }) => name === moduleName(role, classText(wanted.args)))
    for (const each of there) if (each !== keep) await this.#destroy(role, each, wanted !== undefined)
    this.#modules.set(role, keep === undefined ? [] : [keep])
  }

  /** @param again it is made anew: what leads to it is put back afterwards */
  async #destroy(role: string, module: Named, again: boolean): Promise<void> {
    if (again) {
      const { igates } = await this.#daemon.info(module.name)
      for (const { ogates } of igates) for (const { name, ogate } of ogates) this.#cuts.push({ from: name, gate: ogate, to: role })
    }
    await this.#daemon.destroyModule(module.name)
  }

  /** Also of modules that were made anew and have lost theirs with the old one: of what the change does not speak stays as it was. */
  async #limit(): Promise<void> {
    const { limits, goneLimits } = this.#sorted
    const lost = [...this.#limits].filter(([role]) => this.#fresh.has(role) && !goneLimits.has(role))
    const wanted = new Map([...lost, ...limits])
    const gone = [...goneLimits].filter((role) => !wanted.has(role))
    if (wanted.size + gone.length === 0) return
    const classes = await Classes.read(this.#daemon)
    await each(gone, (role) => classes.unlimit(role))
    await each(wanted, async ([role, bitsPerSecond]) => {
      const module = this.#modules.get(role)?.[0]
      if (module !== undefined) await classes.limit(module.name, bitsPerSecond)
    })
  }

  #tablesOfRules(rules: readonly RuleElement[]): ReadonlySet<string> {
    return new Set(rules.map(({ table }) => table))
  }

  /** Nothing of the graph goes or is made anew: tables are at the pause what they were before. */
  #onlyAdds(): boolean {
    const { goneRules, goneCopies, goneModules, modules } = this.#sorted
    const isAnew = ({ role, args }: ModuleElement): boolean =>
      (this.#modules.get(role) ?? []).some(({ name }) => name !== moduleName(role, classText(args)))
    return goneRules.length + goneCopies.length + goneModules.size === 0 && ![...modules.values()].some(isAnew)
  }

  /** The port of a role that is as it is wanted. */
  #kept(role: string): SeenPort | undefined {
    const wanted = this.#sorted.ports.get(role)
    return this.#ports.get(role)?.find(({ vdev }) => vdev === wanted?.vdev)
  }

  /** Ports of the roles that this is about, but those that are as they are wanted. */
  #leaving(): readonly SeenPort[] {
    const { gonePorts, ports } = this.#sorted
    return [...new Set([...gonePorts, ...ports.keys()])].flatMap((role) => {
      const kept = this.#kept(role)
      return (this.#ports.get(role) ?? []).filter((port) => port !== kept)
    })
  }

  async #clearPorts(): Promise<void> {
    const leaving = new Set(this.#leaving())
    await each(leaving, async ({ name, dpdk }) => {
      await this.#daemon.destroyPort(name)
      if (dpdk) this.#devices--
    })
    for (const [role, ports] of this.#ports)
      this.#ports.set(
        role,
        ports.filter((port) => !leaving.has(port)),
      )
  }

  #makePorts(): Promise<void> {
    return each(this.#sorted.ports.values(), (element) => this.#makePort(element))
  }

  async #makePort({ role, vdev }: PortElement): Promise<void> {
    if (this.#ports.get(role)?.length) return
    // A socket that an earlier daemon left behind cannot be bound again.
    const socket = /^net_(?:vhost|memif)\d+,.*?(?:iface|socket)=([^,]+)/.exec(vdev)?.[1]
    if (socket !== undefined) await rm(socket, { force: true })
    const name = portName(role)
    const device = deviceFor(vdev, role.split('.')[1] ?? '', this.#devices)
    await this.#daemon.createPort(name, device)
    if (isDpdk(device)) this.#devices++
    this.#ports.set(role, [{ name, vdev, dpdk: isDpdk(device) }])
  }

  async #makeModule({ role, args }: ModuleElement): Promise<void> {
    if (this.#modules.get(role)?.length) return
    const name = moduleName(role, classText(args))
    await this.#daemon.createModule(
      name,
      args.mclass,
      argOf(args, (port) => this.#ports.get(port)?.[0]?.name ?? ''),
    )
    if (args.mclass === 'ArpResponder')
      await this.#daemon.command(name, 'add', pack(wire.ArpResponderArg, { ip: args.ip, macAddr: args.mac }))
    this.#modules.set(role, [{ name, mclass: args.mclass }])
    this.#fresh.add(role)
  }

  /** Connects what stands behind its gates. One that has just been made leads nowhere yet. */
  async #lead({ role, args, next }: ModuleElement): Promise<void> {
    if (isOpen(classText(args))) return
    const module = this.#modules.get(role)![0]!
    const ogates = this.#fresh.has(role) ? [] : (await this.#daemon.info(module.name)).ogates
    const there = new Map(ogates.map(({ ogate, name }) => [ogate, name]))
    for (let gate = 0; gate < Math.max(next.length, ...[...there.keys()].map((one) => one + 1)); gate++) {
      const wanted = this.#modules.get(next[gate] ?? '')?.[0]?.name
      if (there.get(gate) === wanted) continue
      if (there.has(gate)) await this.#daemon.disconnect(module.name, gate)
      if (wanted !== undefined) await this.#daemon.connect(module.name, gate, wanted)
    }
  }

  async #leadDefault({ role, args: { mclass }, next: [next] }: ModuleElement): Promise<void> {
    const { name } = this.#modules.get(role)![0]!
    const gate = next === undefined ? dropGate : await this.#gateTo(role, next)
    if (gate !== undefined) await setDefaultGate(this.#daemon, name, { mclass, gate })
  }

  async #mend({ from, gate, to }: Cut): Promise<void> {
    const there = [...this.#modules.values()].some((each) => each.some(({ name }) => name === from))
    const target = this.#modules.get(to)?.[0]
    if (!there || target === undefined) return
    const { ogates } = await this.#daemon.info(from)
    if (!ogates.some(({ ogate }) => ogate === gate)) await this.#daemon.connect(from, gate, target.name)
  }

  async #copyTo({ family, to }: Pick<CopyElement, 'family' | 'to'>, times: 0 | 1): Promise<void> {
    const target = this.#modules.get(to)?.[0]?.name
    const open = [...this.#modules].flatMap(([role, [module]]) =>
      familyOf(role) === family && module !== undefined && isOpen(ourName(module.name)!.made) ? [module.name] : [],
    )
    if (target !== undefined) await copyTo(this.#daemon, open, target, times)
  }

  /**
   * The gate of a table that leads there; one that is free, to be connected, where there is none yet; undefined where there is nothing to
   * lead to.
   */
  async #gateTo(table: string, role: string): Promise<number | undefined> {
    if (role === 'drop') return dropGate
    const target = this.#modules.get(role)?.[0]
    const seen = await this.#table(table)
    if (target === undefined || seen === undefined) return undefined
    const outs = seen.outs as Map<number, string>
    for (const [gate, name] of outs) if (name === target.name) return gate
    const gate = freeGate(seen)
    this.#ways.push(() => this.#daemon.connect(seen.name, gate, target.name))
    outs.set(gate, target.name)
    return gate
  }

  async #table(role: string): Promise<SeenModule | undefined> {
    const named = this.#modules.get(role)?.[0]
    if (named === undefined) return undefined
    const seen = this.#tables.get(role) ?? (await readModule(this.#daemon, named))
    if (seen !== undefined) this.#tables.set(role, seen)
    return seen
  }

  /** A rule whose table or target is not there is left out: what is there then differs, and is looked at again. */
  async #ruleWrites(rule: RuleElement): Promise<(() => Promise<void>)[]> {
    const table = this.#modules.get(rule.table)?.[0]
    const gate = await this.#gateTo(rule.table, rule.to)
    if (table === undefined || gate === undefined) return []
    const key = ruleKey(rule)
    const there = (await this.#table(rule.table))?.table?.rules.find((one) => ruleKey({ table: rule.table, ...one }) === key)
    return there?.gate === gate && there.priority === rule.priority ? [] : [() => addRule(this.#daemon, table.name, ruleAt(rule, gate))]
  }
}

/** A rule that has lost its module keeps its gate: nothing else may come to stand behind it. */
function freeGate({ outs, table }: SeenModule): number {
  const used = new Set([...outs.keys(), ...(table?.rules ?? []).map((rule) => rule.gate), table?.defaultGate])
  let gate = 0
  while (used.has(gate)) gate++
  return gate
}

/** A table of other fields has nothing to do with the rules of the one before. */
function fits({ values, masks }: RuleElement, { args }: ModuleElement): boolean {
  if (args.mclass !== 'ExactMatch' && args.mclass !== 'WildcardMatch') return false
  const digits = args.fields.map(({ bytes }) => bytes * 2).join()
  return (masks === undefined) === (args.mclass === 'ExactMatch') && values.map(({ length }) => length).join() === digits
}

const ruleAt = ({ values, masks, priority }: RuleElement, gate: number): TableRule => ({
  gate,
  values,
  ...(masks && { masks }),
  ...(priority !== undefined && { priority }),
})
