// megrez deliveries: whether those who asked to be told are told, what waits for them, and why.
import type { Resource, StatusOf } from '../../core/kinds/index.ts'
import { defaultNamespace, flagLines, helpFlag, readArgs, refuseExcess, serverFlags, type Flags, type GivenArguments } from '../args.ts'
import { CliError, type Context, type Exit } from '../context.ts'
import { since } from '../kinds/columns.ts'
import { tableOf } from '../output/table.ts'
import { coloured } from '../output/terminal.ts'
import { Api, refusal } from '../rest/api.ts'
import { foundOf } from '../rest/objects-by-name.ts'
import { targetOf } from '../rest/target.ts'

export const flags: Flags = {
  namespace: { type: 'string', short: 'n', value: 'NAME', meaning: 'in this namespace (default)' },
  'all-namespaces': { type: 'boolean', short: 'A', meaning: 'in all namespaces' },
  test: { type: 'boolean', meaning: 'send a signed sample to the one that is named, and say how it was taken' },
  ...serverFlags,
  ...helpFlag,
}
export const completes = { of: 'subscriptions', slashed: false }
export const usage = `megrez deliveries [NAME] [-n NAMESPACE | -A]
megrez deliveries NAME --test

Of Subscriptions. Exit code 1 where a sink does not take what it is sent.

${flagLines(flags)}`

type Subscription = Resource<'Subscription'>
type Status = NonNullable<StatusOf<'Subscription'>>

export async function run(args: readonly string[], context: Context): Promise<Exit> {
  const given = readArgs(args, flags)
  const { name, namespace } = askedBy(given)
  const api = new Api(await targetOf(given, context), context.signal)
  if (given.has('test')) return test(api, { namespace, name }, context)
  const { items, missing } = await foundOf(
    api,
    { kind: 'Subscription', names: name === undefined ? [] : [name] },
    { namespace, selection: {} },
  )
  const found = items as unknown as readonly Subscription[]
  const where = namespace === undefined ? 'anywhere' : `in namespace ${namespace}`
  const faults = found.length + missing.length === 0 ? [`no subscriptions ${where}`] : missing.map((each) => `megrez: ${each}`)
  for (const fault of faults) context.err(`${fault}\n`)
  if (found.length > 0) context.out(listed(found, namespace === undefined, context))
  if (name !== undefined) context.out(found.map(({ status = {} }) => parkedOf(status, context.now())).join(''))
  return missing.length === 0 && found.every(({ status }) => status?.delivering?.taken !== false) ? 0 : 1
}

interface AskedDeliveries {
  readonly name: string | undefined
  /** Undefined: all. */
  readonly namespace: string | undefined
}

function askedBy(given: GivenArguments): AskedDeliveries {
  const [name, excess] = given.words
  refuseExcess(excess)
  const everywhere = given.has('all-namespaces')
  if (name !== undefined && everywhere) throw new CliError(2, 'a name is of one namespace: -n instead of -A')
  return { name, namespace: everywhere ? undefined : (given.text('namespace') ?? defaultNamespace) }
}

function listed(found: readonly Subscription[], everywhere: boolean, { now, terminal }: Context): string {
  return tableOf(
    [...(everywhere ? ['Namespace'] : []), 'Name', 'Sink', 'Profile', 'Taken', 'Since', 'Parked', 'Given up', 'Why not'],
    found.map(({ metadata, spec, status = {} }) => [
      ...(everywhere ? [metadata.namespace ?? ''] : []),
      metadata.name,
      spec.sink ?? '(pulled)',
      spec.profile ?? 'eno',
      takenOf(spec.paused === true, status),
      since(status.delivering?.since, now()),
      String(status.parkedCount ?? 0),
      String(status.givenUp ?? 0),
      whyNot(status),
    ]),
    (cell) => coloured(cell, terminal),
  )
}

const whyNot = ({ delivering, phase, message = '' }: Status): string => delivering?.reason ?? (phase === 'error' ? message : '')

function takenOf(isPaused: boolean, { delivering, circuit }: Status): string {
  if (isPaused) return 'paused'
  if (delivering === undefined) return 'nothing sent yet'
  return delivering.taken ? 'yes' : circuit === 'open' ? 'no, tried seldom' : 'no'
}

/** Objects whose next notice is refused again and again. */
function parkedOf({ parked = [], parkedCount = 0 }: Status, now: number): string {
  if (parked.length === 0) return ''
  const rows = parked.map(({ kind, namespace, name, sequence, since: at, reason }) => [
    `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`,
    String(sequence),
    since(at, now),
    reason,
  ])
  const more = parkedCount > parked.length ? `and ${parkedCount - parked.length} more\n` : ''
  return `\n${tableOf(['Parked', 'Sequence', 'Since', 'Reason'], rows)}${more}`
}

async function test(api: Api, { namespace = '', name }: AskedDeliveries, { out }: Context): Promise<Exit> {
  if (name === undefined) throw new CliError(2, 'test which one? megrez deliveries NAME --test')
  const { tested, problem } = await api.testSubscription(namespace, name)
  if (problem !== undefined) throw refusal(problem)
  const { outcome, code, reason } = tested ?? {}
  out(
    outcome === undefined
      ? `asked for: megrez describe subscription ${name} will say it\n`
      : `${outcome}${code === undefined ? '' : `, ${code}`}${reason === undefined ? '' : `: ${reason}`}\n`,
  )
  return outcome === undefined || outcome === 'accepted' ? 0 : 1
}
