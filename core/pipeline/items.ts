// Flows, bridges and ports of switches as Items.
import type { Because } from '../node/because.ts'
import type { Item } from '../node/item.ts'
import { cookieOf, type Feature } from './cookie.ts'
import { flowKey, flowText, type Action, type Flow, type Term } from './flow.ts'
import { bridgeKey, bridgeText, flowKeyOf, portKey, portText, type Bridge, type SwitchPort, type SwitchValue } from './switch.ts'
import { tables, type Table } from './tables.ts'

export type SwitchItem = Item<SwitchValue>

/** A flow's key and text are worked out when somebody asks: whoever only sends it to the switch does not. */
class FlowItem implements SwitchItem {
  readonly value: { readonly kind: 'flow'; readonly bridge: string; readonly flow: Flow }
  readonly because: Because

  constructor(bridge: string, flow: Flow, because: Because) {
    this.value = { kind: 'flow', bridge, flow }
    this.because = because
  }

  get key(): string {
    return flowKeyOf(this.value.bridge, flowKey(this.value.flow))
  }

  get text(): string {
    return flowText(this.value.flow)
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
export const portItem = (port: SwitchPort, because: Because): SwitchItem => ({ key: portKey(port.name), text: portText(port), value: { kind: 'port', port }, because })
export const bridgeItem = (bridge: Bridge, because: Because): SwitchItem => ({ key: bridgeKey(bridge.name), text: bridgeText(bridge), value: { kind: 'bridge', bridge }, because })
