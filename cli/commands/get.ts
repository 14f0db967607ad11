// megrez get: objects as a table, JSON or YAML; once, or as they change.
import { stringify } from 'yaml'
import { scopeOf, pluralOf, type Kind } from '../../core/kinds/index.ts'
import { Api, refusal, type Selection } from '../rest/api.ts'
import { flagLines, helpFlag, readArgs, serverFlags, type Flags, type GivenArguments } from '../args.ts'
import { columnsOf, type Item } from '../columns.ts'
import { CliError, type Context, type Exit } from '../context.ts'
import { follow } from '../rest/events.ts'
import { kindNamed } from '../kind-names.ts'
import { defaultNamespace } from '../manifests/placed.ts'
import { Table } from '../table.ts'
import { targetOf } from '../rest/target.ts'

const outputs = ['table', 'wide', 'json', 'yaml'] as const
type Output = (typeof outputs)[number]

export const flags: Flags = {
  namespace: { type: 'string', short: 'n', value: 'NAME', meaning: 'in this namespace (default)' },
  'all-namespaces': { type: 'boolean', short: 'A', meaning: 'in all namespaces' },
  output: { type: 'string', short: 'o', value: outputs.join('|'), meaning: 'how to print (table)' },
  selector: { type: 'string', short: 'l', value: 'LABELS', meaning: 'only those whose labels fit: a=b,c!=d,e in (f,g),h,!i' },
  'field-selector': { type: 'string', value: 'FIELDS', meaning: 'only those whose fields fit: spec.node=a' },
  watch: { type: 'boolean', short: 'w', meaning: 'go on, and print each change' },
  ...serverFlags,
  ...helpFlag,
}
export const summary = 'show objects of a kind, or one of them'
export const usage = `megrez get KIND [NAME] [-n NAMESPACE | -A] [-o ${outputs.join('|')}] [-w] [-l LABELS]\n\n${flagLines(flags)}`

interface GetRequest {
  readonly kind: Kind
  readonly name: string | undefined
  readonly namespace: string | undefined
  readonly selection: Selection
  readonly output: Output
}

export async function run(args: readonly string[], context: Context): Promise<Exit> {
  const given = readArgs(args, flags)
  const wanted = wantedOf(given)
  const api = new Api(await targetOf(given, context), context.signal)
  if (given.has('watch')) return watch(api, wanted, context)
  const { kind, name, namespace, selection } = wanted
  if (name !== undefined) {
    const { item, problem } = await api.get(kind, namespace ?? '', name)
    if (problem !== undefined) throw refusal(problem)
    context.out(item === undefined ? '' : printOne(item, wanted, context.now()))
    return 0
  }
  const items: Item[] = []
  for await (const item of api.list(kind, namespace, selection)) items.push(item)
  printAll(items, wanted, context)
  return 0
}

function printAll(items: readonly Item[], wanted: GetRequest, { out, err, now }: Context): void {
  const { kind, namespace, output } = wanted
  if (output === 'json') out(`${JSON.stringify({ apiVersion: 'v1', kind: 'List', items }, null, 2)}\n`)
  else if (output === 'yaml') out(stringify({ apiVersion: 'v1', kind: 'List', items }))
  else if (items.length === 0) err(`no ${pluralOf(kind)} ${namespace === undefined ? 'anywhere' : `in namespace ${namespace}`}\n`)
  else out(printTable(items, wanted, now()))
}

/** `KIND`, `KIND NAME` or `KIND/NAME`. */
function wordsOf([word, second, excess]: readonly string[]): { readonly kind: Kind; readonly name: string | undefined } {
  if (word === undefined) throw new CliError(2, 'which kind? megrez get ports, for one')
  const [kindWord = '', slashed] = word.split('/')
  const tooMany = slashed === undefined ? excess : second
  if (tooMany !== undefined) throw new CliError(2, `${JSON.stringify(tooMany)} is one word too many`)
  return { kind: kindNamed(kindWord), name: slashed ?? second }
}

function outputOf(given: GivenArguments): Output {
  const output = given.text('output') ?? 'table'
  const found = outputs.find((each) => each === output)
  if (found === undefined) throw new CliError(2, `there is no output ${JSON.stringify(output)}: there are ${outputs.join(', ')}`)
  return found
}

function wantedOf(given: GivenArguments): GetRequest {
  const { kind, name } = wordsOf(given.words)
  const everywhere = given.has('all-namespaces')
  if (everywhere && given.text('namespace') !== undefined)
    throw new CliError(2, '-A is of all namespaces and -n of one: give one of the two')
  if (name !== undefined && everywhere) throw new CliError(2, 'a name is of one namespace: -n instead of -A')
  const fields = [given.text('field-selector'), given.has('watch') && name !== undefined ? `metadata.name=${name}` : undefined].filter(
    (each) => each !== undefined,
  )
  const namespace = everywhere || scopeOf(kind) === 'Cluster' ? undefined : (given.text('namespace') ?? defaultNamespace)
  return { kind, name, namespace, selection: selectionOf(given.text('selector'), fields), output: outputOf(given) }
}

const selectionOf = (labels: string | undefined, fields: readonly string[]): Selection => ({
  ...(labels !== undefined && { labelSelector: labels }),
  ...(fields.length > 0 && { fieldSelector: fields.join(',') }),
})

function rowsOf(
  items: readonly Item[],
  { kind, namespace, output }: GetRequest,
  now: number,
): { readonly headings: readonly string[]; readonly rows: readonly (readonly string[])[] } {
  const columns = columnsOf(kind, output === 'wide')
  const everywhere = namespace === undefined && scopeOf(kind) === 'Namespaced'
  const headings = [...(everywhere ? ['Namespace'] : []), 'Name', ...columns.map(({ name }) => name)]
  return {
    headings,
    rows: items.map((item) => [
      ...(everywhere ? [item.metadata.namespace ?? ''] : []),
      item.metadata.name,
      ...columns.map((column) => column.show(item, now)),
    ]),
  }
}

function printTable(items: readonly Item[], wanted: GetRequest, now: number): string {
  const { headings, rows } = rowsOf(items, wanted, now)
  const table = new Table(headings, rows)
  return [table.heading(), ...rows.map((row) => table.row(row))].join('')
}

function printOne(item: Item, wanted: GetRequest, now: number): string {
  if (wanted.output === 'json') return `${JSON.stringify(item, null, 2)}\n`
  return wanted.output === 'yaml' ? stringify(item) : printTable([item], wanted, now)
}

async function watch(api: Api, wanted: GetRequest, context: Context): Promise<Exit> {
  const { kind, namespace, selection } = wanted
  const query = new URLSearchParams({ watch: 'true', ...selection })
  const path = `/v1/${namespace === undefined ? '' : `namespaces/${encodeURIComponent(namespace)}/`}${pluralOf(kind)}?${query}`
  const print = printerOf(wanted, context)
  for await (const change of follow(api, path, context.signal)) print(change.event === 'all' ? change.items : [change.item], change.event)
  return 0
}

/** One line an object: a row under one heading, a line of JSON, or a YAML document. */
function printerOf(wanted: GetRequest, { out, now }: Context): (items: readonly Item[], event: string) => void {
  if (wanted.output === 'json') return (items, event) => out(items.map((item) => `${JSON.stringify({ event, item })}\n`).join(''))
  if (wanted.output === 'yaml') return (items) => out(items.map((item) => `---\n${stringify(item)}`).join(''))
  let table: Table | undefined
  return (items, event) => {
    if (items.length === 0) return
    const { headings, rows } = rowsOf(items, wanted, now())
    if (table === undefined) out((table = new Table([...headings, ''], rows)).heading())
    const widths = table
    out(rows.map((row) => widths.row(event === 'gone' ? [...row, '(gone)'] : row)).join(''))
  }
}
