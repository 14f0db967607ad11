// `show protocols all` of BIRD 2.
import { sessionWord } from '../names.ts'
import { lineOf, stateOf, type SeenSession } from '../session-state.ts'
import type { SpeakerSpec } from '../speaker.ts'

/** Every session of the speaker, also those that the daemon does not have. */
export function read(text: string, { groups }: SpeakerSpec): readonly SeenSession[] {
  const found = new Map(protocols(text).map((each) => [each.name, each]))
  return groups.flatMap(({ name: group, sessions }) =>
    sessions.map(({ name: session, address }) => ({
      group,
      session,
      address,
      ...seenOf(found.get(sessionWord(group, session))),
    })),
  )
}

interface Protocol {
  readonly name: string
  readonly since: string | undefined
  readonly lines: readonly string[]
}

/** A protocol begins at the left, and what is said of it is indented. */
function protocols(text: string): readonly Protocol[] {
  const found: (Protocol & { lines: string[] })[] = []
  for (const line of text.split('\n')) {
    const head = /^(\w+)\s+BGP\s+\S+\s+\S+\s+(\S+)/.exec(line)
    if (head !== null) found.push({ name: head[1]!, since: head[2]!, lines: [] })
    else if (/^\w/.test(line)) found.push({ name: '', since: undefined, lines: [] })
    else found.at(-1)?.lines.push(line.trim())
  }
  return found
}

function seenOf(protocol: Protocol | undefined): Omit<SeenSession, 'group' | 'session' | 'address'> {
  if (protocol === undefined) return { state: 'idle' }
  const valueOf = (key: string): string | undefined =>
    protocol.lines
      .find((line) => line.startsWith(`${key}:`))
      ?.slice(key.length + 1)
      .trim()
  const counts = protocol.lines.flatMap((line) => {
    const found = /^Routes:\s+(\d+) imported,(?: \d+ filtered,)? (\d+) exported/.exec(line)
    return found === null ? [] : [{ imported: Number(found[1]), exported: Number(found[2]) }]
  })
  const lastError = valueOf('Last error')
  return {
    state: stateOf(valueOf('BGP state') ?? ''),
    ...(/^\d{4}-\d\d-\d\dT[\d:]{8}Z$/.test(protocol.since ?? '') && { since: protocol.since! }),
    imported: counts.reduce((sum, each) => sum + each.imported, 0),
    exported: counts.reduce((sum, each) => sum + each.exported, 0),
    ...(lastError !== undefined && lastError !== '' && { lastError: lineOf(lastError) }),
  }
}
