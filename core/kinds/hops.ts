// When a Port was asked for, and what held it up: what each hop of its way is measured from.
import { hopAnnotation, requestedAtAnnotation } from './annotations.ts'
import type { Meta } from './meta.ts'

/** `contention`: something that it needs was taken or used up; `waited`: its Subnet or Vpc was not in place. */
export interface HopLabels {
  readonly contention: 'none' | 'address'
  readonly waited: 'no' | 'subnet'
}
export interface Since {
  /** Milliseconds since 1970; undefined: nobody knows. */
  readonly requestedMs: number | undefined
  readonly labels: HopLabels
}
/** What has the time of a request on it, stored or not. */
export type Dated = { readonly metadata: Partial<Pick<Meta, 'annotations' | 'creationTimestamp'>> }

/** When the request came that has last changed what is wanted of an object: Kubernetes' own timestamp counts whole seconds. */
export function requestedMsOf({ metadata: { annotations, creationTimestamp } }: Dated): number | undefined {
  const noted = Date.parse(annotations?.[requestedAtAnnotation] ?? '')
  const created = Date.parse(creationTimestamp ?? '')
  return Number.isNaN(noted) ? (Number.isNaN(created) ? undefined : created) : noted
}

/** What a Port's locks say of it to those on other nodes, who see nothing else of it. */
export function hopNote({ requestedMs, labels: { contention, waited } }: Since, lockedMs: number): Readonly<Record<string, string>> {
  const note = {
    ...(requestedMs !== undefined && { requestedMs }),
    lockedMs,
    ...(contention !== 'none' && { contention }),
    ...(waited !== 'no' && { waited }),
  }
  return { [hopAnnotation]: JSON.stringify(note) }
}

const form = /^\{(?:"requestedMs":(\d{1,15}),)?"lockedMs":(\d{1,15})(,"contention":"address")?(,"waited":"subnet")?\}$/

/** The same, read back; undefined where it is none. */
export function hopIn({ metadata: { annotations } }: Dated): (Since & { readonly lockedMs: number }) | undefined {
  const read = form.exec(annotations?.[hopAnnotation] ?? '')
  if (read === null) return undefined
  const [, requested, locked, contention, waited] = read
  const labels: HopLabels = { contention: contention === undefined ? 'none' : 'address', waited: waited === undefined ? 'no' : 'subnet' }
  return { requestedMs: requested === undefined ? undefined : Number(requested), lockedMs: Number(locked), labels }
}
