// From a command line to a command and an exit code.
import { nearest } from '../core/admit/nearest.ts'
import * as apply from './commands/apply.ts'
import * as remove from './commands/delete.ts'
import * as explain from './commands/explain.ts'
import * as get from './commands/get.ts'
import * as inspect from './commands/inspect.ts'
import * as imports from './commands/import.ts'
import * as listen from './commands/listen.ts'
import * as plan from './commands/plan.ts'
import * as secret from './commands/secret.ts'
import * as version from './commands/version.ts'
import { CliError, type Context, type Exit } from './context.ts'

interface Command {
  readonly summary: string
  readonly usage: string
  run(args: readonly string[], context: Context): Promise<Exit>
}
const commands: Readonly<Record<string, Command>> = {
  apply,
  get,
  delete: remove,
  explain,
  inspect,
  import: imports,
  listen,
  plan,
  secret,
  version,
}

const usage = `megrez COMMAND …

${Object.entries(commands)
  .map(([name, { summary }]) => `  ${name.padEnd(8)}  ${summary}\n`)
  .join('')}
megrez COMMAND --help tells more. The server is the one that runs from .data, or --url and --token, or MEGREZ_URL and MEGREZ_TOKEN.
Exit codes: 0 done, 1 refused, 2 not understood, 3 no server.
`

export async function run(args: readonly string[], context: Context): Promise<Exit> {
  try {
    return await dispatch(args, context)
  } catch (err) {
    if (context.signal.aborted) return 0
    if (!(err instanceof CliError)) throw err
    context.err(`megrez: ${err.message}\n`)
    return err.exit
  }
}

const asksForHelp = (word: string): boolean => word === '--help' || word === '-h'

async function dispatch([name, ...rest]: readonly string[], context: Context): Promise<Exit> {
  if (name === undefined) return show(usage, context, 2)
  if (name === 'help' || asksForHelp(name)) return show(usage, context, 0)
  if (name === '--version' || name === '-V') return version.run(rest, context)
  if (name.startsWith('-')) throw new CliError(2, `the command comes first, then its flags: megrez COMMAND ${name} …; ${suggestion('')}`)
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command === undefined) throw new CliError(2, `there is no command ${JSON.stringify(name)}: ${suggestion(name)}`)
  return rest.some(asksForHelp) ? show(`${command.summary}\n\n${command.usage}`, context, 0) : command.run(rest, context)
}

function suggestion(name: string): string {
  const meant = nearest(name, Object.keys(commands))
  return meant === undefined ? `there are ${Object.keys(commands).join(', ')}` : `did you mean ${meant}?`
}

function show(text: string, { out, err }: Context, exit: Exit): Exit {
  if (exit === 0) out(text)
  else err(text)
  return exit
}
