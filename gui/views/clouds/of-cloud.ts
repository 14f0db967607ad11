// What of the objects here is a Cloud's: by the Vpc that names it, and by the Subnets and Ports that say where they are.
import type { Item } from '../../contract/kinds.ts'

type PlacedItem = Item<'Vpc' | 'Subnet' | 'Port'>
export type Finding = NonNullable<NonNullable<Item<'Audit'>['status']>['findings']>[number]

export const cloudOf = (item: PlacedItem): string | undefined => (item.kind === 'Vpc' ? item.spec.cloud : item.status?.cloud)

/** Phase → how many. */
export function countsOf(items: Iterable<PlacedItem>, cloud: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const item of items) {
    if (cloudOf(item) !== cloud) continue
    const phase = item.status?.phase ?? 'new'
    counts.set(phase, (counts.get(phase) ?? 0) + 1)
  }
  return counts
}

/** Those that its cloud has refused or failed, in its own words. */
export const refusedIn = (items: Iterable<PlacedItem>, cloud: string): readonly PlacedItem[] =>
  [...items].filter((item) => cloudOf(item) === cloud && item.status?.phase === 'error')

/** The last that is over and looked at this Cloud, and what it found there. */
export function lastAudit(
  audits: Iterable<Item<'Audit'>>,
  cloud: string,
): { audit: Item<'Audit'>; findings: readonly Finding[] } | undefined {
  const over = [...audits].filter(
    ({ spec, status }) => status?.phase === 'ready' && (spec.cloud === undefined || spec.cloud === cloud) && status.lookedAt !== undefined,
  )
  const audit = over.sort((a, b) => (a.status!.lookedAt! < b.status!.lookedAt! ? 1 : -1))[0]
  return audit && { audit, findings: (audit.status?.findings ?? []).filter((each) => each.cloud === cloud) }
}
