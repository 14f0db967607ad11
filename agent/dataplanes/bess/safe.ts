// Whether a graph may be resumed. See core/graph/base.ts, `anchor`, for what would end the daemon.
import type { Graph, SeenModule } from './read-graph.ts'

/** Behind these the metadata that tables read has been written. */
const writers: ReadonlySet<string> = new Set(['SetMetadata', 'VXLANDecap', 'VXLANEncap', 'IPEncap'])
const readsMetadata = ({ mclass, made }: SeenModule): boolean =>
  (mclass === 'ExactMatch' || mclass === 'WildcardMatch') && /[( ][a-z_]+\/\d/.test(made)

/** Modules that nothing leads to, and behind which a table finds its metadata unwritten; none: resume. */
export function unsafeModules({ modules }: Graph): readonly string[] {
  const byName = new Map(modules.map((module) => [module.name, module]))
  const meets = (module: SeenModule, seen: Set<string>): boolean => {
    if (writers.has(module.mclass) || seen.has(module.name)) return false
    seen.add(module.name)
    if (readsMetadata(module)) return true
    return [...module.outs.values()].some((name) => {
      const next = byName.get(name)
      return next !== undefined && meets(next, seen)
    })
  }
  return modules.filter((module) => !module.reached && !readsMetadata(module) && meets(module, new Set())).map(({ name }) => name)
}
