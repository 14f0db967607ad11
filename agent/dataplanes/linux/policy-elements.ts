// What is judged, as elements of nftables, and back. Pure.
import { rangeText, type AddressRange } from '../../../core/net/ranges.ts'
import { anyoneElse, type PeerAccess } from '../../../core/kinds/policy/access.ts'
import type { PolicyElement } from '../../../core/wire/nft/policies.ts'
import type { LinuxItem } from '../../../core/linux/linux-items.ts'

export type PolicyItem = Extract<LinuxItem, { readonly kind: 'judged' | 'identity' | 'inside' }>

export function elementsOf(thing: PolicyItem): readonly PolicyElement[] {
  if (thing.kind === 'identity') return [{ of: 'identity', vni: thing.vni, address: thing.address, identity: thing.identity }]
  if (thing.kind === 'inside') return [{ of: 'inside', vni: thing.vni, block: thing.block }]
  const { ifname, vni, access } = thing
  return [
    { of: 'network', ifname, vni },
    ...access.flatMap(({ identity, ranges }): readonly PolicyElement[] => [
      ...(identity === anyoneElse ? [] : [{ of: 'named', ifname, identity } as const]),
      ...ranges.map((range) => ({ of: 'access', ifname, identity, range }) as const),
    ]),
  ]
}

/** An element, but for what a map has for it. */
export function keyOf(element: PolicyElement): string {
  if (element.of === 'network') return `network ${element.ifname}`
  if (element.of === 'identity') return `identity ${element.vni} ${element.address}`
  return textOf(element)
}

export function textOf(element: PolicyElement): string {
  const { of, ...parts } = element
  return `${of} ${Object.values(parts)
    .map((part) => (typeof part === 'object' ? rangeText(part) : String(part)))
    .join(' ')}`
}

/** What has no network, and so is asked about by nothing, is an interface's that is judged in none. */
export function policyItems(all: readonly PolicyElement[]): readonly PolicyItem[] {
  const byIfname = Map.groupBy(
    all.filter((each) => 'ifname' in each),
    ({ ifname }) => ifname,
  )
  return [
    ...[...byIfname].map(([ifname, elements]) => judgedBy(ifname, elements)),
    ...all.flatMap((each): readonly PolicyItem[] => {
      if (each.of === 'identity') return [{ kind: 'identity', vni: each.vni, address: each.address, identity: each.identity }]
      return each.of === 'inside' ? [{ kind: 'inside', vni: each.vni, block: each.block }] : []
    }),
  ]
}

function judgedBy(ifname: string, elements: readonly PolicyElement[]): PolicyItem {
  const ranges = Map.groupBy(
    elements.flatMap((each) => (each.of === 'access' ? [each] : [])),
    ({ identity }) => identity,
  )
  const named = elements.flatMap((each) => (each.of === 'named' ? [each.identity] : []))
  const access = (identity: number): PeerAccess => ({
    identity,
    ranges: (ranges.get(identity) ?? []).map(({ range }) => range).sort(inOrder),
  })
  const identities = [...new Set([...named, ...ranges.keys()])].filter((each) => each !== anyoneElse).sort((a, b) => a - b)
  const vni = elements.find((each) => each.of === 'network')?.vni ?? 0
  return { kind: 'judged', ifname, vni, access: [access(anyoneElse), ...identities.map(access)] }
}

const inOrder = (a: AddressRange, b: AddressRange): number => a.family - b.family || (a.first < b.first ? -1 : 1)
