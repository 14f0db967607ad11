// megrez wait: until objects are as they should be, or are gone.
import type { Kind } from '../../core/kinds/index.ts'
import { Api } from '../rest/api.ts'
import { defaultNamespace, flagLines, helpFlag, readArgs, selectionOf, selectorFlags, serverFlags, type Flags } from '../args.ts'
import { askedIn, type AskedObjects } from '../kinds/requested-objects.ts'
import type { Item } from '../kinds/columns.ts'
import { nameWithKind } from '../kinds/names.ts'
import { CliError, type Context, type Exit } from '../context.ts'
import { secondsIn } from '../durations.ts'
import { progressOf } from '../output/terminal.ts'
import { safe } from '../output/table.ts'
import { follow, watchPath } from '../rest/events.ts'
import { targetOf } from '../rest/target.ts'
import { awaitedIn, type Awaited } from '../waiting.ts'

export const flags: Flags = {
  for: {
    type: 'string',
    value: 'WHAT',
    meaning: "delete, create, condition=TYPE[=STATUS], or jsonpath='{PATH}'[=VALUE] (condition=Ready)",
  },
  timeout: { type: 'string', value: 'TIME', meaning: 'give up after so long: 90s, 5m, 2h (30s)' },
  namespace: { type: 'string', short: 'n', value: 'NAME', meaning: 'in this namespace (default)' },
  ...selectorFlags,
  ...serverFlags,
  ...helpFlag,
}
export const completes = 'objects'
export const usage = `megrez wait KIND/NAME… --for WHAT [--timeout TIME] [-n NAMESPACE]
megrez wait KIND [NAME…] [-l LABELS] --for WHAT

Exit code 1 when the time is over; then it says what is still in the way.

${flagLines(flags)}`

/** One object that is waited for, and how it was when it was last heard of. */
interface Waiting {
  readonly kind: Kind
  readonly name: string
  last: Item | undefined
}

export async function run(args: readonly string[], context: Context): Promise<Exit> {
  const given = readArgs(args, flags)
  const selected = askedIn(given.words, 'megrez wait port/web')
  const awaited = await awaitedIn(given.text('for') ?? 'condition=Ready')
  const seconds = secondsIn(given.text('timeout') ?? '30s', 'timeout')
  const namespace = given.text('namespace') ?? defaultNamespace
  const api = new Api(await targetOf(given, context), context.signal)
  const all = (await Promise.all(selected.map((each) => objectsOf(api, each, namespace, selectionOf(given))))).flat()
  if (all.length === 0) {
    if (awaited.done === 'deleted') return 0
    throw new CliError(1, `there is nothing of that in namespace ${namespace} to wait for`)
  }
  const over = AbortSignal.timeout(seconds * 1000)
  const progress = progressOf(context)
  let left = all.length
  progress(`waiting for ${left} of ${all.length}`)
  const ended = await Promise.all(
    all.map(async (one) => {
      const met = await until(api, { one, namespace, awaited }, AbortSignal.any([over, context.signal]))
      progress('')
      if (met) context.out(`${nameWithKind(one.kind, one.name)} ${awaited.done}\n`)
      if (--left > 0) progress(`waiting for ${left} of ${all.length}`)
      return { one, met }
    }),
  )
  if (context.signal.aborted) return 0
  const unmet = ended.filter(({ met }) => !met)
  for (const { one } of unmet)
    context.err(`megrez: ${nameWithKind(one.kind, one.name)} is not so after ${seconds} s: ${safe(whyNot(one.last))}\n`)
  return unmet.length === 0 ? 0 : 1
}

async function objectsOf(
  api: Api,
  { kind, names }: AskedObjects,
  namespace: string,
  selection: ReturnType<typeof selectionOf>,
): Promise<readonly Waiting[]> {
  if (names.length > 0) return names.map((name) => ({ kind, name, last: undefined }))
  return (await api.all(kind, namespace, selection)).map((item) => ({ kind, name: item.metadata.name, last: item }))
}

interface AwaitedObject {
  readonly one: Waiting
  readonly namespace: string
  readonly awaited: Awaited
}

/** @returns false when the time was over before */
async function until(api: Api, { one, namespace, awaited }: AwaitedObject, signal: AbortSignal): Promise<boolean> {
  const end = new AbortController()
  try {
    const path = watchPath(one.kind, namespace, { fieldSelector: `metadata.name=${one.name}` })
    for await (const change of follow(api, path, AbortSignal.any([signal, end.signal]))) {
      one.last = change.event === 'all' ? change.items[0] : change.event === 'gone' ? undefined : change.item
      if (awaited.holds(one.last)) return true
    }
    return false
  } finally {
    end.abort()
  }
}

function whyNot(item: Item | undefined): string {
  if (item === undefined) return 'it is not there'
  const { phase, message } = (item['status'] ?? {}) as { readonly phase?: string; readonly message?: string }
  return [phase ?? 'nobody has reported of it yet', message].filter((each) => each !== undefined).join(': ')
}
