// A receiver's log of each object, and whether it is the object's history.
import type { Notice } from '../../../receiver/verify.ts'

export interface Logged {
  readonly sequence: number
  readonly phase: string
}
export interface ObjectLog {
  readonly name: string
  /** As it came; what came again under its id counts once. */
  readonly told: readonly Logged[]
}

interface NotifiedObject {
  readonly kind: string
  readonly metadata: { readonly name: string }
}

export function readLog(notices: readonly Notice[]): readonly ObjectLog[] {
  const seen = new Set<string>()
  const logs = new Map<string, Logged[]>()
  for (const { id, sequence, phase, body } of notices) {
    if (seen.has(id)) continue
    seen.add(id)
    const { kind, metadata } = body as NotifiedObject
    const name = `${kind} ${metadata.name}`
    logs.set(name, [...(logs.get(name) ?? []), { sequence, phase }])
  }
  return [...logs].map(([name, told]) => ({ name, told })).sort((a, b) => a.name.localeCompare(b.name))
}

/** What a log lacks, or has in another order; in words. */
export function wrongWith(log: readonly ObjectLog[], histories: ReadonlyMap<string, readonly Logged[]>): readonly string[] {
  const missing = [...histories.keys()]
    .filter((name) => !log.some((each) => each.name === name))
    .map((name) => `nothing was told of ${name}`)
  return [...missing, ...log.flatMap(({ name, told }) => problemsOf(name, told, histories.get(name) ?? []))]
}

function problemsOf(name: string, received: readonly Logged[], history: readonly Logged[]): string[] {
  const problems: string[] = []
  if (received.some(({ sequence }, i) => sequence !== i + 1))
    problems.push(`${name} was told as ${received.map(({ sequence }) => sequence).join(', ')}`)
  const other = history.find(({ sequence, phase }) => received[sequence - 1]?.phase !== phase)
  if (other !== undefined)
    problems.push(`${name} was ${other.phase} at ${other.sequence}, and told as ${received[other.sequence - 1]?.phase ?? 'nothing'}`)
  if (received.at(-1)?.phase !== 'deleted') problems.push(`the end of ${name} was not told`)
  return problems
}
