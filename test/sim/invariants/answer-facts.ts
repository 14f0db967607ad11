// What may be told of a Port to whoever asks in its namespace: what it ever was, and what ever passed its interface.
import { hostInterfaceName } from '../../../core/net/names.ts'
import { pcapHeaderBytes } from '../../../core/wire/pcap.ts'
import type { Resource } from '../../../core/kinds/index.ts'
import { answeredMax, captureBytesMax, captureUsual, type InquiryAnswer, type WiredPort } from '../../../core/kinds/node/inquiry.ts'
import type { Machines } from '../world/machines.ts'
import { attachmentText } from '../../../core/node/wanted.ts'
import { attachmentOf } from '../../../core/plan/node/pieces.ts'

type Inquiry = Resource<'Inquiry'>

export class Facts {
  /** Each a text: `namespace/name` and what was true of it. */
  readonly #known = new Set<string>()
  /** Interface, and a frame that passed it, or what it had counted. */
  readonly #passed = new Set<string>()
  /** Namespaces whose Ports have had a MAC. */
  readonly #macs = new Map<string, Set<string>>()
  readonly #interfaces = new Map<string, Set<string>>()

  constructor(machines: Machines) {
    machines.onPassing((ifcName, _, bytes) => this.#passed.add(`${ifcName} ${Buffer.from(bytes).toString('hex')}`))
  }

  learn({ metadata: { namespace = '', name, uid }, status = {} }: Resource<'Port'>): void {
    const key = `${namespace}/${name}`
    const { mac, addresses = [] } = status
    const attachment = attachmentOf({ status })
    const ifcName = hostInterfaceName(uid)
    for (const each of ['', mac, attachment && attachmentText(attachment), ifcName, ...addresses])
      if (each !== undefined) this.#known.add(`${key} ${each}`)
    if (mac !== undefined) this.#macs.set(mac, (this.#macs.get(mac) ?? new Set()).add(namespace))
    this.#interfaces.set(key, (this.#interfaces.get(key) ?? new Set()).add(ifcName))
  }

  isTrue(key: string, what = ''): boolean {
    return this.#known.has(`${key} ${what}`)
  }

  /** Of a Port, and of none of this namespace. */
  isForeignMac(mac: string, namespace: string): boolean {
    return this.#macs.get(mac)?.has(namespace) === false
  }

  hasPassed(key: string, frame: string): boolean {
    return [...(this.#interfaces.get(key) ?? [])].some((ifcName) => this.#passed.has(`${ifcName} ${frame}`))
  }
}

/** What of an answer is not so, none of the asker's business, or more than was asked. */
export function strangeIn(answer: InquiryAnswer, inquiry: Inquiry, facts: Facts): string | undefined {
  const { namespace = '' } = inquiry.metadata
  return (
    tooMuchIn(answer, inquiry) ??
    strangePorts(answer, inquiry) ??
    strangeFrame(answer, `${namespace}/${inquiry.spec.port ?? ''}`, facts) ??
    strangeStep(answer, namespace, facts) ??
    strangeLog(answer, namespace) ??
    firstOf(answer.ports ?? [], (each) => strangeOf(each, namespace, facts))
  )
}

function tooMuchIn({ ports = [], items = [], capture }: InquiryAnswer, { spec }: Inquiry): string | undefined {
  if (Math.max(ports.length, items.length) > answeredMax) return 'more than an answer may hold'
  if (capture === undefined) return undefined
  const most = spec.capture?.packets ?? captureUsual.packets
  if (capture.packets > most) return `of ${capture.packets} packets, and asks for ${most}`
  return Buffer.from(capture.pcap, 'base64').length > captureBytesMax ? 'more bytes than a capture may have' : undefined
}

function strangePorts({ ports = [], items = [] }: InquiryAnswer, { metadata: { namespace = '' }, spec }: Inquiry): string | undefined {
  const other = spec.port === undefined ? undefined : ports.find(({ port }) => port !== spec.port)
  if (other !== undefined) return `of Port ${other.port}, and asks of ${spec.port}`
  const isOfRules = new RegExp(` of \\w+ ${namespace}/[^:]*: PolicyRuleSet `)
  const item = items.find(({ because }) => !because.endsWith(`: Port ${namespace}/${spec.port ?? ''}`) && !isOfRules.test(because))
  return item === undefined ? undefined : `of ${item.key}, which is there because of ${item.because}`
}

function strangeFrame({ capture }: InquiryAnswer, asked: string, facts: Facts): string | undefined {
  const frame = framesIn(capture?.pcap ?? '').find((each) => !facts.hasPassed(asked, each))
  return frame === undefined ? undefined : `of a frame that never passed ${asked}: ${frame}`
}

const places = new Set(['another port', 'tunnel', 'back'])
/** Whose MAC it goes to, as ARP tells it, is in what was traced; steps tell of nobody else's, and of no node's address. */
function strangeStep({ trace }: InquiryAnswer, namespace: string, facts: Facts): string | undefined {
  if (trace === undefined) return undefined
  const to = trace.to?.find((each) => !places.has(each) && !facts.isTrue(`${namespace}/${each}`))
  if (to !== undefined) return `of a way to ${to}`
  const text = JSON.stringify(trace.steps)
  if (/tun_(?:ipv6_)?(?:src|dst)/.test(text)) return `of a node's address in ${text}`
  const mac = text.match(/(?:[\da-f]{2}:){5}[\da-f]{2}/g)?.find((each) => facts.isForeignMac(each, namespace))
  return mac === undefined ? undefined : `of MAC ${mac}, which is of a Port of another namespace, in ${text}`
}

/** A policy that it names is of the asker's own namespace, and a Port may have so many. */
function strangeLog({ logged = [] }: InquiryAnswer, namespace: string): string | undefined {
  const other = logged.find(({ policy }) => policy !== undefined && !policy.includes(` ${namespace}/`))
  return other === undefined ? undefined : `of a packet logged by ${other.policy}`
}

function firstOf<T, R>(all: readonly T[], of: (each: T) => R | undefined): R | undefined {
  for (const each of all) {
    const found = of(each)
    if (found !== undefined) return found
  }
  return undefined
}

function strangeOf(wired: WiredPort, namespace: string, facts: Facts): string | undefined {
  const key = `${namespace}/${wired.port}`
  if (!facts.isTrue(key)) return `of a Port ${key}, which there never was`
  const said = [wired.mac, wired.interface, wired.segment, ...(wired.addresses ?? [])].filter((each) => each !== undefined)
  const strange = said.find((each) => !facts.isTrue(key, each))
  return strange === undefined ? undefined : `of ${strange} of Port ${key}, which it never had`
}

/** Frames of a file of libpcap, as hexadecimal digits; none of ours is longer than what is kept of it. */
function framesIn(pcap: string): string[] {
  const file = Buffer.from(pcap, 'base64')
  const frames: string[] = []
  for (let at = pcapHeaderBytes.file; at < file.length;) {
    const bytes = at + pcapHeaderBytes.packet
    at = bytes + file.readUInt32LE(at + 8)
    frames.push(file.subarray(bytes, at).toString('hex'))
  }
  return frames
}
