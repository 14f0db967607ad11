// From a command line to a command and an exit code.
import { suggestion } from './args.ts'
import type { CompletedCommand } from './completion/candidates.ts'
import { CliError, type Context, type Exit } from './context.ts'

interface Command extends CompletedCommand {
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
  trace: {
    summary: 'say whether policies let one pod, Port or address reach another, and by which rule',
    load: () => import('./commands/trace.ts'),
  },
  routes: {
    summary: 'say which nodes announce an address by BGP, and by which next hops others get there',
    load: () => import('./commands/routes.ts'),
  },
  endpoints: {
    summary: 'say which endpoints of a NetworkService a client with these labels gets, in order',
    load: () => import('./commands/endpoints.ts'),
  },
  audit: {
    summary: 'say where the store, clouds, nodes and pods disagree, and with --repair put it right',
    load: () => import('./commands/audit.ts'),
  },
  import: {
    summary: 'take over the objects of ENO or KOS, the files of ENO, and what a cloud has',
    load: () => import('./commands/import.ts'),
  },
  flows: { summary: "show what a Port's node has in its data plane for it, with counters", load: () => import('./commands/flows.ts') },
  top: { summary: 'show what is full, busy or behind: nodes, subnets, ports, the server', load: () => import('./commands/top.ts') },
  doctor: { summary: 'say what this machine and the server lack, in words to type', load: () => import('./commands/doctor.ts') },
  bundle: { summary: 'write an archive for whoever helps, secrets redacted', load: () => import('./commands/bundle.ts') },
  deliveries: { summary: 'show whether those who asked to be told are told', load: () => import('./commands/deliveries.ts') },
  listen: { summary: 'receive notices here, verify them, and print them', load: () => import('./commands/listen.ts') },
  nsm: {
    summary: 'serve a network service of Network Service Mesh, or connect to one',
    load: () => import('./commands/nsm.ts'),
  },
  plan: {
    summary: 'show what a network service descriptor comes to: megrez plan nsd FILE | megrez apply -f -',
    load: () => import('./commands/plan.ts'),
  },
  secret: {
    summary: "print what the callbacks of a namespace are signed with, or replace a Subscription's",
    load: () => import('./commands/secret.ts'),
  },
  token: { summary: 'make, list and revoke tokens of a standalone server', load: () => import('./commands/token.ts') },
  completion: {
    summary: 'print what makes bash, zsh or fish complete commands, kinds and names',
    load: () => import('./commands/completion.ts'),
  },
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

type Special = (args: readonly string[], context: Context) => Exit | Promise<Exit>
const help: Special = (_, context) => show(usage(), context, 0)
const version: Special = async (_, context) => show(`megrez ${(await import('./our-version.ts')).ourVersion()}\n`, context, 0)
/** What is no command, and may stand in the place of one. */
const specials: Readonly<Record<string, Special>> = {
  help,
  '--help': help,
  '-h': help,
  '--version': version,
  '-V': version,
  // What the scripts of shells call.
  __complete: complete,
}

const asksForHelp = (word: string): boolean => word === '--help' || word === '-h'

async function dispatch([name, ...rest]: readonly string[], context: Context): Promise<Exit> {
  if (name === undefined) return show(usage(), context, 2)
  const special = Object.hasOwn(specials, name) ? specials[name] : undefined
  if (special !== undefined) return special(rest, context)
  if (name.startsWith('-'))
    throw new CliError(2, `the command comes first, then its flags: megrez COMMAND ${name} …; ${suggestion('', Object.keys(commands))}`)
  const row = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (row === undefined) throw new CliError(2, `there is no command ${JSON.stringify(name)}: ${suggestion(name, Object.keys(commands))}`)
  const command = await row.load()
  return rest.some(asksForHelp) ? show(`${row.summary}\n\n${command.usage}`, context, 0) : command.run(rest, context)
}

async function complete([name = '', ...words]: readonly string[], context: Context): Promise<Exit> {
  const row = words.length > 0 && Object.hasOwn(commands, name) ? commands[name] : undefined
  const found =
    row === undefined
      ? [...Object.keys(commands), 'help'].filter((each) => words.length === 0 && each.startsWith(name))
      : await (await import('./completion/candidates.ts')).candidatesOf(await row.load(), words, context)
  context.out(found.map((each) => `${each}\n`).join(''))
  return 0
}

/** By kubectl its user calls it otherwise. */
function show(text: string, { out, err, env }: Context, exit: Exit): Exit {
  const called = text.replace(/^megrez (?=\S+ )/gm, `${env['MEGREZ_CALLED_AS'] ?? 'megrez'} `)
  if (exit === 0) out(called)
  else err(called)
  return exit
}
