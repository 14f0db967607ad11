// Groups, meters and queues of a modelled switch. Groups and meters are vswitchd's, and gone with it; queues are rows.
import type { Flow } from '../../../../core/pipeline/openflow/flow.ts'
import type { Group } from '../../../../core/pipeline/openflow/group.ts'
import type { Item } from '../../../../core/node/item.ts'
import type { SwitchValue } from '../../../../core/pipeline/ovsdb/switch.ts'

export type Shelved = Extract<SwitchValue, { readonly kind: 'group' | 'meter' | 'qos' | 'queue' }>

export class Shelf {
  readonly #things = new Map<string, { readonly text: string; readonly value: Shelved }>()

  put(key: string, text: string, value: Shelved): void {
    this.#things.set(key, { text, value })
  }

  drop(key: string): void {
    this.#things.delete(key)
  }

  *seen(): Generator<readonly [key: string, text: string]> {
    for (const [key, { text }] of this.#things) yield [key, text]
  }

  /** vswitchd ends. */
  end(): void {
    for (const [key, { value }] of this.#things) if (value.kind === 'group' || value.kind === 'meter') this.#things.delete(key)
  }

  group(id: number): Group | undefined {
    for (const { value } of this.#things.values()) if (value.kind === 'group' && value.group.id === id) return value.group
    return undefined
  }

  /** Whether a flow can be put: what it uses is there. */
  has({ actions }: Flow): boolean {
    return actions.every((action) => action.do !== 'group' || this.group(action.group) !== undefined)
  }
}

/** Whether it goes with a group or meter that goes. */
export const usesOf = ({ actions }: Flow, value: Shelved): boolean =>
  actions.some(
    (action) =>
      (action.do === 'group' && value.kind === 'group' && action.group === value.group.id) ||
      ((action.do === 'meter' || action.do === 'controller') && value.kind === 'meter' && action.meter === value.meter.id),
  )

/** Items of these kinds. */
export function shelved(items: readonly Item<SwitchValue>[], kinds: readonly Shelved['kind'][]): Item<Shelved>[] {
  return items.flatMap(({ key, text, because, value }) => (isOneOf(value, kinds) ? [{ key, text, because, value }] : []))
}
const isOneOf = (value: SwitchValue, kinds: readonly SwitchValue['kind'][]): value is Shelved => kinds.includes(value.kind)
