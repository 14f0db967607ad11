// Ports that are made for one tenant: many in one request, and what has been made before is not made again.
import { limited, type Clock } from '../../../../platform/clock.ts'
import { bulkMost, halving, type BulkSize } from '../bulk.ts'
import { Gathering } from '../gathering.ts'
import type { NeutronApi } from './api.ts'
import { ofOwner } from './lookup.ts'
import { nameOf } from './owner.ts'
import type { Port } from './port-bodies.ts'

export interface PortRequest {
  readonly uid: string
  readonly body: object
}
export interface MakingPorts {
  readonly project: NeutronApi
  readonly clock: Clock
  /** How long a request may take. */
  readonly timeoutMs: number
  readonly tenant: string
  readonly size: BulkSize
  /** No MAC of ours keeps out a second one: it is looked for first, and another process may be as fast all the same. */
  readonly isSoughtFirst: boolean
}

/** So many names are a URL that every proxy takes. */
export const namesMost = 50
/** Of a request that stands for many: beside its own time, what it waits for its turn. */
export const waitMs = 5_000

export function making({ project, clock, timeoutMs, tenant, size, isSoughtFirst }: MakingPorts): Gathering<PortRequest, undefined> {
  const send = (all: readonly PortRequest[]): Promise<Error | undefined> =>
    limited(timeoutMs + waitMs, clock, (signal) =>
      size.timed(all.length, () =>
        project.create(
          'ports',
          all.map(({ body }) => body),
          { tenant, signal },
        ),
      ),
    )
  async function madeOf(all: readonly PortRequest[]): Promise<ReadonlySet<string>> {
    if (all.length === 0) return new Set()
    const named = all.map(({ uid }) => ['name', nameOf(uid)] as const)
    const there = await limited(timeoutMs + waitMs, clock, (signal) => project.list<Port>('ports', named, { tenant, signal }))
    return new Set(all.flatMap(({ uid }) => (ofOwner(there, uid).length > 0 ? [uid] : [])))
  }
  return new Gathering({
    most: () => Math.min(size.now, bulkMost),
    clock,
    async ask(all) {
      const before = isSoughtFirst ? await madeOf(all) : new Set()
      const missing = [...new Map(all.map((each) => [each.uid, each])).values()].filter(({ uid }) => !before.has(uid))
      const refusals = missing.length === 0 ? [] : await halving(missing, send)
      const refused = new Map(missing.flatMap(({ uid }, i) => (refusals[i] === undefined ? [] : [[uid, refusals[i]] as const])))
      // Refused because it is there: a request that came before has made it.
      const after = await madeOf(missing.filter(({ uid }) => refused.has(uid)))
      return all.map(({ uid }) => (after.has(uid) ? undefined : refused.get(uid)))
    },
  })
}
