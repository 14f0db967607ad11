// What the kernel of a node translates for service addresses, as things with a key and a text: elements of a table of nftables
// (service-ruleset.ts), so many at a time that one of them is one port of one address.
import type { serviceProtocols } from '../kinds/services/service-address.ts'
import { slotCount } from './maglev.ts'

/** Translated by: the source and its port, or the source alone. */
export type Spread = 'flow' | 'client'
export type ServiceProtocol = (typeof serviceProtocols)[number]

export type ServiceThing = ServiceAddressHere | ServicePort | ServiceSource

/** An address that is translated here. */
export interface ServiceAddressHere {
  readonly kind: 'vip'
  readonly vni: number
  readonly address: string
  readonly number: number
  /** Also for what comes from elsewhere than its VNI. */
  readonly outside: boolean
  /** Blocks that a Port answers past the router: who comes from there seems to come from the address itself. */
  readonly inside: readonly string[]
}

/** One port of an address: the VNI's number (SegmentRouter) stands for the VNI, as the kernel has no room for more. */
export interface ServicePort {
  readonly kind: 'service'
  readonly vni?: undefined
  readonly number: number
  readonly address: string
  readonly protocol: ServiceProtocol
  readonly l4Port: number
  readonly spread: Spread
  readonly endpoints: readonly ServiceEndpoint[]
}

export interface ServiceEndpoint {
  /** 1 to 65,535, within its address: what connections that it has are marked with. */
  readonly index: number
  readonly address: string
  readonly l4Port: number
  /** Of the table of its port, in order; none: it keeps the connections that it has, and gets no more. */
  readonly slots: readonly number[]
}

/** As from where this node sends what is for an endpoint of another node: its answers come back here. */
export interface ServiceSource {
  readonly kind: 'from'
  readonly vni?: undefined
  readonly number: number
  /** The service's. */
  readonly address: string
  /** ServiceEndpoint.index */
  readonly index: number
  readonly source: string
}

type Written<T> = (thing: T) => readonly [key: string, text: string]

export const serviceWriters: { readonly [K in ServiceThing['kind']]: Written<Extract<ServiceThing, { readonly kind: K }>> } = {
  vip: ({ vni, address, number, outside, inside }) => [
    `vip/${vni}/${address}`,
    [`as ${number} for ${outside ? 'all' : 'its VNI'}`, ...[...inside].sort()].join('; '),
  ],
  service: ({ number, address, protocol, l4Port, spread, endpoints }) => [
    `service/${number}/${address}/${protocol}/${l4Port}`,
    [`by ${spread}`, ...[...endpoints].sort((a, b) => a.index - b.index).map(endpointText)].join('; '),
  ],
  from: ({ number, address, index, source }) => [`from/${number}/${address}/${index}`, source],
}

const endpointText = ({ index, address, l4Port, slots }: ServiceEndpoint): string => `${index} ${address} ${l4Port} ${bitsOf(slots)}`
/** A bit for each slot, from the lowest on, as a hexadecimal number. */
const bitsOf = (slots: readonly number[]): string => slots.reduce((bits, slot) => bits | (1n << BigInt(slot)), 0n).toString(16)

function slotsOf(bits: string): readonly number[] {
  const value = BigInt(`0x${bits}`)
  return Array.from({ length: slotCount }, (_, slot) => slot).filter((slot) => ((value >> BigInt(slot)) & 1n) === 1n)
}

/** The parts of a key behind its kind, and the text. */
type Read = (parts: readonly string[], text: string) => ServiceThing

export const serviceReaders: { readonly [K in ServiceThing['kind']]: Read } = {
  vip: ([vni = '', address = ''], text) => {
    const [as = '', ...inside] = text.split('; ')
    return { kind: 'vip', vni: Number(vni), address, number: Number(/\d+/.exec(as)?.[0]), outside: as.endsWith(' for all'), inside }
  },
  service: ([number = '', address = '', protocol = '', l4Port = ''], text) => {
    const [by = '', ...endpoints] = text.split('; ')
    return {
      kind: 'service',
      number: Number(number),
      address,
      protocol: protocol as ServiceProtocol,
      l4Port: Number(l4Port),
      spread: by.slice('by '.length) as Spread,
      endpoints: endpoints.map((each) => {
        const [index, of = '', port, bits = '0'] = each.split(' ')
        return { index: Number(index), address: of, l4Port: Number(port), slots: slotsOf(bits) }
      }),
    }
  },
  from: ([number = '', address = '', index = ''], source) => ({
    kind: 'from',
    number: Number(number),
    address,
    index: Number(index),
    source,
  }),
}
