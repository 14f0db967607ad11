// What nsm-peer prints, compared with what it printed beside NSM's own programs: fields and order equal; times, ids, tokens, addresses
// and how often something was repeated are of the run.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

export type PeerEvent = Readonly<Record<string, unknown>> & { readonly event: string }

/** The folder of transcripts that NSM's own programs left (peers/nsm/reference). @throws where MEGREZ_PEERS names none */
export function referenceFolder(): string {
  const peers = process.env.MEGREZ_PEERS
  if (peers === undefined) throw new Error('MEGREZ_PEERS names no folder with nsm/reference')
  return join(peers, 'nsm', 'reference')
}

export const readTranscript = async (scenario: string, process: string): Promise<PeerEvent[]> =>
  eventsOf(await readFile(join(referenceFolder(), `${scenario}.${process}.jsonl`), 'utf8'))

export const eventsOf = (lines: string): PeerEvent[] =>
  lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as PeerEvent)

/** Of the run, not of the protocol; `trailers` are HTTP's, where Node.js says a date and Go says none. */
const passing = new Set(['t', 'ms', 'tookMs', 'notPrinted', 'bytes', 'trailers'])

/** Comparable: the same thing has the same number wherever it stands in one transcript. */
export function normalised(events: readonly PeerEvent[]): string[] {
  const numbers = new Map<string, number>()
  const numbered = (kind: string, text: string): string => {
    const known = numbers.get(text) ?? [...numbers.keys()].filter((each) => kindOf(each) === kind).length + 1
    numbers.set(text, known)
    return `<${kind} ${known}>`
  }
  const plain = (value: unknown): unknown => {
    if (typeof value === 'string') return plainText(value, numbered)
    if (Array.isArray(value)) return value.map(plain)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value)
        .filter(([key]) => !passing.has(key))
        .map(([key, each]) => [plainText(key, numbered), plain(each)])
        .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
    )
  }
  return events.map((event) => JSON.stringify(plain(event)))
}

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g
const address = /127\.0\.0\.1:\d+/g
/** Of a connection to svc-a; both NSM and we draw the rest. */
const drawnName = /svc-a-[0-9A-Za-z_-]{9}/g
const kindOf = (text: string): string => (text.startsWith('127.') ? 'address' : text.startsWith('svc-a-') ? 'interface' : 'id')

const plainText = (text: string, numbered: (kind: string, text: string) => string): string =>
  text
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g, '<time>')
    .replace(/,exp=\d\d:\d\d:\d\d\)/g, ',exp=<time>)')
    .replace(drawnName, (name) => numbered('interface', name))
    .replace(/file:\/\/\/proc\/thread-self\/ns\/net|inode:\/\/\d+\/\d+/g, '<netns>')
    .replace(uuid, (id) => numbered('id', id))
    .replace(address, (at) => numbered('address', at))

/** A run of lines that is there again right behind itself is there once: how often is the run's. */
export function withoutRepeats(lines: readonly string[], longest = 4): string[] {
  const kept: string[] = []
  for (const line of lines) {
    kept.push(line)
    for (let n = 1; n <= longest; n++) {
      const last = kept.slice(-n)
      const before = kept.slice(-2 * n, -n)
      if (before.length === n && last.every((each, i) => each === before[i])) {
        kept.length -= n
        break
      }
    }
  }
  return kept
}

export const comparable = (events: readonly PeerEvent[]): string[] => withoutRepeats(normalised(events))
