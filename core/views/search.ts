// Finds an object by what a person has in hand: its name, an address, a MAC, a portID, a VNI or a VLAN.
import { isObject } from '../json.ts'
import type { Resource } from '../kinds/index.ts'
import { contains, parsePlainCidr } from '../net/cidr.ts'
import { parsePlainIp } from '../net/ip.ts'
import { canonicalMac } from '../net/mac.ts'

export const searchMax = 253

export interface SearchHit {
  /** JSON pointer of what matches. */
  readonly at: string
  readonly value: string
  /** Lower is better: 0 the very thing, 1 what begins so, 2 what has it in it. */
  readonly rank: 0 | 1 | 2
}
export type SearchTest = (item: Resource) => SearchHit | undefined

interface Text {
  readonly at: string
  readonly value: string
}

/** @param text already trimmed, and not empty */
export function searchFor(text: string): SearchTest {
  const wanted = text.toLowerCase()
  const ip = parsePlainIp(text)
  const mac = canonicalMac(text)
  const number = /^(?:vni|vlan)?[ :/]*(\d{1,8})$/i.exec(text)?.[1]
  return (item) => {
    const exact = exactIn(item, { ip: ip === undefined ? undefined : text, mac, number })
    if (exact !== undefined) return { ...exact, rank: 0 }
    const named = namesOf(item).flatMap(({ at, value }): SearchHit[] => {
      const found = value.toLowerCase().indexOf(wanted)
      return found < 0 ? [] : [{ at, value, rank: value.length === wanted.length ? 0 : found === 0 ? 1 : 2 }]
    })
    return named.sort((a, b) => a.rank - b.rank)[0]
  }
}

interface Exact {
  readonly ip: string | undefined
  readonly mac: string | undefined
  readonly number: string | undefined
}

function exactIn(item: Resource, { ip, mac, number }: Exact): Text | undefined {
  if (ip !== undefined) return addressesOf(item).find(({ value }) => isAddress(value, ip))
  if (mac !== undefined) return macsOf(item).find(({ value }) => canonicalMac(value) === mac)
  return number === undefined ? undefined : numbersOf(item).find(({ value }) => value === String(Number(number)))
}

/** The same address, or a block that holds it. */
function isAddress(value: string, wanted: string): boolean {
  const ip = parsePlainIp(wanted)
  const known = parsePlainIp(value)
  if (ip === undefined) return false
  if (known !== undefined) return known.family === ip.family && known.value === ip.value
  const block = parsePlainCidr(value)
  return block !== undefined && contains(block, ip)
}

const within = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((at, step) => (isObject(at) ? at[step] : undefined), value)

/** What stands at any of these paths, texts and numbers alike, each item of a list by itself. */
function textsAt(item: Resource, paths: readonly string[]): readonly Text[] {
  return paths.flatMap((path) => {
    const found = within(item, ...path.slice(1).split('/'))
    const all = Array.isArray(found) ? found.map((value: unknown, i) => ({ at: `${path}/${i}`, value })) : [{ at: path, value: found }]
    return all.flatMap(({ at, value }) => (typeof value === 'string' || typeof value === 'number' ? [{ at, value: String(value) }] : []))
  })
}

const namesOf = (item: Resource): readonly Text[] =>
  textsAt(item, ['/metadata/name', '/metadata/uid', '/spec/portID', '/status/portID', '/status/providerID', '/status/ifcName'])
const addressesOf = (item: Resource): readonly Text[] => [
  ...textsAt(item, [
    '/status/addresses',
    '/spec/ips',
    '/spec/address',
    '/status/hostIP',
    '/spec/hostIP',
    '/spec/ipv4/cidr',
    '/spec/ipv6/cidr',
  ]),
  ...nodeAddresses(item),
]
const macsOf = (item: Resource): readonly Text[] => textsAt(item, ['/status/mac', '/spec/mac'])
const numbersOf = (item: Resource): readonly Text[] =>
  textsAt(item, [
    '/status/vni',
    '/spec/vni',
    '/status/vlan',
    '/status/vlan/id',
    '/spec/vlan',
    '/spec/vlan/id',
    '/spec/segmentationID',
    '/status/vlans',
  ])

/** Lists of `{type, address}`. */
function nodeAddresses(item: Resource): readonly Text[] {
  const found = within(item, 'status', 'addresses')
  if (item.kind !== 'Node' || !Array.isArray(found)) return []
  return found.flatMap((each: unknown, i) => {
    const address = within(each, 'address')
    return typeof address === 'string' ? [{ at: `/status/addresses/${i}/address`, value: address }] : []
  })
}
