// Whether a graph may be resumed. See core/graph/base.ts, `anchor`, for what would end the daemon.
import type { Graph, SeenModule } from './read-graph.ts'

/** Behind these the metadata of tunnels, which is all that is read there, has been written. */
const writers: ReadonlySet<string> = new Set(['VXLANDecap', 'VXLANEncap', 'IPEncap'])
const namesIn = (text: string, pattern: RegExp): readonly string[] => [...text.matchAll(pattern)].map(([, name]) => name!)
const readBy = ({ mclass, made }: SeenModule): readonly string[] =>
  mclass === 'ExactMatch' || mclass === 'WildcardMatch' ? namesIn(made, /[( ]([a-z_]+)\/\d/g) : []
const writtenBy = ({ mclass, made }: SeenModule): readonly string[] => (mclass === 'SetMetadata' ? namesIn(made, /[( ]([a-z_]+)=/g) : [])

/** Modules that nothing leads to, and behind which a table finds metadata unwritten; none: resume. */
export function unsafeModules({ modules }: Graph): readonly string[] {
  const byName = new Map(modules.map((module) => [module.name, module]))
  const meets = (module: SeenModule, written: readonly string[], seen: Set<string>): boolean => {
    if (writers.has(module.mclass) || seen.has(module.name)) return false
    seen.add(module.name)
    if (readBy(module).some((name) => !written.includes(name))) return true
    const all = [...written, ...writtenBy(module)]
    return [...module.outs.values()].some((name) => {
      const next = byName.get(name)
      return next !== undefined && meets(next, all, seen)
    })
  }
  const begins = modules.filter((module) => !module.reached && readBy(module).length === 0)
  return begins.filter((module) => meets(module, [], new Set())).map(({ name }) => name)
}
