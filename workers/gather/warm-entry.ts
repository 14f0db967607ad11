// The Port made ahead that a Port may take.
import { isPlain, poolKeyOf } from '../../core/kinds/vpc/warm.ts'
import type { Resource } from '../../core/kinds/index.ts'
import { isOffered } from '../../core/plan/cloud/taking.ts'
import type { Env } from '../controller-env.ts'

type Port = Resource<'Port'>

/**
 * Of one that has asked for nothing yet, or whose own was taken from it: what has been asked for under another name may still come.
 *
 * The one that is kept for it already is the one; else workers that do not know of each other begin at different ones.
 */
export function offerFor(port: Port, { caches, picked }: Pick<Env, 'caches' | 'picked'>): Port | undefined {
  const { uid, deletionTimestamp } = port.metadata
  const { requestedAt, from, providerID } = port.status ?? {}
  const hasAsked = (requestedAt !== undefined && from === undefined) || providerID !== undefined
  if (hasAsked || port.spec.warm !== undefined || deletionTimestamp !== undefined || !isPlain(port)) return undefined
  const offered = [...caches.Port.by('pool', poolKeyOf(port))].filter(
    (entry) => isPlain(entry) && isOffered(entry, uid) && entry.metadata.uid !== from?.uid && picked.mayPick(entry.metadata.uid, uid),
  )
  const kept = offered.find(({ spec }) => spec.warm?.for?.uid === uid)
  const offer = kept ?? offered[placeOf(uid, offered.length)]
  if (offer !== undefined) picked.pick(offer.metadata.uid, uid)
  return offer
}

const placeOf = (uid: string, count: number): number => [...uid].reduce((sum, char) => (sum * 31 + char.charCodeAt(0)) % 65_521, 0) % count
