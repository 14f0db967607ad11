// What is translated for service addresses, as elements of nftables and back.
import { serviceProtocols } from '../../core/kinds/services/service-address.ts'
import { canonicalIp } from '../../core/net/ip.ts'
import { routerName, vniOfRouter } from '../../core/net/router-name.ts'
import { serviceRuleset, serviceTable } from '../../core/routing/service-ruleset.ts'
import {
  type ServiceAddressHere,
  type ServiceEndpoint,
  type ServicePort,
  type ServiceThing,
  type Spread,
} from '../../core/routing/service-things.ts'
import { roleOf, serviceSets, type SetElement, type SetName, type SetRole } from '../../core/wire/nft/translations.ts'
import type { ThingMark, TranslationShape } from './translation-table.ts'

/** RFC 5237's registry. */
const protocolNumbers = { TCP: 6, UDP: 17, SCTP: 132 } as const
const versionOf = (address: string): 4 | 6 => (address.includes(':') ? 6 : 4)
const setOf = (role: SetRole, address: string): SetName => `${role}${versionOf(address)}`

const markedBelow = 2 ** 16
const markOf = ({ number }: Pick<ServicePort, 'number'>, { index }: Pick<ServiceEndpoint, 'index'>): number => number * markedBelow + index

/** Of slots whose endpoint is not there. */
const nowhere = '-'

function elementsOf(thing: ServiceThing): readonly SetElement[] {
  switch (thing.kind) {
    case 'vip':
      return vipElements(thing)
    case 'service':
      return portElements(thing)
    case 'from':
      return [{ set: setOf('from', thing.address), key: [markOf(thing, thing), thing.address], data: [thing.source] }]
  }
}

function vipElements({ vni, address, number, outside, inside }: ServiceAddressHere): readonly SetElement[] {
  const key = [routerName(vni), address]
  return [
    { set: setOf('zone', address), key, data: [number] },
    { set: setOf('inner', address), key, data: [number] },
    { set: setOf('served', address), key, data: [] },
    ...(outside ? [{ set: setOf('outer', address), key: [address], data: [number] }] : []),
    ...inside.map((block): SetElement => ({ set: setOf('inside', address), key: [...key, block], data: [] })),
  ]
}

function portElements(port: ServicePort): readonly SetElement[] {
  const { number, address, protocol, l4Port, spread, endpoints } = port
  const place = [address, protocolNumbers[protocol], l4Port]
  return endpoints.flatMap((endpoint) => {
    const mark = markOf(port, endpoint)
    return [
      ...(endpoint.address === nowhere
        ? []
        : [{ set: setOf('endpoint', address), key: [mark, ...place], data: [endpoint.address, endpoint.l4Port] }]),
      ...endpoint.slots.map((slot): SetElement => ({ set: setOf(spread, address), key: [slot, number, ...place], data: [mark] })),
    ]
  })
}

function thingsOf(elements: readonly SetElement[]): readonly ServiceThing[] {
  const of = Map.groupBy(elements, ({ set }) => roleOf(set))
  const byRole = (role: SetRole): readonly SetElement[] => of.get(role) ?? []
  const zones = new Set(byRole('zone').map(textOf))
  const served = new Set(byRole('served').map(({ key }) => key.join(' ')))
  const outer = new Set(byRole('outer').map(textOf))
  const inside = Map.groupBy(byRole('inside'), ({ key: [ifname, address] }) => `${ifname} ${address}`)
  return [
    ...byRole('inner').flatMap(({ key, data }): readonly ServiceThing[] => {
      const [ifname, address] = key.map(String) as [string, string]
      const vni = vniOfRouter(ifname)
      const whole = zones.has(textOf({ key, data })) && served.has(key.join(' '))
      const number = whole ? Number(data[0]) : 0
      if (vni === undefined) return []
      const blocks = inside.get(key.join(' ')) ?? []
      return [
        {
          kind: 'vip',
          vni,
          address,
          number,
          outside: outer.has(textOf({ key: [address], data })),
          inside: blocks.map(({ key: [, , block] }) => String(block)),
        },
      ]
    }),
    ...portsOf(byRole('endpoint'), [...byRole('flow'), ...byRole('client')]),
    ...byRole('from').map(({ key: [mark, address], data: [source] }): ServiceThing => ({
      kind: 'from',
      number: Math.floor(Number(mark) / markedBelow),
      index: Number(mark) % markedBelow,
      address: canonicalIp(String(address)) ?? String(address),
      source: canonicalIp(String(source)) ?? String(source),
    })),
  ]
}

const textOf = ({ key, data }: Pick<SetElement, 'key' | 'data'>): string => `${key.join(' ')} = ${data.join(' ')}`

function portsOf(endpoints: readonly SetElement[], slots: readonly SetElement[]): readonly ServicePort[] {
  const slotsBy = Map.groupBy(slots, ({ key: [, ...place] }) => place.join(' '))
  const endpointsBy = Map.groupBy(endpoints, ({ key: [mark, ...place] }) => [Math.floor(Number(mark) / markedBelow), ...place].join(' '))
  return [...new Set([...slotsBy.keys(), ...endpointsBy.keys()])].flatMap((place) => {
    const [number, address = '', protocolNumber, l4Port] = place.split(' ')
    const protocol = serviceProtocols.find((each) => protocolNumbers[each] === Number(protocolNumber))
    if (protocol === undefined) return []
    const own = slotsBy.get(place) ?? []
    const spread: Spread = own.some(({ set }) => roleOf(set) === 'client') ? 'client' : 'flow'
    const byMark = Map.groupBy(own, ({ data: [mark] }) => Number(mark))
    const there = endpointsBy.get(place) ?? []
    const marks = new Map(there.map(({ key: [mark], data: [to, l4] }) => [Number(mark), { address: String(to), l4Port: Number(l4) }]))
    return [
      {
        kind: 'service',
        number: Number(number),
        address: canonicalIp(address) ?? address,
        protocol,
        l4Port: Number(l4Port),
        spread,
        endpoints: [...new Set([...marks.keys(), ...byMark.keys()])].map((mark) => ({
          index: mark % markedBelow,
          ...(marks.get(mark) ?? { address: nowhere, l4Port: 0 }),
          slots: (byMark.get(mark) ?? []).map(({ key: [slot] }) => Number(slot)).sort((a, b) => a - b),
        })),
      },
    ]
  })
}

function marksOf(thing: ServiceThing): readonly ThingMark[] {
  switch (thing.kind) {
    case 'vip':
      return []
    case 'service':
      return thing.endpoints.map((each) => ({ mark: markOf(thing, each) }))
    case 'from':
      return [{ mark: markOf(thing, thing), by: thing.source }]
  }
}

export const serviceShape: TranslationShape<ServiceThing> = {
  table: serviceTable,
  ruleset: serviceRuleset,
  sets: serviceSets,
  what: 'a change of service addresses',
  elementsOf,
  thingsOf,
  marksOf,
}
