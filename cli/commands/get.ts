// megrez get: objects of a kind, of several, or all, once or as they change.
import type { Kind } from '../../core/kinds/index.ts'
import { Api } from '../rest/api.ts'
import { defaultNamespace, flagLines, helpFlag, readArgs, selectionOf, selectorFlags, serverFlags } from '../args.ts'
import type { Flags, GivenArguments, Selection } from '../args.ts'
import { askedIn, type AskedObjects } from '../kinds/requested-objects.ts'
import type { Item } from '../kinds/columns.ts'
import { isNamespaced, pluralOf } from '../kinds/names.ts'
import { CliError, type Context, type Exit } from '../context.ts'
import { asText, outputOf, outputs, tableText, type Printing } from '../output/objects.ts'
import { foundOf } from '../rest/objects-by-name.ts'
import { targetOf } from '../rest/target.ts'

export const flags: Flags = {
  namespace: { type: 'string', short: 'n', value: 'NAME', meaning: 'in this namespace (default)' },
  'all-namespaces': { type: 'boolean', short: 'A', meaning: 'in all namespaces' },
  output: { type: 'string', short: 'o', value: outputs, meaning: 'how to print (table)' },
  ...selectorFlags,
  watch: { type: 'boolean', short: 'w', meaning: 'go on, and print each change; of one kind' },
  'no-headers': { type: 'boolean', meaning: 'a table without its headings' },
  'ignore-not-found': { type: 'boolean', meaning: 'what is not there is no fault' },
  ...serverFlags,
  ...helpFlag,
}
export const completes = 'objects'
export const usage = `megrez get KIND[,KIND…]|all [NAME…] [-n NAMESPACE | -A] [-o OUTPUT] [-w] [-l LABELS]
megrez get KIND/NAME…

${flagLines(flags)}`

interface GetRequest {
  readonly asked: readonly AskedObjects[]
  /** Undefined: all. */
  readonly namespace: string | undefined
  readonly selection: Selection
  readonly printing: Printing
  readonly notFoundIsFine: boolean
}

export async function run(args: readonly string[], context: Context): Promise<Exit> {
  const given = readArgs(args, flags)
  const wanted = await wantedOf(given, context)
  const api = new Api(await targetOf(given, context), context.signal)
  if (given.has('watch')) return (await import('../rest/watch-printed.ts')).watchPrinted(api, wanted, context)
  const found: OfKind[] = []
  const missing: string[] = []
  for (const each of await mayBeListed(api, wanted, given.words)) {
    const { items, missing: some } = await foundOf(api, each, wanted)
    found.push({ kind: each.kind, items })
    missing.push(...(wanted.notFoundIsFine ? [] : some))
  }
  for (const fault of missing) context.err(`megrez: ${fault}\n`)
  if (missing.length === 0 || found.some(({ items }) => items.length > 0)) await print(found, wanted, context)
  return missing.length === 0 ? 0 : 1
}

/** Of `all` only what the caller may list at all, without a word on the rest. */
async function mayBeListed(api: Api, { asked, namespace }: GetRequest, [word = '']: readonly string[]): Promise<readonly AskedObjects[]> {
  if (word !== 'all') return asked
  const kinds = await api.listable(namespace)
  return kinds === undefined ? asked : asked.filter(({ kind }) => kinds.has(kind))
}

interface OfKind {
  readonly kind: Kind
  readonly items: readonly Item[]
}

async function print(found: readonly OfKind[], wanted: GetRequest, { out, err }: Context): Promise<void> {
  const { printing, namespace, asked, notFoundIsFine } = wanted
  const items = found.flatMap(({ items: some }) => some)
  const isNamed = asked.some(({ names }) => names.length > 0)
  if (isNamed && items.length === 0) return
  const text = await asText(isNamed && isOne(asked) ? items[0] : { apiVersion: 'v1', kind: 'List', items }, items, printing)
  if (text !== undefined) return out(text)
  const full = found.filter(({ items: some }) => some.length > 0)
  if (full.length === 0 && !notFoundIsFine) err(`${nothing(found, namespace)}\n`)
  out(full.map(({ kind, items: some }) => tableText(kind, some, printing, found.length > 1)).join('\n'))
}

const nothing = (found: readonly OfKind[], namespace: string | undefined): string =>
  `no ${found.length > 3 ? 'objects' : found.map(({ kind }) => pluralOf(kind)).join(' and no ')} ${namespace === undefined ? 'anywhere' : `in namespace ${namespace}`}`

async function wantedOf(given: GivenArguments, context: Context): Promise<GetRequest> {
  const selected = askedIn(given.words, 'megrez get ports')
  const everywhere = given.has('all-namespaces')
  const named = selected.some(({ names }) => names.length > 0)
  refuseContradictions(given, { asked: selected, everywhere, named })
  const output = await outputOf(given.text('output'))
  const clusterWide = selected.every(({ kind }) => !isNamespaced(kind))
  return {
    asked: selected,
    namespace: everywhere || clusterWide ? undefined : (given.text('namespace') ?? defaultNamespace),
    selection: selectionOf(given),
    printing: { output, everywhere, headings: !given.has('no-headers'), now: context.now(), terminal: context.terminal },
    notFoundIsFine: given.has('ignore-not-found'),
  }
}

/** One kind, or one object. */
const isOne = ([first, second]: readonly AskedObjects[]): boolean => second === undefined && (first?.names.length ?? 0) < 2

interface Words {
  readonly asked: readonly AskedObjects[]
  readonly everywhere: boolean
  readonly named: boolean
}

function refuseContradictions(given: GivenArguments, { asked, everywhere, named }: Words): void {
  const isSelecting = Object.keys(selectionOf(given)).length > 0
  const wrong = [
    everywhere && given.text('namespace') !== undefined && '-A is of all namespaces and -n of one: give one of the two',
    named && everywhere && 'a name is of one namespace: -n instead of -A',
    named && isSelecting && 'a name says which object it is: no selector beside it',
    given.has('watch') && !isOne(asked) && '-w follows one kind, or one object',
  ].find((each) => each !== false)
  if (wrong !== undefined) throw new CliError(2, wrong)
}
