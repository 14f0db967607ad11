// megrez secret: what callbacks of a namespace are signed with, for whoever verifies them.
import { Api, refusal } from '../rest/api.ts'
import { defaultNamespace, flagLines, helpFlag, readArgs, serverFlags, type Flags } from '../args.ts'
import type { Context, Exit } from '../context.ts'
import { targetOf } from '../rest/target.ts'

export const flags: Flags = {
  namespace: { type: 'string', short: 'n', value: 'NAME', meaning: 'of this namespace (default)' },
  ...serverFlags,
  ...helpFlag,
}
export const usage = `megrez secret [-n NAMESPACE]\n\nOne a line; several while the server's own is being replaced. Whoever may write in the namespace may read it.\n\n${flagLines(flags)}`

export async function run(args: readonly string[], context: Context): Promise<Exit> {
  const given = readArgs(args, flags)
  const api = new Api(await targetOf(given, context), context.signal)
  const { secrets, problem } = await api.secrets(given.text('namespace') ?? defaultNamespace)
  if (problem !== undefined) throw refusal(problem)
  if (secrets.length === 0) context.err('no callback secret is set on the server: callbacks are not signed\n')
  for (const secret of secrets) context.out(`${secret}\n`)
  return 0
}
