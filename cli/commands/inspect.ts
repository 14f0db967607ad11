// megrez inspect port/NAME: its node is asked, from wherever one is: how it is wired, its counters, a packet's way, the packets that pass.
import { writeFile } from 'node:fs/promises'
import type { SpecOf } from '../../core/kinds/index.ts'
import { topics, type InquiryAnswer, type PacketTrace, type WiredPort } from '../../core/kinds/node/inquiry.ts'
import { defaultNamespace, flagLines, helpFlag, readArgs, serverFlags, type Flags, type GivenArguments } from '../args.ts'
import { CliError, type Context, type Exit } from '../context.ts'
import { portIn } from '../explain/port-in.ts'
import { loggedLines } from '../output/logged.ts'
import { Api } from '../rest/api.ts'
import { inquire } from '../rest/inquiry.ts'
import { targetOf } from '../rest/target.ts'

const inspected = topics.filter((topic) => topic !== 'explain')

export const flags: Flags = {
  namespace: { type: 'string', short: 'n', value: 'NAME', meaning: 'in this namespace (default)' },
  about: { type: 'string', value: inspected.join('|'), meaning: 'what its node is asked (wiring)' },
  to: { type: 'string', value: 'ADDRESS', meaning: 'trace: where the packet goes to' },
  from: { type: 'string', value: 'ADDRESS', meaning: "trace: which address it says it is from (the Port's)" },
  arrives: { type: 'boolean', meaning: 'trace: it comes to the Port from another node, which has --from' },
  protocol: { type: 'string', value: 'icmp|tcp|udp', meaning: 'trace: of the packet (icmp)' },
  'l4-port': { type: 'string', value: 'NUMBER', meaning: 'trace: where it goes to, of TCP or UDP' },
  packets: { type: 'string', value: 'NUMBER', meaning: 'capture: ends after so many (100)' },
  seconds: { type: 'string', value: 'NUMBER', meaning: 'capture: ends after so long (10)' },
  write: { type: 'string', short: 'w', value: 'FILE', meaning: 'capture: into this file, which tcpdump -r and Wireshark read' },
  ...serverFlags,
  ...helpFlag,
}
export const completes = { of: 'ports', slashed: true }
export const usage = `megrez inspect port/NAME [-n NAMESPACE] [--about ${inspected.join('|')}]\n\n${flagLines(flags)}`

export async function run(args: readonly string[], context: Context): Promise<Exit> {
  const given = readArgs(args, flags)
  const spec = specOf(given)
  const file = given.text('write')
  if (spec.about === 'capture' && file === undefined) throw new CliError(2, 'a capture needs a file: --write FILE')
  const api = new Api(await targetOf(given, context), context.signal)
  const answer = await inquire(api, given.text('namespace') ?? defaultNamespace, spec, context.signal)
  if (answer.capture !== undefined && file !== undefined) await writeFile(file, Buffer.from(answer.capture.pcap, 'base64'))
  context.out([...linesOf(answer, file), ''].join('\n'))
  return 0
}

function specOf(given: GivenArguments): SpecOf<'Inquiry'> {
  const topic = given.text('about') ?? 'wiring'
  const about = inspected.find((each) => each === topic)
  if (about === undefined) throw new CliError(2, `a node is asked about ${inspected.join(', ')}, not ${JSON.stringify(topic)}`)
  const spec = { about, port: portIn(given.words, 'inspect'), ttlSeconds: 120 }
  if (about === 'trace') return { ...spec, packet: packetOf(given) }
  const [packets, seconds] = [numberIn(given, 'packets'), numberIn(given, 'seconds')]
  return about === 'capture'
    ? { ...spec, capture: { ...(packets !== undefined && { packets }), ...(seconds !== undefined && { seconds }) } }
    : spec
}

function packetOf(given: GivenArguments): NonNullable<SpecOf<'Inquiry'>['packet']> {
  const [to, from, protocol, l4Port] = [given.text('to'), given.text('from'), given.text('protocol'), numberIn(given, 'l4-port')]
  if (to === undefined) throw new CliError(2, 'a trace needs to know where the packet goes: --to ADDRESS')
  const more = {
    ...(from !== undefined && { from }),
    ...(given.has('arrives') && { arrives: true }),
    ...(l4Port !== undefined && { l4Port }),
  }
  return { to, ...more, ...(protocol !== undefined && { protocol: protocol as 'icmp' }) }
}

function numberIn(given: GivenArguments, flag: string): number | undefined {
  const text = given.text(flag)
  if (text !== undefined && !/^\d{1,6}$/.test(text)) throw new CliError(2, `--${flag} needs a number`)
  return text === undefined ? undefined : Number(text)
}

const wiringOf = ({ port, wired, addresses = [], ...more }: WiredPort): string =>
  wired ? `${port}: ${more.interface ?? ''}, ${more.mac ?? ''}, ${addresses.join(' ')}, ${more.segment ?? ''}` : `${port}: not wired`

function linesOf({ ports = [], counters, trace, capture, logged, truncated }: InquiryAnswer, file: string | undefined): string[] {
  return [
    ...ports.map(wiringOf),
    ...(counters === undefined
      ? []
      : [
          `sent ${counters.sentPackets} packets, ${counters.sentBytes} bytes`,
          `received ${counters.receivedPackets} packets, ${counters.receivedBytes} bytes`,
          `dropped ${counters.dropped}`,
        ]),
    ...(trace === undefined ? [] : tracedOf(trace)),
    ...(capture === undefined ? [] : [`${capture.packets} packets, ${capture.bytes} bytes in ${file ?? ''}`]),
    ...(logged === undefined ? [] : loggedLines(logged)),
    ...(truncated === true ? ['and more than an answer holds'] : []),
  ]
}

const tracedOf = ({ packet, steps, verdict, to = [] }: PacketTrace): string[] => [
  packet,
  ...steps.flatMap(({ table, match, does, because, note }) => [
    `  ${table}`,
    `    ${match}`,
    `    → ${does}`,
    ...(because === undefined ? [] : [`    because ${because}`]),
    ...(note === undefined ? [] : [`    (${note})`]),
  ]),
  verdict === 'drop' ? 'dropped' : `output: ${to.join(', ')}`,
]
