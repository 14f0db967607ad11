// megrez describe: objects for a person, with what was said of them.
import { Api } from '../rest/api.ts'
import { defaultNamespace, flagLines, helpFlag, readArgs, selectionOf, selectorFlags, serverFlags, type Flags } from '../args.ts'
import { askedIn } from '../kinds/requested-objects.ts'
import type { Item } from '../kinds/columns.ts'
import { CliError, type Context, type Exit } from '../context.ts'
import { describedText, type ToldEvent } from '../output/described.ts'
import { foundOf } from '../rest/objects-by-name.ts'
import { targetOf } from '../rest/target.ts'

export const flags: Flags = {
  namespace: { type: 'string', short: 'n', value: 'NAME', meaning: 'in this namespace (default)' },
  ...selectorFlags,
  ...serverFlags,
  ...helpFlag,
}
export const completes = 'objects'
export const usage = `megrez describe KIND [NAME…] [-n NAMESPACE] [-l LABELS]\nmegrez describe KIND/NAME…\n\n${flagLines(flags)}`

export async function run(args: readonly string[], context: Context): Promise<Exit> {
  const given = readArgs(args, flags)
  const selected = askedIn(given.words, 'megrez describe port web')
  const namespace = given.text('namespace') ?? defaultNamespace
  const api = new Api(await targetOf(given, context), context.signal)
  const found = await Promise.all(selected.map((each) => foundOf(api, each, { namespace, selection: selectionOf(given) })))
  const items = found.flatMap(({ items: some }) => some)
  const missing = found.flatMap(({ missing: some }) => some)
  for (const fault of missing) context.err(`megrez: ${fault}\n`)
  if (items.length === 0 && missing.length === 0) context.err(`nothing of that in namespace ${namespace}\n`)
  const namespaces = new Set(items.map(eventNamespace))
  const events = (await Promise.all([...namespaces].map((each) => eventsIn(api, each)))).flat()
  context.out(items.map((item) => describedText(item, events.filter(isOf(item)), context.now())).join('\n---\n\n'))
  return missing.length === 0 ? 0 : 1
}

/** Events cannot be selected by what they are of. Who may not see them is told of none. */
async function eventsIn(api: Api, namespace: string): Promise<readonly ToldEvent[]> {
  try {
    return (await api.all('Event', namespace)) as readonly ToldEvent[]
  } catch (err) {
    if (err instanceof CliError && err.exit === 1) return []
    throw err
  }
}

/** Of what is in no namespace they are in this one, as Kubernetes has it. */
const eventNamespace = ({ metadata }: Item): string => metadata.namespace ?? 'default'

const isOf =
  (item: Item) =>
  ({ metadata, spec: { regarding } }: ToldEvent): boolean =>
    regarding.kind === item.kind &&
    regarding.name === item.metadata.name &&
    regarding.namespace === item.metadata.namespace &&
    metadata.namespace === eventNamespace(item)
