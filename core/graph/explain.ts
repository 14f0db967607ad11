// A graph's items for people, in the order in which packets meet them.
import { worded, type ExplainedItem } from '../node/explained.ts'
import { fieldsOf } from './base.ts'
import { inPort, tunId } from './modules.ts'
import { outPort, peerId } from './policies.ts'
import { classText, type GraphItem, type Hex, type MatchField, type ModuleArgs, type Element, type RuleElement } from './elements.ts'

/** First words of roles as packets go; what is not named stands before the ways out. */
const way = [
  'net',
  'p',
  'up',
  'netin',
  'in',
  'meta',
  'push',
  'nettag',
  'tag',
  'guard',
  'nd',
  'na',
  'kind',
  'who4',
  'who6',
  'vni4',
  'vni6',
  'inside4',
  'inside6',
  'peer',
  'may',
  'else',
  'block4',
  'block6',
  'sent',
  'mark4',
  'mark6',
  'low6',
  'sum4',
  'marked',
  'four',
  'six',
  'netmark',
  'mark',
  'vfour',
  'vsix',
  'arp',
  'reply',
  'bum',
  'vbum',
  'decap',
  'fwd',
  'vfwd',
  'unknown',
  'vunknown',
  'gate',
  'echo',
  'routed',
  'route',
  'ttl',
  'flood',
  'loose',
  'vflood',
  'vloose',
  '',
  'to',
  'vto',
  'encap',
  'unmark',
  'pop',
  'vup',
  'netunmark',
  'out',
  'tx',
  'netout',
] as const
const headOf = (role: string): string => role.split('.')[0]!
const kinds: readonly Element['kind'][] = ['port', 'module', 'limit', 'rule', 'copy', 'running', 'gone']

function rankOf(element: Element): number {
  const role = element.kind === 'rule' ? element.table : element.kind === 'copy' ? element.family : 'role' in element ? element.role : ''
  const found = (way as readonly string[]).indexOf(headOf(role))
  return (
    (found < 0 ? way.indexOf('') : found) * 100 + kinds.indexOf(element.kind) * 10 - (element.kind === 'rule' ? (element.priority ?? 0) : 0)
  )
}

export function explain(items: Iterable<GraphItem>): readonly ExplainedItem[] {
  const all = [...items]
  const fields = new Map(
    all.flatMap(({ value }) =>
      value.kind === 'module' && 'fields' in value.args && isMatching(value.args) ? [[value.role, value.args.fields]] : [],
    ),
  )
  return all
    .sort((a, b) => rankOf(a.value) - rankOf(b.value))
    .map((item) =>
      worded(
        item,
        explained(item, (table) => fields.get(table) ?? fieldsOf(table) ?? []),
      ),
    )
}

const isMatching = (args: ModuleArgs): args is Extract<ModuleArgs, { readonly mclass: 'ExactMatch' | 'WildcardMatch' }> =>
  args.mclass === 'ExactMatch' || args.mclass === 'WildcardMatch'

type FieldsOf = (table: string) => readonly MatchField[]
function explained({ key, text, value }: GraphItem, fields: FieldsOf): Pick<ExplainedItem, 'where' | 'match' | 'does'> {
  switch (value.kind) {
    case 'port':
      return { where: 'port', match: value.role, does: value.vdev }
    case 'module':
      return {
        where: 'module',
        match: value.role,
        does: `${classText(value.args)}${value.next.length === 0 ? '' : `, then ${value.next.join(', ')}`}`,
      }
    case 'rule':
      return {
        where: `table ${value.table}`,
        match: matchOf(value, fields(value.table)) || 'everything',
        does: value.to === 'drop' ? 'drop' : `go to ${value.to}`,
      }
    case 'copy':
      return { where: 'copies', match: value.family, does: `one more to ${value.to}` }
    case 'limit':
      return { where: 'traffic class', match: value.role, does: `no more than ${text}` }
    default:
      return { where: value.kind, match: key, does: text }
  }
}

/** Fields by where they are, with the spelling that people know. */
const names: Readonly<Record<string, readonly [name: string, spell: (hex: Hex) => string]>> = {
  [`${tunId}/4`]: ['vni', decimal],
  [`${inPort}/2`]: ['port', decimal],
  [`${outPort}/2`]: ['port', decimal],
  [`${peerId}/4`]: ['identity', decimal],
  '0/6': ['eth_dst', macOf],
  '4/6': ['eth_dst', macOf],
  '6/6': ['eth_src', macOf],
  '12/2': ['eth_type', hexed],
  '0/4': ['mark', hexed],
  '12/4': ['vlan', vlanOf],
  '16/4': ['vlan', vlanOf],
  '15/1': ['class', hexed],
  '16/2': ['eth_type', hexed],
  '20/2': ['arp_op', decimal],
  '22/6': ['arp_sha', macOf],
  '28/4': ['arp_spa', v4Of],
  '34/2': ['icmp_type and icmp_code', hexed],
  '38/4': ['arp_tpa', v4Of],
  '26/4': ['ipv4_src', v4Of],
  '46/3': ['vni', decimal],
  '30/4': ['ipv4_dst', v4Of],
  '22/8': ['ipv6_src, first half', hexed],
  '30/8': ['ipv6_src, second half', hexed],
  '38/8': ['ipv6_dst, first half', hexed],
  '46/8': ['ipv6_dst, second half', hexed],
}

function decimal(hex: Hex): string {
  return String(Number.parseInt(hex, 16))
}
function hexed(hex: Hex): string {
  return `0x${hex}`
}
function vlanOf(hex: Hex): string {
  return decimal(hex.slice(5))
}
function macOf(hex: Hex): string {
  return hex.replace(/..(?=.)/g, '$&:')
}
function v4Of(hex: Hex): string {
  return (hex.match(/../g) ?? []).map(decimal).join('.')
}

function matchOf({ values, masks }: RuleElement, fields: readonly MatchField[]): string {
  return values
    .flatMap((value, i) => {
      const mask = masks?.[i] ?? fields[i]?.mask
      return mask !== undefined && /^0+$/.test(mask) ? [] : [termOf(fields[i], value, mask)]
    })
    .join(', ')
}

function termOf(field: MatchField | undefined, value: Hex, mask: Hex | undefined): string {
  if (field?.bytes === 1 && field.mask === '01') return 'broadcast or multicast'
  const [name, spell] = (field && names[`${field.at}/${field.bytes}`]) ?? [`${field?.bytes} bytes at ${field?.at}`, hexed]
  return `${name}=${spell(value)}${mask === undefined || /^f+$/.test(mask) ? '' : `/${spell(mask)}`}`
}
