// A pool of Ports made ahead: as many as it is to have are made, and those that were taken, or that are too many, are deleted.
import type { Draft } from '../../contracts/store.ts'
import { portFinalizer } from '../../kinds/annotations.ts'
import { refOf, type Resource } from '../../kinds/index.ts'
import { isNamedBy, isPlain, warmName } from '../../kinds/vpc/warm.ts'
import type { Plan, Step } from '../plan.ts'
import { comings, none, sizeOf, type PoolSize, type WarmPools } from './pool-size.ts'
import { isGiven } from './taking.ts'

type Port = Resource<'Port'>

export interface PoolDesired {
  readonly key: string
  /** Absent: none are to be made ahead there any more. */
  readonly pools: WarmPools | undefined
  readonly entries: readonly Port[]
  readonly starts: readonly Port[]
  /** Ports in the same Subnet that the cloud has refused: they come before those to come. */
  readonly refused: number
  /** Whether the Port that an entry is kept for may still take it. */
  readonly isNeeded: (entry: Port) => boolean
}
export type PoolAction = { readonly do: 'makeEntry'; readonly draft: Draft<'Port'> } | { readonly do: 'endEntry'; readonly entry: Port }
export interface PoolSeen {
  /** How many more ports the cloud lets be made; undefined: it does not say now. */
  readonly room: number | undefined
}

/** At a time: what a cloud makes in one request. */
const atOnce = 25
/** A pool that nothing wakes is looked at for its size. */
const againMs = 60_000
const numbersMost = 10_000

export function planPool(desired: PoolDesired, { room }: PoolSeen, now: number): Plan<PoolAction> {
  const { entries, key, pools } = desired
  const living = entries.filter(({ metadata }) => metadata.deletionTimestamp === undefined)
  const over = living.filter((entry) => isOver(entry, desired))
  const free = living.filter((entry) => !over.includes(entry) && entry.spec.warm?.for === undefined)
  const useful = pools === undefined ? none : sizeOf(pools, desired, now)
  const most = desired.refused > 0 ? none : affordable({ free, going: entries.length - living.length + over.length }, pools, room)
  const wanted = Math.min(useful.atLeast, most.atLeast)
  const surplus = [...free].sort(isLater).slice(Math.min(useful.atMost, most.atMost))
  const drafts = draftsOf(desired, Math.min(wanted - free.length, atOnce))
  return {
    steps: [
      ...[...over, ...surplus].map((entry): Step<PoolAction> => ({
        action: { do: 'endEntry', entry },
        because: { rule: over.includes(entry) ? 'a Port made ahead that was taken' : 'one more than are made ahead', of: refOf(entry) },
      })),
      ...drafts.map((draft): Step<PoolAction> => ({
        action: { do: 'makeEntry', draft },
        because: { rule: 'a Port for a pod to come', of: { kind: 'Port', namespace: draft.metadata.namespace ?? '', name: key } },
      })),
    ],
    phase: 'ready',
    reason: 'Sized',
    message: `${free.length} of ${wanted} Ports are made ahead`,
    ...((useful.atMost > 0 || entries.length > 0) && { requeueAfterMs: againMs }),
  }
}

/** It was given, was made for another pool or is not as its own's are, or is kept for a Port that does without it. */
const isOver = (entry: Port, { isNeeded, key }: PoolDesired): boolean =>
  isGiven(entry) ||
  !isNamedBy(key, entry) ||
  !isPlain(entry) ||
  entry.spec.node !== undefined ||
  (entry.spec.warm?.for !== undefined && !isNeeded(entry))

/**
 * What is there is given back where less is left of the quota than is to be left. What is being made may count there already, and what
 * goes may count still: more are made as if the first did not, and are given back as if both did.
 */
function affordable(
  { free, going }: { readonly free: readonly Port[]; readonly going: number },
  pools: WarmPools | undefined,
  room: number | undefined,
): PoolSize {
  if (room === undefined) return { atLeast: free.length, atMost: free.length }
  const made = free.filter(({ status }) => status?.providerID !== undefined).length
  const left = room - (pools?.reserve ?? 10)
  return { atLeast: Math.max(0, made + left), atMost: Math.max(0, free.length + going + left) }
}

/** Those that are there already, and of these the oldest, stay. */
function isLater(a: Port, b: Port): number {
  const rank = ({ status, metadata }: Port): string => `${status?.phase === 'ready' ? 0 : 1}${metadata.creationTimestamp}${metadata.name}`
  return rank(a) < rank(b) ? -1 : 1
}

function draftsOf({ key, entries, starts }: PoolDesired, count: number): readonly Draft<'Port'>[] {
  const [like] = [...starts, ...entries]
  if (like === undefined || count <= 0) return []
  const { subnet, securityGroups } = like.spec
  const taken = new Set(entries.map(({ metadata }) => metadata.name))
  const after = unwritten({ starts, entries })
  const drafts: Draft<'Port'>[] = []
  for (let number = 0; drafts.length < count && number < numbersMost; number++) {
    const name = warmName(key, number)
    if (taken.has(name)) continue
    const came = after[drafts.length]
    drafts.push({
      kind: 'Port',
      metadata: { namespace: like.metadata.namespace ?? '', name, finalizers: [portFinalizer] },
      spec: { subnet, ...(securityGroups && { securityGroups }), warm: came === undefined ? {} : { after: came } },
    })
  }
  return drafts
}

/** The Ports that came and that no entry tells of, the last first. */
function unwritten(ports: Pick<PoolDesired, 'starts' | 'entries'>): readonly { readonly uid: string; readonly came: string }[] {
  const written = new Set(ports.entries.map(({ spec }) => spec.warm?.after?.uid))
  return [...comings(ports)]
    .filter(([uid]) => !written.has(uid))
    .sort(([, a], [, b]) => b - a)
    .map(([uid, ms]) => ({ uid, came: new Date(ms).toISOString() }))
}
