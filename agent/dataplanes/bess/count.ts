// What went through what is ours, as bessd counts it: packets and bytes by port, packets alone by output gate.
import { limitKey, moduleKey, portKey, ruleKey } from '../../../core/graph/elements.ts'
import type { ItemCount } from '../../../core/node/explained.ts'
import { taskOf } from './classes.ts'
import type { Daemon } from './daemon.ts'
import { readGraph, type SeenModule } from './read-graph.ts'

/** @returns by key; nothing for a module that is no way on, and for rules that share their gate with others */
export async function countsOf(daemon: Daemon, keys: ReadonlySet<string>): Promise<ReadonlyMap<string, ItemCount>> {
  const { modules, ports, limits } = await readGraph(daemon)
  const counted = new Map<string, ItemCount>()
  const add = (key: string, packets: number | undefined, bytes?: number): void =>
    void (packets !== undefined && keys.has(key) && counted.set(key, { packets, bytes }))
  await Promise.all(
    ports
      .filter(({ role }) => keys.has(portKey(role)))
      .map(async ({ name, role }) => {
        const { inc, out } = await daemon.portStats(name)
        add(portKey(role), (inc?.packets ?? 0) + (out?.packets ?? 0), (inc?.bytes ?? 0) + (out?.bytes ?? 0))
      }),
  )
  await Promise.all(
    modules.flatMap(({ name, role }) => {
      const key = limitKey(role)
      return keys.has(key) && limits.some((limit) => limit.role === role)
        ? [taskCount(daemon, name).then((count) => counted.set(key, count))]
        : []
    }),
  )
  await Promise.all(
    modules.map(async (module) => {
      const { ogates } = await daemon.info(module.name)
      const gates = new Map(ogates.map(({ ogate, pkts }) => [ogate, pkts]))
      if (gates.size > 0)
        add(
          moduleKey(module.role),
          [...gates.values()].reduce((sum, each) => sum + each, 0),
        )
      for (const rule of rulesAlone(module)) add(ruleKey({ table: module.role, ...rule }), gates.get(rule.gate))
    }),
  )
  return counted
}

/** Frame overhead that tasks count for each packet: preamble, gap and checksum (pkt_overhead in core/modules/port_inc.cc). */
const overheadBytes = 24

/** Of the task, not of the class above it: that has counted what others had before who have the role now. */
async function taskCount(daemon: Daemon, module: string): Promise<ItemCount> {
  const { packets, bits } = await daemon.classStats(taskOf(module))
  return { packets, bytes: Math.max(bits / 8 - packets * overheadBytes, 0) }
}

/** Rules behind whose gate nothing else of their table leads. */
function rulesAlone({ table }: SeenModule): NonNullable<SeenModule['table']>['rules'] {
  if (table === undefined) return []
  const uses = new Map([[table.defaultGate, 1]])
  for (const { gate } of table.rules) uses.set(gate, (uses.get(gate) ?? 0) + 1)
  return table.rules.filter(({ gate }) => uses.get(gate) === 1)
}
