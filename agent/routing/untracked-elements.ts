// What goes between Vpcs that are peered, as elements of nftables and back.
import { routerName, vniOfRouter } from '../../core/net/router-name.ts'
import { versionOf } from '../../core/routing/egress-things.ts'
import { untrackedRuleset, untrackedTable, type UntrackedThing } from '../../core/routing/untracked.ts'
import { peerSets, roleOf, type SetElement } from '../../core/wire/nft/translations.ts'
import type { TranslationShape } from './translation-table.ts'

const elementsOf = ({ vni, from, to }: UntrackedThing): readonly SetElement[] =>
  from === undefined
    ? [{ set: `sent${versionOf(to)}`, key: [routerName(vni), to], data: [] }]
    : [{ set: `between${versionOf(to)}`, key: [from, to], data: [] }]

function thingOf({ set, key }: SetElement): readonly UntrackedThing[] {
  const [first = '', to = ''] = key.map(String)
  if (roleOf(set) === 'between') return [{ kind: 'untracked', from: first, to }]
  const vni = vniOfRouter(first)
  return vni === undefined ? [] : [{ kind: 'untracked', vni, to }]
}

export const untrackedShape: TranslationShape<UntrackedThing> = {
  table: untrackedTable,
  ruleset: untrackedRuleset,
  sets: peerSets,
  what: 'a change of what is not tracked between Vpcs that are peered',
  elementsOf,
  thingsOf: (elements) => elements.flatMap(thingOf),
  marksOf: () => [],
}
