// Whoever an object's own callbackURL names is told in order, of nothing that was not so, and in the end of everything, its end
// included; and no Notice is left over.
import { noticeFinalizer } from '../../../core/kinds/annotations.ts'
import { keyOf, keyOfItem, type Kind, type Resource } from '../../../core/kinds/index.ts'
import { callbackOf, reportedStateOf } from '../../../core/plan/notify/notices.ts'
import { targetsLeft } from '../../../core/plan/notify/targets.ts'
import { ReadOrder } from './read-order.ts'
import type { Invariant } from '../invariant.ts'
import type { Landed, Truth } from '../truth.ts'

interface ReceivedPhases {
  readonly label: string
  /** Sequence → phase, of those changes before and after which the object named this URL. */
  readonly wanted: Map<number, string>
  readonly read: Set<number>
  readonly order: ReadOrder
  /** Dropped, maybe, as the receiver answered 410. */
  readonly dropped: Set<number>
}

export const notified: Invariant = {
  name: 'notified',
  begin({ site }, fail) {
    /** UID and URL → what is wanted and read. */
    const all = new Map<string, ReceivedPhases>()
    const toldAt = (item: Resource, url: string): ReceivedPhases => {
      const key = `${item.metadata.uid} ${url}`
      const known = all.get(key) ?? {
        label: `${item.kind} ${keyOfItem(item)}`,
        wanted: new Map<number, string>(),
        read: new Set<number>(),
        order: new ReadOrder(),
        dropped: new Set<number>(),
      }
      all.set(key, known)
      return known
    }
    /** Whoever is told at another place now is told there from now on. */
    const moves = ({ before, after }: Landed): void => {
      const was = before && callbackOf(before)
      if (was !== undefined && after !== undefined && callbackOf(after) !== was) all.delete(`${after.metadata.uid} ${was}`)
    }
    const changes = ({ before, after }: Landed): void => {
      const url = after && callbackOf(after)
      const is = after && reportedStateOf(after)
      if (after === undefined || url === undefined || is === undefined) return
      const [was, wasAt] = before === undefined ? [undefined, url] : [reportedStateOf(before), callbackOf(before)]
      if (is.sequence !== was?.sequence && wasAt === url) toldAt(after, url).wanted.set(is.sequence, is.phase)
    }
    /** Whoever has our finalizer goes with it when its end stands written. */
    const ends = ({ before, after }: Landed): void => {
      const url = before && callbackOf(before)
      if (before === undefined || url === undefined || !isGuarded(before) || (after !== undefined && isGuarded(after))) return
      if (before.metadata.deletionTimestamp !== undefined)
        toldAt(before, url).wanted.set((reportedStateOf(before)?.sequence ?? 0) + 1, 'deleted')
    }
    site.receivers.on((read) => {
      const { url, sequence, phase, body } = read
      const told = all.get(`${(JSON.parse(body) as Resource).metadata?.uid} ${url}`)
      if (told === undefined) return
      const { wanted } = told
      if (wanted.get(sequence) !== phase && wanted.size > 0 && sequence >= Math.min(...wanted.keys()))
        fail(`${url} read that ${told.label} was ${phase} (${sequence}), and it was ${wanted.get(sequence) ?? 'never so far'}`)
      told.read.add(sequence)
      const last = told.order.take(read)
      if (last !== undefined) fail(`${url} read sequence ${sequence} of ${told.label} after ${last}`)
    })
    site.receivers.onGone(({ url, body }) => {
      const told = all.get(`${(JSON.parse(body) as Resource).metadata?.uid} ${url}`)
      for (const sequence of told?.wanted.keys() ?? []) told!.dropped.add(sequence)
    })
    return {
      landed(landed) {
        if (landed.kind === 'Notice' || landed.kind === 'IPLock') return
        moves(landed)
        changes(landed)
        ends(landed)
      },
      atRest() {
        for (const [key, { label, wanted, read, dropped }] of all) {
          const missing = [...wanted]
            .filter(([sequence]) => !read.has(sequence) && !dropped.has(sequence))
            .map(([sequence, phase]) => `${phase} (${sequence})`)
          if (missing.length > 0)
            fail(
              `${key.split(' ')[1]} was never told that ${label} was ${missing.join(', ')}; it read ${[...read].join(', ') || 'nothing'}`,
            )
        }
        const paused = new Set(
          [...site.truth.values('Subscription')].filter(({ spec }) => spec.paused === true).map(({ metadata }) => metadata.uid),
        )
        const left = [...site.truth.values('Notice')].filter(
          (notice) =>
            notice.spec.keepUntil === undefined &&
            !targetsLeft(notice).some((target) => paused.has(target)) &&
            !isOfNoChange(notice, site.truth),
        )
        if (left[0] !== undefined)
          fail(
            `${left.length} Notices are left over, the first ${left[0].metadata.name} of ${left[0].spec.of.kind} ${left[0].spec.of.namespace}/${left[0].spec.of.name}`,
          )
      },
    }
  },
}

/**
 * Whose report fell, as a pass was cut off after it and the next had nothing to tell: the object's next change, or its end, takes its
 * place.
 */
function isOfNoChange({ spec: { of, sequence } }: Resource<'Notice'>, truth: Truth): boolean {
  const item = truth.at(of.kind as Kind, keyOf(of))
  return item?.metadata.uid === of.uid && (reportedStateOf(item)?.sequence ?? 0) < sequence
}

const isGuarded = ({ metadata }: Resource): boolean => metadata.finalizers?.includes(noticeFinalizer) === true
