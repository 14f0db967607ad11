// megrez version: ours, and the server's contract.
import { Api } from '../rest/api.ts'
import { flagLines, helpFlag, readArgs, serverFlags, type Flags } from '../args.ts'
import { ourVersion } from '../our-version.ts'
import { CliError, type Context, type Exit } from '../context.ts'
import { targetOf } from '../rest/target.ts'

export const flags: Flags = { ...serverFlags, ...helpFlag }
export const usage = `megrez version\n\n${flagLines(flags)}`

export async function run(args: readonly string[], context: Context): Promise<Exit> {
  const given = readArgs(args, flags)
  context.out(`megrez ${ourVersion()}\n`)
  try {
    const api = new Api(await targetOf(given, context), context.signal)
    context.out(`server ${api.target.url}, API ${(await api.version()) ?? 'unknown'}\n`)
  } catch (err) {
    if (!(err instanceof CliError) || err.exit !== 3) throw err
    context.err(`${err.message}\n`)
  }
  return 0
}
