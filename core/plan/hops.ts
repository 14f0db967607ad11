// Which hops of a Port's or Subnet's way a write to the store completes.
import type { Write } from '../contracts/store.ts'
import { requestedMsOf, type Dated, type HopLabels, type Since } from '../kinds/hops.ts'
import type { Kind, Resource } from '../kinds/index.ts'
import type { Report } from '../kinds/meta.ts'
import { beforeWrite } from './before-write.ts'

export interface Hop extends Since {
  readonly to: 'address' | 'ready' | 'validated'
}

const contending: readonly string[] = ['SubnetFull', 'AddressTaken', 'AddressLeaving', 'MacTaken', 'PortIDTaken']
const awaiting: readonly string[] = ['SubnetMissing', 'SubnetNotValidated', 'SubnetTerminating', 'VpcMissing']

const reasonsIn = ({ conditions = [], timeline = [] }: Report): readonly string[] =>
  [...timeline, ...conditions].map(({ reason }) => reason)

function labelsOf(reasons: readonly string[]): HopLabels {
  const has = (some: readonly string[]): boolean => reasons.some((reason) => some.includes(reason))
  return { contention: has(contending) ? 'address' : 'none', waited: has(awaiting) ? 'subnet' : 'no' }
}

/** Of a Port; of one that was there before its pod, since its pod was asked for. */
export function sinceOf(port: Pick<Resource<'Port'>, 'metadata' | 'status'>, pod?: Dated): Since {
  const times = [port, pod].flatMap((each) => (each && requestedMsOf(each)) ?? [])
  return { requestedMs: times.length === 0 ? undefined : Math.max(...times), labels: labelsOf(reasonsIn(port.status ?? {})) }
}

/** A day: what is older was not asked for in the same breath, or a clock is wrong. */
const longestMs = 24 * 3_600_000

/** How long it is since something was asked for; undefined where that is no hop. `now` is milliseconds since 1970. */
export function hopSeconds({ requestedMs = NaN }: Pick<Since, 'requestedMs'>, { now }: { readonly now: number }): number | undefined {
  const ms = now - requestedMs
  return ms >= 0 && ms <= longestMs ? ms / 1000 : undefined
}

interface Sections {
  readonly address?: { readonly addresses?: readonly string[] }
  readonly segment?: { readonly validated?: boolean }
  readonly report?: Report
}
type StatusWrite = Extract<Write, { do: 'patchStatus' }>
type Status = Report & { readonly addresses?: readonly string[]; readonly validated?: boolean }

/**
 * The hops that writes complete, once they are in the store.
 *
 * @param item what they were planned from
 */
export const hopsIn = (writes: readonly Write[], item: Resource | undefined): readonly Hop[] =>
  writes.flatMap((write) =>
    write.do === 'patchStatus' && (write.ref.kind === 'Port' || write.ref.kind === 'Subnet') ? hopsOf(write, writes, item) : [],
  )

function hopsOf(write: StatusWrite, writes: readonly Write[], item: Resource | undefined): readonly Hop[] {
  const before = beforeWrite(write.uid, writes, item)
  if (before === undefined) return []
  const status: Status = ('status' in before ? before.status : undefined) ?? {}
  const sections: Sections = write.sections
  const since: Since = { requestedMs: requestedMsOf(before), labels: labelsOf([...reasonsIn(status), ...reasonsIn(sections.report ?? {})]) }
  return completed(write.ref.kind, sections, status).map((to) => ({ to, ...since }))
}

function completed(kind: Kind, { address, segment, report }: Sections, before: Status): readonly Hop['to'][] {
  if (kind === 'Subnet') return isValidated(segment) && !isValidated(before) ? ['validated'] : []
  const found: Hop['to'][] = []
  if (address?.addresses !== undefined && before.addresses === undefined) found.push('address')
  if (report?.phase === 'ready' && !hasBeenReady(before)) found.push('ready')
  return found
}

const isValidated = (of: { readonly validated?: boolean } | undefined): boolean => of?.validated === true
const hasBeenReady = ({ timeline = [] }: Status): boolean => timeline.some(({ phase }) => phase === 'ready')
