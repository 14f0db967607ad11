// The table of folders in ARCHITECTURE.md, from the table of who may import whom.
import { table } from './import-table.ts'
import { read } from './sources.ts'

export const architecturePath = 'ARCHITECTURE.md'
const [begin, end] = ['<!-- Generated from test/repo/import-table.ts by npm run gen. -->', '<!-- End of what is generated. -->']

/** The files of core that have no folder: most of core may import them. */
const loose: readonly string[] = table.find(({ of }) => of === 'core/')?.from ?? []

const quoted = (path: string): string => `\`${path.replace(/\/$/, '')}\``

/** Several files of one folder are told by their number: the table of imports has their names. */
function cellsOf(places: readonly string[]): readonly string[] {
  const folderOf = (path: string): string => (path.endsWith('.ts') && path !== 'core/*.ts' ? path.split('/').slice(0, 2).join('/') : path)
  return [...Map.groupBy(places, folderOf)].map(([folder, [first = '', ...more]]) =>
    more.length === 0 ? quoted(first) : `${more.length + 1} files of ${quoted(folder)}`,
  )
}

export function foldersTable(): string {
  const rows = table.flatMap(({ of, is, from, npm, pure }) => {
    if (is === undefined) return []
    const places = from.filter((place) => place !== of && !loose.includes(place))
    const others = of !== 'core/' && from.some((place) => loose.includes(place)) ? [...places, 'core/*.ts'] : places
    const packages = npm.length === 0 ? '' : `; packages: ${npm.join(', ')}`
    return [`| ${quoted(of)} | ${is} | ${pure ? 'yes' : ''} | ${cellsOf(others).join(', ') || 'nothing else'}${packages} |`]
  })
  return ['| folder | what is in it | pure | may import, beside itself |', '|---|---|---|---|', ...rows].join('\n')
}

/** The page with its table as it is to be; the rest is as it was written. */
export function architecturePage(): string {
  const page = read(architecturePath)
  const [from, to] = [page.indexOf(begin), page.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`${architecturePath} has no place for its table of folders`)
  return `${page.slice(0, from)}${begin}\n\n${foldersTable()}\n\n${page.slice(to)}`
}
