// The graph as the daemon has it: what of it is ours, as items' texts.
import { copyKey, copyText, familyOf, isOpen, moduleKey, moduleText, portKey, ruleKey, ruleText, runningKey, runningText } from '../../../core/graph/pieces.ts'
import type { Daemon } from './daemon.ts'
import { wantedAs } from './devices.ts'
import { hopTable, isHop, ourName } from './names.ts'
import { dropGate, isTable, readTable, type TableState } from './tables.ts'

export interface SeenModule {
  readonly name: string
  readonly role: string
  /** Behind the role in its name. */
  readonly made: string
  readonly mclass: string
  /** Gate → name of the module behind it. */
  readonly outs: ReadonlyMap<number, string>
  readonly table: TableState | undefined
  /** Something leads to it. */
  readonly reached: boolean
}

export interface Graph {
  readonly modules: readonly SeenModule[]
  readonly ports: readonly { readonly name: string; readonly role: string; readonly vdev: string }[]
  readonly running: boolean
}

/** Undefined: it went while we looked. */
export async function seeModule(daemon: Daemon, { name, mclass }: { readonly name: string; readonly mclass: string }): Promise<SeenModule | undefined> {
  const named = ourName(name)
  if (named === undefined) return undefined
  const [{ igates, ogates, name: still }, table] = await Promise.all([daemon.info(name), isTable(mclass) ? readTable(daemon, name, mclass) : undefined])
  if (still === '') return undefined
  return { name, ...named, mclass, outs: new Map(ogates.map(({ ogate, name: next }) => [ogate, next])), table, reached: igates.length > 0 }
}

export async function seeGraph(daemon: Daemon): Promise<Graph> {
  const [modules, ports, workers] = await Promise.all([daemon.modules(), daemon.ports(), daemon.workers()])
  const seen = await Promise.all(modules.map((each) => seeModule(daemon, each)))
  return {
    modules: seen.filter((each) => each !== undefined),
    ports: ports.flatMap((port) => {
      const named = ourName(port.name)
      return named === undefined ? [] : [{ name: port.name, role: named.role, vdev: wantedAs(port) }]
    }),
    running: workers.every(({ running }) => running),
  }
}

/** The role behind a gate; `nowhere` where nothing is, and a foreign name as it is. */
function roleBehind({ outs }: SeenModule, gate: number): string {
  if (gate === dropGate) return 'drop'
  const name = outs.get(gate)
  return name === undefined ? 'nowhere' : (ourName(name)?.role ?? `(${name})`)
}

function nextOf(module: SeenModule): readonly string[] {
  const { table, outs, made } = module
  if (isOpen(made)) return []
  if (table !== undefined) return table.defaultGate === dropGate ? [] : [roleBehind(module, table.defaultGate)]
  const last = Math.max(-1, ...outs.keys())
  return Array.from({ length: last + 1 }, (_, gate) => roleBehind(module, gate))
}

/** @param lost what to add to a module's text because the way to its host is not as it should be */
export function textsOf({ modules, ports, running }: Graph, lost: (module: SeenModule) => string): ReadonlyMap<string, string> {
  const seen = new Map<string, string>([[runningKey, running ? runningText : 'paused']])
  // Two of one role, after a rival or a crash: no text that anybody wants, so both are dropped.
  const add = (key: string, text: string): void => void seen.set(key, seen.has(key) ? `${seen.get(key)} and ${text}` : text)
  for (const { role, vdev } of ports) add(portKey(role), vdev)
  for (const module of modules) {
    if (isHop(module.role)) continue
    add(moduleKey(module.role), `${moduleText(module.made, nextOf(module))}${lost(module)}`)
    if (module.role !== hopTable) for (const [key, text] of behind(module)) add(key, text)
  }
  return seen
}

/** Rules of a table, and who gets copies of an open module. */
function behind(module: SeenModule): readonly (readonly [key: string, text: string])[] {
  const { role, made, outs, table } = module
  if (isOpen(made)) return [...outs.keys()].map((gate) => [copyKey({ family: familyOf(role), to: roleBehind(module, gate) }), copyText])
  return (table?.rules ?? []).map((rule) => [ruleKey({ table: role, ...rule }), ruleText({ to: roleBehind(module, rule.gate), ...(rule.priority !== undefined && { priority: rule.priority }) })])
}
