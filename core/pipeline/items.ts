// Flows, groups, meters, bridges, ports and their queues as Items.
import type { Because } from '../node/because.ts'
import type { Item } from '../node/item.ts'
import { cookieOf, ours, type Feature } from './cookie.ts'
import type { Action } from './openflow/actions.ts'
import { flowKey, flowText, parseFlowKey, type Flow, type Term } from './openflow/flow.ts'
import { groupText, isOurGroup, type Group } from './openflow/group.ts'
import { isOurMeter, meterText, type Meter } from './openflow/meter.ts'
import { qosKey, qosText, queueKey, queueText, type Qos, type Queue } from './ovsdb/queueing.ts'
import {
  bridgeKey,
  bridgeText,
  flowKeyOf,
  groupKey,
  hybridKey,
  hybridText,
  meterKey,
  portKey,
  portText,
  type Bridge,
  type Hybrid,
  type SwitchPort,
  type SwitchValue,
} from './ovsdb/switch.ts'
import { tables, type Table } from './tables.ts'

export type SwitchItem = Item<SwitchValue>

/** Actions from which on a flow's text is kept: that of a thousand conjunctions is asked for several times in one change. */
const longFrom = 16

/** A flow's key and text are worked out when somebody asks: whoever only sends it to the switch does not. */
class FlowItem implements SwitchItem {
  #text: string | undefined
  readonly value: { readonly kind: 'flow'; readonly bridge: string; readonly flow: Flow }
  readonly because: Because
  readonly #flowKey: string | undefined

  constructor(bridge: string, flow: Flow, because: Because, key?: string) {
    this.value = { kind: 'flow', bridge, flow }
    this.because = because
    this.#flowKey = key
  }

  get key(): string {
    return flowKeyOf(this.value.bridge, this.#flowKey ?? flowKey(this.value.flow))
  }

  get text(): string {
    const { flow } = this.value
    return flow.actions.length < longFrom ? flowText(flow) : (this.#text ??= flowText(flow))
  }
}

export interface FlowOf {
  readonly feature: Feature
  /** 48 bits. */
  readonly owner?: number
  readonly because: Because
}

/** Makes the flows of one cause. */
export function flowsOf(bridge: string, { feature, owner = 0, because }: FlowOf) {
  const cookie = cookieOf(feature, owner)
  return (table: Table, priority: number, match: readonly Term[], actions: readonly Action[]): SwitchItem =>
    new FlowItem(bridge, { table: tables[table].number, priority, cookie, match, actions }, because)
}

export const flowItem = (bridge: string, flow: Flow, because: Because): SwitchItem => new FlowItem(bridge, flow, because)
/** @param key as flowKey writes it: printed once already, of what many pieces have in common */
export const flowItemAt = (
  bridge: string,
  key: string,
  { cookie, actions }: Pick<Flow, 'cookie' | 'actions'>,
  because: Because,
): SwitchItem => new FlowItem(bridge, { ...parseFlowKey(key), cookie, actions }, because, key)
export const portItem = (port: SwitchPort, because: Because): SwitchItem => ({
  key: portKey(port.name),
  text: portText(port),
  value: { kind: 'port', port },
  because,
})
export const hybridItem = (hybrid: Hybrid, because: Because): SwitchItem => ({
  key: hybridKey(hybrid.bridge),
  text: hybridText(hybrid),
  value: { kind: 'hybrid', hybrid },
  because,
})
export const bridgeItem = (bridge: Bridge, because: Because): SwitchItem => ({
  key: bridgeKey(bridge.name),
  text: bridgeText(bridge),
  value: { kind: 'bridge', bridge },
  because,
})
export const qosItem = (qos: Qos, because: Because): SwitchItem => ({
  key: qosKey(qos.port),
  text: qosText(qos),
  value: { kind: 'qos', qos },
  because,
})
export const queueItem = (queue: Queue, because: Because): SwitchItem => ({
  key: queueKey(queue.port, queue.number),
  text: queueText(queue),
  value: { kind: 'queue', queue },
  because,
})

/** @throws RangeError for a number that would be read as somebody else's */
export function groupItem(bridge: string, group: Group, because: Because): SwitchItem {
  if (!isOurGroup(group.id)) throw new RangeError(`${group.id} is no number of our groups`)
  return { key: groupKey(bridge, group.id), text: groupText(group), value: { kind: 'group', bridge, group }, because }
}

/** @throws RangeError for a number that would be read as somebody else's */
export function meterItem(bridge: string, meter: Meter, because: Because): SwitchItem {
  if (!isOurMeter(meter.id)) throw new RangeError(`${meter.id} is no number of our meters`)
  return { key: meterKey(bridge, meter.id), text: meterText(meter), value: { kind: 'meter', bridge, meter }, because }
}

/** Of a Linux bridge's name: all three end alike. */
export function hybridDevices(bridge: string): Pick<Hybrid, 'bridge' | 'inner' | 'outer'> {
  const short = bridge.slice(3)
  return { bridge, inner: `qvb${short}`, outer: `qvo${short}` }
}

/** An item by its key alone, for dropping: without what it should be. */
export function namedItem(key: string, because: Because): SwitchItem | undefined {
  const [kind = '', name = '', ...rest] = key.split('/')
  const id = Number(rest[0])
  if (kind === 'flow') return flowItemAt(name, rest.join('/'), { cookie: ours.value, actions: [] }, because)
  if (kind === 'group') return groupItem(name, { id, type: 'all', buckets: [] }, because)
  if (kind === 'meter') return meterItem(name, { id, unit: 'kbps', bands: [] }, because)
  if (kind === 'hybrid') return hybridItem({ ...hybridDevices(name), member: '', uid: '', mtu: 0 }, because)
  if (kind === 'qos') return qosItem({ port: name, type: 'linux-htb', options: {} }, because)
  return kind === 'queue' ? queueItem({ port: name, number: id, options: {} }, because) : undefined
}
