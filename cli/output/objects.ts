// Objects as a table, JSON, YAML, names, or what a JSONPath finds in them.
import type { Kind } from '../../core/kinds/index.ts'
import { CliError, type Terminal } from '../context.ts'
import { columnsOf, type Item } from '../kinds/columns.ts'
import { isNamespaced, nameWithKind } from '../kinds/names.ts'
import { coloured } from './terminal.ts'
import { Table } from './table.ts'

const words = ['table', 'wide', 'json', 'yaml', 'name'] as const
/** For a usage. */
export const outputs = [...words, 'jsonpath=TEMPLATE'].join('|')

export type Output = (typeof words)[number] | { readonly jsonPath: (value: unknown) => string }

/** @throws CliError 2 */
export async function outputOf(given: string | undefined): Promise<Output> {
  const [word = 'table', ...template] = (given ?? 'table').split('=')
  if (word === 'jsonpath') {
    if (template.length === 0) throw new CliError(2, "-o jsonpath needs a template: -o jsonpath='{.metadata.name}'")
    return { jsonPath: (await import('./jsonpath.ts')).jsonPath(template.join('=')) }
  }
  const found = words.find((each) => each === given)
  if (given !== undefined && found === undefined)
    throw new CliError(2, `there is no output ${JSON.stringify(given)}: there are ${outputs.replaceAll('|', ', ')}`)
  return found ?? 'table'
}

export interface Printing {
  readonly output: Output
  readonly everywhere: boolean
  readonly headings: boolean
  readonly now: number
  readonly terminal: Terminal | undefined
}

/** What is no table, and undefined for what is one. @param value one object, or a List */
export async function asText(value: unknown, items: readonly Item[], { output }: Printing): Promise<string | undefined> {
  if (typeof output === 'object') return output.jsonPath(value)
  if (output === 'json') return `${JSON.stringify(value, null, 2)}\n`
  if (output === 'yaml') return (await import('yaml')).stringify(value)
  return output === 'name' ? items.map(({ kind, metadata: { name } }) => `${nameWithKind(kind as Kind, name)}\n`).join('') : undefined
}

export interface Rows {
  readonly headings: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** @param ofSeveral names have their kind in front, as `port/web` */
export function rowsOf(kind: Kind, items: readonly Item[], { output, everywhere, now }: Printing, ofSeveral = false): Rows {
  const columns = columnsOf(kind, output === 'wide')
  const withNamespace = everywhere && isNamespaced(kind)
  return {
    headings: [...(withNamespace ? ['Namespace'] : []), 'Name', ...columns.map(({ name }) => name)],
    rows: items.map((item) => [
      ...(withNamespace ? [item.metadata.namespace ?? ''] : []),
      ofSeveral ? nameWithKind(kind, item.metadata.name) : item.metadata.name,
      ...columns.map((column) => column.show(item, now)),
    ]),
  }
}

export function tableText(kind: Kind, items: readonly Item[], printing: Printing, ofSeveral: boolean): string {
  const { headings, rows } = rowsOf(kind, items, printing, ofSeveral)
  const table = new Table(headings, rows, (cell) => coloured(cell, printing.terminal))
  return [printing.headings ? table.heading() : '', ...rows.map((row) => table.row(row))].join('')
}
