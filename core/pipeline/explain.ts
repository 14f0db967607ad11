// What a node's items are, for people: which table, what it matches, what it does, and why it is there.
import { worded, type ExplainedItem } from '../node/explained.ts'
import { readCookie } from './cookie.ts'
import { printAction, type Action } from './openflow/actions.ts'
import { printMatch, type Flow } from './openflow/flow.ts'
import { groupText } from './openflow/group.ts'
import type { SwitchItem } from './items.ts'
import { meterText } from './openflow/meter.ts'
import { qosText, queueText } from './ovsdb/queueing.ts'
import { hybridText, portText, type SwitchValue } from './ovsdb/switch.ts'
import { readRuleOwner } from './rule-owner.ts'
import { tableName } from './tables.ts'

/** Switch ports first, with their queues, then groups and meters, then flows in the order in which packets meet them. */
export function explain(items: Iterable<SwitchItem>): readonly ExplainedItem[] {
  return [...items].sort((a, b) => rankOf(a.value) - rankOf(b.value)).map((item) => worded(item, explained(item.value)))
}

const ranks: Readonly<Record<Exclude<SwitchValue['kind'], 'flow'>, number>> = {
  bridge: -7,
  hybrid: -6,
  port: -5,
  qos: -4,
  queue: -3,
  group: -2,
  meter: -1,
}
/** Flows within a table: the strongest first. */
const rankOf = (value: SwitchValue): number =>
  value.kind === 'flow' ? value.flow.table * 65_536 + 65_535 - value.flow.priority : ranks[value.kind]

type FlowExplanation = Pick<ExplainedItem, 'where' | 'match' | 'does'>

function explained(value: SwitchValue): FlowExplanation {
  if (value.kind !== 'flow') return explainedOther(value)
  const { flow } = value
  return { where: `${flow.table} ${tableName(flow.table)}`, match: printMatch(flow.match) || 'everything else', does: doesOf(flow) }
}

function explainedOther(value: Exclude<SwitchValue, { readonly kind: 'flow' }>): FlowExplanation {
  switch (value.kind) {
    case 'bridge':
      return { where: 'bridge', match: value.bridge.name, does: `datapath ${value.bridge.datapath}` }
    case 'hybrid':
      return { where: 'linux bridge', match: value.hybrid.bridge, does: hybridText(value.hybrid) }
    case 'port':
      return { where: 'port', match: value.port.name, does: portText(value.port) }
    case 'qos':
      return { where: 'qos', match: value.qos.port, does: qosText(value.qos) }
    case 'queue':
      return { where: 'queue', match: `${value.queue.number} of ${value.queue.port}`, does: queueText(value.queue) }
    case 'group':
      return { where: 'group', match: String(value.group.id), does: groupText(value.group) }
    case 'meter':
      return { where: 'meter', match: String(value.meter.id), does: meterText(value.meter) }
  }
}

const doesOf = ({ actions }: Flow): string => (actions.length === 0 ? 'drop' : actions.map(spoken).join(', '))
/** Tables by their names. */
const spoken = (action: Action): string => (action.do === 'goto' ? `go to ${tableName(action.table)}` : printAction(action))

/** Who a flow in a switch belongs to, from its cookie alone: for what is there and nobody wants. */
export function ownerOf(flow: Flow): string {
  const read = readCookie(flow.cookie)
  const rule = read?.feature === 'rule' ? readRuleOwner(read.owner) : undefined
  if (rule !== undefined) return `${rule.rule === undefined ? 'isolation' : `rule ${rule.rule}`} of set ${rule.set}, layout ${read!.layout}`
  return read === undefined
    ? 'somebody else'
    : `${read.feature ?? 'an unknown part'} of ${read.owner.toString(16).padStart(12, '0')}, layout ${read.layout}`
}
