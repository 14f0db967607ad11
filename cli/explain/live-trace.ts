// What the nodes of a traced connection say themselves: the sender's of a packet that leaves its Port, another one of what arrives there.
// Whoever may not ask a node, or is not answered, is told so.
import type { SpecOf } from '../../core/kinds/index.ts'
import type { PacketTrace } from '../../core/kinds/node/inquiry.ts'
import { CliError } from '../context.ts'
import type { Api } from '../rest/api.ts'
import { inquire } from '../rest/inquiry.ts'

interface TracedEnd {
  readonly address: string
  readonly port?: { readonly namespace?: string; readonly name?: string }
  readonly node?: string
}
interface TracedNode {
  readonly at: string
  readonly name?: string
  readonly fate: string
  readonly tables?: readonly string[]
}
export interface LiveQuestion {
  readonly from: TracedEnd
  readonly to: TracedEnd
  /** Absent of a frame that is no IP. */
  readonly protocol?: number
  readonly l4Port?: number
  readonly way: readonly TracedNode[]
}

type Packet = NonNullable<SpecOf<'Inquiry'>['packet']>
/** As nodes take them, by IP's number. */
const protocols: Readonly<Record<number, Packet['protocol']>> = { 1: 'icmp', 6: 'tcp', 17: 'udp', 58: 'icmp' }

/** Lines by the node that says them. */
export async function liveLines(api: Api, question: LiveQuestion, signal: AbortSignal): Promise<ReadonlyMap<string, readonly string[]>> {
  const nodes = question.way.filter(({ at, fate }) => at === 'Node' && fate !== 'unreached')
  return new Map(await Promise.all(nodes.map(async (node) => [node.name ?? '', await linesOf(api, node, question, signal)] as const)))
}

async function linesOf(api: Api, node: TracedNode, question: LiveQuestion, signal: AbortSignal): Promise<readonly string[]> {
  const packet = packetAt(node, question)
  if (packet === undefined) return ['its node is not asked: nodes trace ICMP, TCP and UDP']
  const { port } = packet.arrives === true ? question.to : question.from
  if (port === undefined) return ['its node is not asked: nodes trace packets of Ports']
  const { namespace = '', name = '' } = port
  try {
    const { trace } = await inquire(api, namespace, { about: 'trace', port: name, packet, ttlSeconds: 120 }, signal)
    return trace === undefined ? ['its node says nothing of it'] : answerLines(trace, node)
  } catch (err) {
    if (!(err instanceof CliError)) throw err
    return [`its node does not say: ${err.message}`]
  }
}

function packetAt(node: TracedNode, { from, to, protocol: number, l4Port }: LiveQuestion): Packet | undefined {
  const protocol = protocols[number ?? -1]
  if (protocol === undefined) return undefined
  const ends = { from: from.address, to: to.address, ...(from.node !== node.name && { arrives: true }) }
  return { ...ends, protocol, ...(l4Port !== undefined && { l4Port }) }
}

function answerLines({ packet, verdict, to = [], steps }: PacketTrace, { tables = [] }: TracedNode): readonly string[] {
  const met = steps.map(({ table }) => table)
  const last = steps.at(-1)
  const where = last === undefined ? '' : ` at ${last.table}: ${last.because ?? last.match}`
  const isSame = met.length === tables.length && met.every((table, i) => table === tables[i])
  return [
    `its node says: ${verdict === 'drop' ? `it is dropped${where}` : `it leaves by ${to.join(', ')}`}`,
    ...(isSame ? [] : [`  of ${packet}`, `  tables ${met.join(', ')}`]),
    ...steps.flatMap(({ table, note }) => (note === undefined ? [] : [`  ${table}: ${note}`])),
  ]
}
