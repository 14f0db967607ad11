// The graph as the daemon has it: what of it is ours, as items' texts.
import {
  copyKey,
  copyText,
  familyOf,
  isOpen,
  limitKey,
  moduleKey,
  moduleText,
  portKey,
  ruleKey,
  ruleText,
  runningKey,
  runningText,
  type RuleElement,
} from '../../../core/graph/elements.ts'
import type { Daemon } from './daemon.ts'
import { Classes, type SeenLimit } from './classes.ts'
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
  readonly limits: readonly SeenLimit[]
  readonly running: boolean
}

type Listed = Pick<SeenModule, 'name' | 'mclass'>

/** With who leads to it: names and gates. */
interface ReadModule {
  readonly seen: SeenModule
  readonly from: readonly { readonly name: string; readonly ogate: number }[]
}

async function readWithUpstreams(daemon: Daemon, { name, mclass }: Listed): Promise<ReadModule | undefined> {
  const named = ourName(name)
  if (named === undefined) return undefined
  const [{ igates, ogates, name: still }, table] = await Promise.all([
    daemon.info(name),
    isTable(mclass) ? readTable(daemon, name, mclass) : undefined,
  ])
  if (still === '') return undefined
  const from = igates.flatMap((gate) => gate.ogates)
  return {
    seen: { name, ...named, mclass, outs: new Map(ogates.map(({ ogate, name: next }) => [ogate, next])), table, reached: from.length > 0 },
    from,
  }
}

/** Undefined: it went while we looked. */
export const readModule = async (daemon: Daemon, listed: Listed): Promise<SeenModule | undefined> =>
  (await readWithUpstreams(daemon, listed))?.seen

/** Of no output gate, or of one (kNumOGates in core/modules): where a module says that such a one leads to it, nothing is left to ask. */
const outsMax: ReadonlyMap<string, number> = new Map([
  ['PortOut', 0],
  ...[
    'PortInc',
    'SetMetadata',
    'ArpResponder',
    'Update',
    'UpdateTTL',
    'VXLANEncap',
    'VXLANDecap',
    'IPEncap',
    'EtherEncap',
    'VLANPush',
    'VLANPop',
    'Queue',
    'GenericEncap',
    'GenericDecap',
    'IPSwap',
    'IPChecksum',
  ].map((mclass) => [mclass, 1] as const),
])
/** To one of these, or to a table, lead all modules that a node has for each address and host. */
const gathering: ReadonlySet<string> = new Set(['VXLANEncap', 'EtherEncap', 'UpdateTTL'])

/** Asks those that tell of many, and of the others those that nobody told of: a few for each port, whatever the number of addresses. */
async function seeModules(daemon: Daemon, listed: readonly Listed[]): Promise<readonly SeenModule[]> {
  const read = async (some: readonly Listed[]): Promise<readonly ReadModule[]> =>
    (await Promise.all(some.map((one) => readWithUpstreams(daemon, one)))).filter((one) => one !== undefined)
  const reportsMany = ({ mclass }: Listed): boolean => gathering.has(mclass) || !outsMax.has(mclass)
  const first = await read(listed.filter(reportsMany))
  const outs = new Map(first.flatMap(({ seen, from }) => from.map(({ name, ogate }) => [name, new Map([[ogate, seen.name]])] as const)))
  const rest = listed.filter((one) => !reportsMany(one))
  const silent = ({ name, mclass }: Listed): boolean => outsMax.get(mclass) !== 0 && !outs.has(name)
  const modules = [...first, ...(await read(rest.filter(silent)))].map(({ seen }) => seen)
  const described = rest
    .filter((one) => !silent(one))
    .flatMap(({ name, mclass }) => {
      const named = ourName(name)
      return named === undefined ? [] : [{ name, ...named, mclass, outs: outs.get(name) ?? new Map<number, string>(), table: undefined }]
    })
  // By a module of somebody else only where it was asked: what safe.ts makes of the others is on the safe side.
  const reached = new Set([...modules, ...described].flatMap((one) => [...one.outs.values()]))
  return [...modules, ...described.map((one) => ({ ...one, reached: reached.has(one.name) }))]
}

export async function readGraph(daemon: Daemon): Promise<Graph> {
  const [modules, ports, workers, classes] = await Promise.all([daemon.modules(), daemon.ports(), daemon.workers(), Classes.read(daemon)])
  return {
    modules: await seeModules(daemon, modules),
    ports: ports.flatMap((port) => {
      const named = ourName(port.name)
      return named === undefined ? [] : [{ name: port.name, role: named.role, vdev: wantedAs(port) }]
    }),
    limits: classes.limits(),
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
export function textsOf({ modules, ports, limits, running }: Graph, lost: (module: SeenModule) => string): ReadonlyMap<string, string> {
  const seen = new Map<string, string>([[runningKey, running ? runningText : 'paused']])
  // Two of one role, after a rival or a crash: no text that anybody wants, so both are dropped.
  const add = (key: string, text: string): void => void seen.set(key, seen.has(key) ? `${seen.get(key)} and ${text}` : text)
  for (const { role, vdev } of ports) add(portKey(role), vdev)
  for (const { role, text } of limits) add(limitKey(role), text)
  for (const module of modules) {
    if (isHop(module.role)) continue
    add(moduleKey(module.role), `${moduleText(module.made, nextOf(module))}${lost(module)}`)
    if (module.role !== hopTable) for (const [key, text] of behind(module)) add(key, text)
  }
  return seen
}

/** Rules of a table as they would be put again. */
export const rulesOf = (module: SeenModule): readonly RuleElement[] =>
  (module.table?.rules ?? []).map(({ gate, ...rule }) => ({ kind: 'rule', table: module.role, ...rule, to: roleBehind(module, gate) }))

/** Rules of a table, and who gets copies of an open module. */
function behind(module: SeenModule): readonly (readonly [key: string, text: string])[] {
  const { role, made, outs, table } = module
  if (isOpen(made)) return [...outs.keys()].map((gate) => [copyKey({ family: familyOf(role), to: roleBehind(module, gate) }), copyText])
  return (table?.rules ?? []).map((rule) => [
    ruleKey({ table: role, ...rule }),
    ruleText({ to: roleBehind(module, rule.gate), ...(rule.priority !== undefined && { priority: rule.priority }) }),
  ])
}
