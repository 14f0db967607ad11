// One line an object that changes: a row under one heading, a line of JSON, a YAML document, a name, or what a JSONPath finds.
import type { Kind } from '../../core/kinds/index.ts'
import type { Selection } from '../args.ts'
import type { Context, Exit } from '../context.ts'
import type { AskedObjects } from '../kinds/requested-objects.ts'
import type { Item } from '../kinds/columns.ts'
import { asText, rowsOf, type Printing } from '../output/objects.ts'
import { coloured } from '../output/terminal.ts'
import { Table } from '../output/table.ts'
import type { Api } from './api.ts'
import { follow, watchPath } from './events.ts'

interface Watched {
  readonly asked: readonly AskedObjects[]
  readonly namespace: string | undefined
  readonly selection: Selection
  readonly printing: Printing
}

/** Until the user has had enough. */
export async function watchPrinted(api: Api, { asked, namespace, selection, printing }: Watched, context: Context): Promise<Exit> {
  const [{ kind, names } = { kind: 'Port' as const, names: [] }] = asked
  const path = watchPath(kind, namespace, { ...selection, ...(names[0] !== undefined && { fieldSelector: `metadata.name=${names[0]}` }) })
  const print = printerOf(kind, printing, context)
  for await (const change of follow(api, path, context.signal))
    await print(change.event === 'all' ? change.items : [change.item], change.event)
  return 0
}

function printerOf(kind: Kind, printing: Printing, context: Context): (items: readonly Item[], event: string) => Promise<void> {
  const { output } = printing
  if (output === 'table' || output === 'wide') return tablePrinter(kind, printing, context)
  if (output === 'json') return async (items, event) => context.out(items.map((item) => `${JSON.stringify({ event, item })}\n`).join(''))
  const [before, behind] = [output === 'yaml' ? '---\n' : '', typeof output === 'object' ? '\n' : '']
  return async (items) => {
    for (const item of items) context.out(`${before}${(await asText(item, [item], printing)) ?? ''}${behind}`)
  }
}

function tablePrinter(
  kind: Kind,
  printing: Printing,
  { out, now, terminal }: Context,
): (items: readonly Item[], event: string) => Promise<void> {
  let table: Table | undefined
  return async (items, event) => {
    if (items.length === 0) return
    const { headings, rows } = rowsOf(kind, items, { ...printing, now: now() })
    if (table === undefined) {
      table = new Table([...headings, ''], rows, (cell) => coloured(cell, terminal))
      if (printing.headings) out(table.heading())
    }
    const widths = table
    out(rows.map((row) => widths.row(event === 'gone' ? [...row, '(gone)'] : row)).join(''))
  }
}
