// megrez secret: what callbacks of a namespace are signed with, for whoever verifies them; and another one for a Subscription.
import { Api, refusal } from '../rest/api.ts'
import { defaultNamespace, flagLines, helpFlag, readArgs, refuseExcess, serverFlags, type Flags, type GivenArguments } from '../args.ts'
import { CliError, type Context, type Exit } from '../context.ts'
import { secondsIn } from '../durations.ts'
import { targetOf } from '../rest/target.ts'

export const flags: Flags = {
  namespace: { type: 'string', short: 'n', value: 'NAME', meaning: 'of this namespace (default)' },
  rotate: { type: 'boolean', meaning: 'replace what the named Subscription is signed with, and print the new one, this once' },
  overlap: { type: 'string', value: 'TIME', meaning: 'with --rotate: so long the one before signs too, as 2h (1d); 0s: no longer' },
  'dry-run': { type: 'boolean', meaning: 'with --rotate: say what would be, and change nothing' },
  ...serverFlags,
  ...helpFlag,
}
export const completes = { of: 'subscriptions', slashed: false }
export const usage = `megrez secret [-n NAMESPACE]
megrez secret SUBSCRIPTION --rotate [--overlap TIME] [--dry-run] [-n NAMESPACE]

One a line; several while the server's own is being replaced. Whoever may write in the namespace may read it.

${flagLines(flags)}`

export async function run(args: readonly string[], context: Context): Promise<Exit> {
  const given = readArgs(args, flags)
  const name = subscriptionIn(given)
  const api = new Api(await targetOf(given, context), context.signal)
  const namespace = given.text('namespace') ?? defaultNamespace
  if (name !== undefined) return rotate(api, { namespace, name }, given, context)
  const { secrets, problem } = await api.secrets(namespace)
  if (problem !== undefined) throw refusal(problem)
  if (secrets.length === 0) context.err('no callback secret is set on the server: callbacks are not signed\n')
  for (const secret of secrets) context.out(`${secret}\n`)
  return 0
}

/** Undefined: the namespace's own is to be printed. */
function subscriptionIn(given: GivenArguments): string | undefined {
  const [name, excess] = given.words
  refuseExcess(excess)
  if (given.has('rotate')) {
    if (name === undefined) throw new CliError(2, 'replace the secret of which Subscription? megrez secret NAME --rotate')
    return name
  }
  const lone = ['overlap', 'dry-run'].find((flag) => given.has(flag) || given.text(flag) !== undefined)
  if (lone !== undefined) throw new CliError(2, `--${lone} goes with --rotate`)
  if (name !== undefined) throw new CliError(2, `a Subscription's secret is shown when it is made: megrez secret ${name} --rotate`)
  return undefined
}

interface Named {
  readonly namespace: string
  readonly name: string
}

async function rotate(api: Api, named: Named, given: GivenArguments, { out, err }: Context): Promise<Exit> {
  const dryRun = given.has('dry-run')
  const overlap = given.text('overlap')
  const { data, problem } = await api.rotateSecret(named, {
    dryRun,
    ...(overlap !== undefined && { overlapSeconds: secondsIn(overlap, 'overlap') }),
  })
  if (problem !== undefined) throw refusal(problem)
  const { secrets = [], previous = [] } = data ?? {}
  const until = previous.map((each) => each.until).toSorted()
  if (until.length === 0) err(`what signed before ${dryRun ? 'would sign' : 'signs'} no longer\n`)
  else err(`what signed before ${dryRun ? 'would sign' : 'signs'} too, until ${until.at(-1)}\n`)
  for (const secret of secrets) out(`${secret}\n`)
  return 0
}
