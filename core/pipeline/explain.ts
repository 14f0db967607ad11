// What a node's items are, for people: which table, what it matches, what it does, and why it is there.
import { worded, type ExplainedItem } from '../node/explained.ts'
import { readCookie } from './cookie.ts'
import { printAction, printMatch, type Action, type Flow } from './flow.ts'
import type { SwitchItem } from './items.ts'
import { portText, type SwitchValue } from './switch.ts'
import { tableName } from './tables.ts'

/** Switch ports first, then flows in the order in which packets meet them. */
export function explain(items: Iterable<SwitchItem>): readonly ExplainedItem[] {
  return [...items].sort((a, b) => rankOf(a.value) - rankOf(b.value)).map((item) => worded(item, said(item.value)))
}

/** Flows within a table: the strongest first. */
const rankOf = (value: SwitchValue): number => (value.kind === 'flow' ? value.flow.table * 65_536 + 65_535 - value.flow.priority : value.kind === 'port' ? -1 : -2)

function said(value: SwitchValue): Pick<ExplainedItem, 'where' | 'match' | 'does'> {
  if (value.kind === 'bridge') return { where: 'bridge', match: value.bridge.name, does: `datapath ${value.bridge.datapath}` }
  if (value.kind === 'port') return { where: 'port', match: value.port.name, does: portText(value.port) }
  const { flow } = value
  return { where: `${flow.table} ${tableName(flow.table)}`, match: printMatch(flow.match) || 'everything else', does: doesOf(flow) }
}

const doesOf = ({ actions }: Flow): string => (actions.length === 0 ? 'drop' : actions.map(spoken).join(', '))
/** Tables by their names. */
const spoken = (action: Action): string => (action.do === 'goto' ? `go to ${tableName(action.table)}` : printAction(action))

/** Who a flow in a switch belongs to, from its cookie alone: for what is there and nobody wants. */
export function ownerOf(flow: Flow): string {
  const read = readCookie(flow.cookie)
  return read === undefined ? 'somebody else' : `${read.feature ?? 'an unknown part'} of ${read.owner.toString(16).padStart(12, '0')}, layout ${read.layout}`
}
