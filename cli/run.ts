// From a command line to a command and an exit code.
import { nearest } from '../core/admit/nearest.ts'
import type { Flags } from './args.ts'
import { CliError, type Context, type Exit } from './context.ts'

interface Command {
  readonly flags: Flags
  readonly usage: string
  run(args: readonly string[], context: Context): Promise<Exit>
}
interface CommandRow {
  readonly summary: string
  /** Only what is asked for is loaded. */
  readonly load: () => Promise<Command>
}

export const commands: Readonly<Record<string, CommandRow>> = {
  apply: {
    summary: 'make what manifests say; literal Alkaid pods (spec.vpc, spec.nics, VMs) are rewritten',
    load: () => import('./commands/apply.ts'),
  },
  get: { summary: 'show objects: of a kind, of several, or all', load: () => import('./commands/get.ts') },
  describe: { summary: 'show an object with its conditions, timeline and events', load: () => import('./commands/describe.ts') },
  delete: { summary: 'delete objects by name, or those that manifests name', load: () => import('./commands/delete.ts') },
  wait: { summary: 'wait for a condition, a value, or the end of objects', load: () => import('./commands/wait.ts') },
  explain: {
    summary: 'say why a pod, a Port or any object is as it is, and what holds it up',
    load: () => import('./commands/explain.ts'),
  },
  inspect: {
    summary: "ask a Port's node how it is wired, its counters, a packet's way, or a capture",
    load: () => import('./commands/inspect.ts'),
  },
  import: { summary: 'take over the objects and configuration files of ENO', load: () => import('./commands/import.ts') },
  listen: { summary: 'receive notices here, verify them, and print them', load: () => import('./commands/listen.ts') },
  plan: {
    summary: 'show what a network service descriptor comes to: megrez plan nsd FILE | megrez apply -f -',
    load: () => import('./commands/plan.ts'),
  },
  secret: { summary: 'print what the callbacks of a namespace are signed with', load: () => import('./commands/secret.ts') },
  version: { summary: 'say which version this is, and which API the server speaks', load: () => import('./commands/version.ts') },
}

const usage = (): string => `megrez COMMAND …

${Object.entries(commands)
  .map(([name, { summary }]) => `  ${name.padEnd(10)}  ${summary}\n`)
  .join('')}
megrez COMMAND --help tells more; megrez --version says which this is. The server is the one that runs from .data, or --url and --token,
or MEGREZ_URL and MEGREZ_TOKEN.
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
  if (name === undefined) return show(usage(), context, 2)
  if (name === 'help' || asksForHelp(name)) return show(usage(), context, 0)
  if (name === '--version' || name === '-V') return show(`megrez ${(await import('./our-version.ts')).ourVersion()}\n`, context, 0)
  if (name.startsWith('-')) throw new CliError(2, `the command comes first, then its flags: megrez COMMAND ${name} …; ${suggestion('')}`)
  const row = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (row === undefined) throw new CliError(2, `there is no command ${JSON.stringify(name)}: ${suggestion(name)}`)
  const command = await row.load()
  return rest.some(asksForHelp) ? show(`${row.summary}\n\n${command.usage}`, context, 0) : command.run(rest, context)
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
