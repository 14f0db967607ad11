// What the table of recipes in CONTRIBUTING.md says of files: the cells `to add | new | touched | files`.
import { read } from '../repo/sources.ts'

export interface PageRow {
  /** Folders, one for each new file. */
  readonly made: readonly string[]
  readonly touched: readonly string[]
  /** Files that depend on what is added: *who throws it*. */
  readonly others: number
  /** The numbers that the row ends with. */
  readonly files: readonly [made: number, touched: number]
}

/** By the first cell, which may name the recipe in brackets. */
export function pageRows(): ReadonlyMap<string, PageRow> {
  const rows = new Map<string, PageRow>()
  for (const line of read('CONTRIBUTING.md').split('\n')) {
    const [toAdd = '', made = '', touched = '', files = ''] = line.split('|').slice(1, -1)
    const numbers = /^ (\d+) \+ (\d+) $/.exec(files)
    if (numbers === null) continue
    const name = toAdd.replace(/\(.*\)/, '').trim()
    rows.set(name, {
      made: quoted(made),
      touched: quoted(touched),
      others: [...touched.matchAll(/(?<!\*)\*[^*]+\*(?!\*)/g)].length,
      files: [Number(numbers[1]), Number(numbers[2])],
    })
  }
  return rows
}

const quoted = (cell: string): readonly string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path)

/** What a patch adds and changes; generated files are in none. */
export function filesOf(patch: string): { readonly made: readonly string[]; readonly touched: readonly string[] } {
  const parts = patch.split(/^diff --git a\/\S+ b\//m).slice(1)
  const named = parts.map((part) => ({ path: part.slice(0, part.indexOf('\n')), isNew: part.includes('\nnew file mode ') }))
  return {
    made: named.filter(({ isNew }) => isNew).map(({ path }) => path),
    touched: named.filter(({ isNew }) => !isNew).map(({ path }) => path),
  }
}
