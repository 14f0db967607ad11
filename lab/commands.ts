import { run, type Outcome } from '../platform/programs/run.ts'

/** Where `ip netns` keeps its names. */
export const namespaces = '/run/netns'

/** Runs what has to succeed; gives back what it printed. */
export async function must(program: string, args: readonly string[], input?: string): Promise<string> {
  const done = await run(program, args, input === undefined ? {} : { input })
  if (done.code !== 0) throw new Error(`${program} ${args.join(' ')}: ${done.stderr.trim() || done.stdout.trim()}`)
  return done.stdout
}

/** Somewhere a command can be run: a space, or a pod. */
interface Entered {
  readonly enter: readonly string[]
}

/** Runs a command there to its end. */
export function runIn({ enter: [program = '', ...args] }: Entered, command: readonly string[], input?: string): Promise<Outcome> {
  return run(program, [...args, ...command], input === undefined ? {} : { input })
}

export const mustIn = ({ enter: [program = '', ...args] }: Entered, command: readonly string[], input?: string): Promise<string> =>
  must(program, [...args, ...command], input)
