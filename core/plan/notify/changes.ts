// What counts as a change beside one of phase, where a Subscription asks for `changes: all`: wiring, addresses, VLANs, what a data
// plane does not do, and why something is in error. What was told of last is kept in the status as a digest, so that whoever
// writes those things, workers or an agent, need not know who is told.
import type { Resource } from '../../kinds/index.ts'
import { readyCondition, type Condition, type Phase } from '../../kinds/meta.ts'
import { hash80 } from '../../net/names.ts'
import type { NoticeSettings } from './notices.ts'
import { isSubscribed } from './subscribers.ts'

interface NotifiedFields {
  readonly phase?: Phase
  readonly conditions?: readonly Condition[]
  readonly addresses?: readonly string[]
  readonly mac?: string
  readonly hostIP?: string
  readonly vlans?: readonly number[]
  readonly node?: { readonly wired?: boolean; readonly conditions?: readonly Condition[] }
}

const unsupportedOf = ({ node }: NotifiedFields): readonly Condition[] =>
  (node?.conditions ?? []).filter(({ type, status: is }) => type === 'Unsupported' && is === 'True')

/** What of a Port its pod is told only where somebody asks for all changes: whether it is wired, and what its node does not do. */
export interface Wiring {
  readonly wired: boolean
  readonly hostIP?: string
  readonly unsupported?: string
}
export function wiringOf({ status = {} }: Pick<Resource<'Port'>, 'status'>): Wiring {
  const { node, hostIP } = status as NotifiedFields
  const unsupported = unsupportedOf(status as NotifiedFields)
    .map(({ message }) => message)
    .join('; ')
  return { wired: node?.wired === true, ...(hostIP !== undefined && { hostIP }), ...(unsupported !== '' && { unsupported }) }
}

/** The same for states that differ in nothing that is told of. */
export function digestOf({ status = {} }: Pick<Resource, 'status'>): string {
  const { phase, conditions = [], addresses, mac, hostIP, vlans, node } = status as NotifiedFields
  const why = phase === 'error' ? readyCondition(conditions)?.reason : undefined
  const unsupported = unsupportedOf(status as NotifiedFields).map(({ reason, message }) => [reason, message])
  return hash80('told', JSON.stringify([why, addresses, mac, hostIP, vlans, node?.wired === true, unsupported]))
}

/** Whether somebody is to be told of more than changes of phase. */
export function wantsAllChanges(item: Resource, { namespace, subscriptions }: NoticeSettings): boolean {
  for (const each of subscriptions?.(item) ?? []) if (each.spec.changes === 'all' && isSubscribed(each, item, namespace)) return true
  return false
}

/** Whether something of it that was told of once is not as it was told: nobody asks where nothing was. */
export function hasUnnotifiedChange(item: Resource): boolean {
  const { told } = (item.status ?? {}) as { readonly told?: string }
  return told !== undefined && told !== digestOf(item)
}
