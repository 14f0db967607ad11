// Who may have a connection made, refreshed, closed and watched. The rules are NSM's default policies (networkservicemesh/sdk,
// pkg/tools/opa/policies, 2026-11): tokens of the path that hold and were made for each other, the last of them by whoever calls. Ours on
// top: a connection stays that of the caller who has begun it.
import { ChainForbidden } from '../../../../core/errors.ts'
import { indexOf, previousOf, segmentsOf } from '../../../../core/nsm/connection/path.ts'
import { areInOrder } from '../../../../core/nsm/token-claims.ts'
import type { Connection, MonitorScopeSelector, PathSegment } from '../../../../core/wire/nsm/connection.ts'
import type { Clock } from '../../../clock.ts'
import { isSignedBy } from '../../tokens/spiffe-tokens.ts'
import type { Identity } from '../../tokens/token.ts'
import type { Element } from '../chain.ts'
import { slot, type Visit } from '../visit.ts'

const owned = slot<{ readonly by: string; readonly id: string }>('authorize')
const forbidden = (): Error => new ChainForbidden({ part: 'networkservice' })

/** Of a forwarder that takes its own nsmgr's word for something. */
export const callersOnly = (isOne: (spiffeId: string | undefined) => boolean): Element => {
  const judge = ({ caller: { identity, isOwn } }: Visit): void => {
    if (!isOwn && !isOne(identity?.spiffeId)) throw forbidden()
  }
  return {
    name: 'callers only',
    async request(visit, next) {
      judge(visit)
      return next.request(visit)
    },
    async close(visit, next) {
      judge(visit)
      await next.close(visit)
    },
  }
}

/** Ids of segments by the SPIFFE id of whoever calls with them. */
export class Owners {
  readonly #ids = new Map<string, Set<string>>()

  add(who: string, id: string): void {
    this.#ids.set(who, (this.#ids.get(who) ?? new Set()).add(id))
  }

  drop(who: string, id: string): void {
    const ids = this.#ids.get(who)
    ids?.delete(id)
    if (ids?.size === 0) this.#ids.delete(who)
  }

  /**
   * One monitors what one has: an id of one's own is in the selector. NSM refuses one without ids; where it has names, we tell its owner of
   * all that are its own, by one stream.
   *
   * @returns what of the selected may be told @throws ChainForbidden
   */
  judgeMonitor({ pathSegments }: MonitorScopeSelector, identity: Identity | undefined): (connection: Connection) => boolean {
    const who = identity?.spiffeId ?? ''
    const isOwn = ({ id }: Pick<PathSegment, 'id'>): boolean => this.#ids.get(who)?.has(id) === true
    if (pathSegments.some(isOwn)) return () => true
    const areNames = pathSegments.length > 0 && pathSegments.every(({ id, name }) => id === '' && name !== '')
    if (!areNames || !this.#ids.has(who)) throw new ChainForbidden({ part: 'monitor' })
    return (connection) => segmentsOf(connection).some(isOwn)
  }
}

export function authorize(owners: Owners, clock: Clock): Element {
  const judge = async ({ connection, caller: { identity, isOwn }, kept }: Visit): Promise<void> => {
    if (isOwn) return
    const tokens = segmentsOf(connection)
      .slice(0, indexOf(connection) + 1)
      .map(({ token }) => token)
    const previous = previousOf(connection)?.token ?? ''
    if (identity === undefined || !areInOrder(tokens, clock.now()) || !(await isSignedBy(previous, identity.x509))) throw forbidden()
    const owner = kept.get(owned)
    if (owner !== undefined && owner.by !== identity.spiffeId) throw forbidden()
  }
  const release = ({ kept }: Visit): void => {
    const owner = kept.take(owned)
    if (owner !== undefined) owners.drop(owner.by, owner.id)
  }
  return {
    name: 'authorize',
    async request(visit, next) {
      await judge(visit)
      if (visit.kept.get(owned) !== undefined) return next.request(visit)
      const [by, id] = [visit.caller.identity?.spiffeId ?? '', previousOf(visit.connection)?.id ?? '']
      owners.add(by, id)
      visit.kept.set(owned, { by, id })
      try {
        return await next.request(visit)
      } catch (err) {
        release(visit)
        throw err
      }
    },
    async close(visit, next) {
      await judge(visit)
      release(visit)
      await next.close(visit)
    },
  }
}
