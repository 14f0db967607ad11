// What of VNIs leaves by the node itself, as things with a key and a text: elements of a table of nftables (egress-ruleset.ts).

export type EgressThing = EgressHere | EgressSender

/** What may leave, of one family. */
export interface EgressHere {
  readonly kind: 'egress'
  readonly vni: number
  readonly number: number
  /** The address that it leaves from. */
  readonly source: string
  /** Blocks, none within another. */
  readonly to: readonly string[]
  readonly except: readonly string[]
}

/** A Port here that may send, by one of its addresses. */
export interface EgressSender {
  readonly kind: 'sender'
  readonly vni: number
  readonly address: string
  /** What its connections are marked with. */
  readonly mark: number
}

/** Of a router (SegmentRouter.number) among those of egress: half of a mark, which no service address has there. */
export const egressNumber = (router: number): number => router - numbersBelow
const numbersBelow = 60_000
/** The half of a mark that says whose router a packet is of; the other one says which Port's. */
export const routerMask = 0xffff_0000
export const routerMark = (number: number): number => number * 2 ** 16
export const routerOfMark = (mark: number): number => mark >>> 16
export const senderMark = (number: number, portNumber: number): number => routerMark(number) + portNumber

export const versionOf = (address: string): 4 | 6 => (address.includes(':') ? 6 : 4)

type Written<T> = (thing: T) => readonly [key: string, text: string]
export const egressWriters: { readonly [K in EgressThing['kind']]: Written<Extract<EgressThing, { readonly kind: K }>> } = {
  egress: ({ vni, number, source, to, except }) => [
    `egress/${vni}/${versionOf(source)}`,
    `as ${number} from ${source}; to ${[...to].sort().join(' ')}; but ${[...except].sort().join(' ')}`,
  ],
  sender: ({ vni, address, mark }) => [`sender/${vni}/${address}`, `marked ${mark}`],
}

/** The parts of a key behind its kind, and the text. */
type Read = (parts: readonly string[], text: string) => EgressThing
export const egressReaders: { readonly [K in EgressThing['kind']]: Read } = {
  egress: ([vni = ''], text) => {
    const [, number, source = '', to = '', except = ''] = /^as (\d+) from (\S*); to (.*); but (.*)$/.exec(text) ?? []
    return { kind: 'egress', vni: Number(vni), number: Number(number), source, to: wordsOf(to), except: wordsOf(except) }
  },
  sender: ([vni = '', address = ''], text) => ({ kind: 'sender', vni: Number(vni), address, mark: Number(text.slice('marked '.length)) }),
}
const wordsOf = (text: string): readonly string[] => (text === '' ? [] : text.split(' '))
