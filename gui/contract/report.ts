// What is reported of an object: in its status, or, for a pod, in an annotation.
import type { components } from '../../openapi/types.ts'
import type { Item } from './kinds.ts'

export type Transition = NonNullable<components['schemas']['PortStatus']['timeline']>[number]
export type Condition = NonNullable<components['schemas']['PortStatus']['conditions']>[number]
export interface NicReport {
  readonly name: string
  readonly port?: string
  readonly portID?: string
  readonly subnet?: string
  readonly addresses?: readonly string[]
  readonly phase?: string
  readonly message?: string
}
export interface Report {
  readonly phase?: string
  readonly message?: string
  readonly sequence?: number
  readonly conditions?: readonly Condition[]
  readonly timeline?: readonly Transition[]
  /** Of a pod. */
  readonly nics?: readonly NicReport[]
}

export function reportOf(item: Item): Report {
  if (item.kind !== 'Pod') return item.kind === 'Event' ? {} : (item.status ?? {})
  const text = item.metadata.annotations?.['megrez.io/nic-status']
  const conditions = ((item.status as Report | undefined)?.conditions ?? []).filter(({ type }) => type.startsWith('megrez.io/'))
  if (text === undefined) return { conditions }
  try {
    return { ...(JSON.parse(text) as Report), conditions }
  } catch {
    return { message: 'its annotation megrez.io/nic-status is no JSON', conditions }
  }
}
