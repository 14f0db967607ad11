// What leaves VNIs by the node, as elements of nftables and back.
import { routerName, vniOfRouter } from '../../core/net/router-name.ts'
import { canonicalIp } from '../../core/net/ip.ts'
import { egressRuleset, egressTable } from '../../core/routing/egress-ruleset.ts'
import {
  egressNumber,
  routerMark,
  routerMask,
  versionOf,
  type EgressHere,
  type EgressSender,
  type EgressThing,
} from '../../core/routing/egress-things.ts'
import { egressSets, roleOf, type SetElement, type SetName, type SetRole } from '../../core/wire/nft/translations.ts'
import type { ThingMark, TranslationShape } from './translation-table.ts'

const setOf = (role: SetRole, address: string): SetName => `${role}${versionOf(address)}`

const elementsOf = (thing: EgressThing): readonly SetElement[] => (thing.kind === 'egress' ? hereElements(thing) : senderElements(thing))

function hereElements({ vni, number, source, to, except }: EgressHere): readonly SetElement[] {
  const of = routerName(vni)
  const blocks = (role: SetRole, all: readonly string[]): readonly SetElement[] =>
    all.map((block) => ({ set: setOf(role, source), key: [of, block], data: [] }))
  return [
    { set: setOf('apart', source), key: [of], data: [number] },
    { set: setOf('source', source), key: [of], data: [source] },
    { set: setOf('left', source), key: [of, source], data: [] },
    ...blocks('except', except),
    ...blocks('leaves', to),
  ]
}

const senderElements = ({ vni, address, mark }: EgressSender): readonly SetElement[] => [
  { set: setOf('sender', address), key: [routerName(vni), address], data: [mark] },
]

/** Of a VNI and a family. */
const placeOf = ({ set, key: [ifname] }: SetElement): string => `${set.slice(-1)} ${ifname}`

function thingsOf(elements: readonly SetElement[]): readonly EgressThing[] {
  const of = Map.groupBy(elements, ({ set }) => roleOf(set))
  const byRole = (role: SetRole): ReadonlyMap<string, readonly SetElement[]> => Map.groupBy(of.get(role) ?? [], placeOf)
  const [apart, leaves, except, source] = [byRole('apart'), byRole('leaves'), byRole('except'), byRole('source')]
  const left = byRole('left')
  const blocksOf = (all: readonly SetElement[] = []): readonly string[] => all.map(({ key: [, block] }) => String(block))
  const places = new Map(
    [apart, leaves, except, source, left].flatMap((each) => [...each].map(([place, [first]]) => [place, first!] as const)),
  )
  return [
    ...[...places].flatMap(([place, { set, key }]): readonly EgressThing[] => {
      const vni = vniOfRouter(String(key[0]))
      if (vni === undefined) return []
      const known = sourceOf(source.get(place), left.get(place))
      return [
        {
          kind: 'egress',
          vni,
          number: Number(apart.get(place)?.[0]?.data[0] ?? 0),
          source: known ?? nobody[set.endsWith('4') ? 4 : 6],
          to: blocksOf(leaves.get(place)),
          except: blocksOf(except.get(place)),
        },
      ]
    }),
    ...(of.get('sender') ?? []).flatMap(({ key: [ifname, address], data: [mark] }): readonly EgressThing[] => {
      const vni = vniOfRouter(String(ifname))
      return vni === undefined ? [] : [{ kind: 'sender', vni, address: String(address), mark: Number(mark) }]
    }),
  ]
}
/** Undefined: it has lost one, or what is for it is not refused. */
function sourceOf(source: readonly SetElement[] = [], left: readonly SetElement[] = []): string | undefined {
  const [text, ...more] = left.map(({ key: [, address] }) => ip(address))
  const known = source[0]?.data[0]
  return more.length === 0 && known !== undefined && ip(known) === text ? text : undefined
}
const ip = (of: string | number | undefined): string => canonicalIp(String(of)) ?? String(of)
/** The source of what has lost it: nobody wants that. */
const nobody = { 4: '0.0.0.0', 6: '::' } as const

function marksOf(thing: EgressThing): readonly ThingMark[] {
  if (thing.kind === 'sender') return [{ mark: thing.mark }]
  return thing.number === 0 ? [] : [{ mark: routerMark(egressNumber(thing.number)), mask: routerMask, by: thing.source }]
}

export const egressShape: TranslationShape<EgressThing> = {
  table: egressTable,
  ruleset: egressRuleset,
  sets: egressSets,
  what: 'a change of what leaves by the node',
  elementsOf,
  thingsOf,
  marksOf,
}
