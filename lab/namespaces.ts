// Network namespaces of a lab: each stands for a machine or a pod. Names begin with a prefix of the lab's own, so that two labs never meet.
import { randomBytes } from 'node:crypto'
import { run, type Outcome } from '../platform/programs/run.ts'

/** Seven characters, so that a namespace may add a few and interfaces still have room. */
export const labPrefix = (): string => `mz${randomBytes(3).toString('hex').slice(0, 5)}`

/** Runs a program of the lab to its end. @throws Error with what it said where it fails */
export async function must(program: string, ...args: readonly string[]): Promise<Outcome> {
  const outcome = await run(program, args)
  if (outcome.code !== 0)
    throw new Error(`${[program, ...args].join(' ')}: ${outcome.stderr.trim() || outcome.stdout.trim() || `exit code ${outcome.code}`}`)
  return outcome
}

export interface Namespace {
  readonly name: string
  /** `ip -n NAME …` */
  ip(...args: readonly string[]): Promise<Outcome>
  /** Runs a program inside; never throws. */
  exec(program: string, ...args: readonly string[]): Promise<Outcome>
  /** Takes every interface in it along. Twice is once. */
  remove(): Promise<void>
}

/** A namespace with its loopback up. */
export async function makeNamespace(name: string): Promise<Namespace> {
  await must('ip', 'netns', 'add', name)
  await must('ip', '-n', name, 'link', 'set', 'lo', 'up')
  return {
    name,
    ip: (...args) => must('ip', '-n', name, ...args),
    exec: (program, ...args) => run('ip', ['netns', 'exec', name, program, ...args]),
    async remove() {
      await run('ip', ['netns', 'del', name])
    },
  }
}

/** Why no namespaces can be made here; undefined where they can. */
export async function noNamespaces(): Promise<string | undefined> {
  if (process.getuid?.() !== 0) return 'network namespaces: only root can make them'
  const name = `${labPrefix()}t`
  const made = await run('ip', ['netns', 'add', name])
  if (made.code !== 0) return `network namespaces: ${made.stderr.trim()}`
  await run('ip', ['netns', 'del', name])
  return undefined
}
