// megrez completion: a script for a shell, which then asks the program itself what may stand at the cursor.
import { flagLines, helpFlag, readArgs, suggestion, type Flags } from '../args.ts'
import { CliError, type Context, type Exit } from '../context.ts'
import { scripts } from '../completion/scripts.ts'

export const flags: Flags = { ...helpFlag }
export const completes = Object.keys(scripts)
export const usage = `source <(megrez completion bash)\nsource <(megrez completion zsh)\nmegrez completion fish | source\n\n${flagLines(flags)}`

export function run(args: readonly string[], context: Context): Promise<Exit> {
  const [shell, excess] = readArgs(args, flags).words
  if (shell === undefined || excess !== undefined) throw new CliError(2, `of which shell? megrez completion ${completes.join('|')}`)
  if (!Object.hasOwn(scripts, shell))
    throw new CliError(2, `there is no script for ${JSON.stringify(shell)}: ${suggestion(shell, completes)}`)
  context.out(scripts[shell as keyof typeof scripts])
  return Promise.resolve(0)
}
