// Lists, whole and in pages: every page is of the state of the first.
import type { Etcd } from './etcd.ts'
import { keyOf, type Raw } from './raw.ts'
import { badRequest, expired, tooLarge } from './refusals.ts'
import type { Test } from './select.ts'
import type { Table } from './tables.ts'

type Query = Readonly<Record<string, string | undefined>>
interface ListPosition {
  readonly revision: number
  /** The last key that was given. */
  readonly after: string
}

/** @throws Refusal: 410 where the state of the first page is forgotten, 504 for a version that is yet to come */
export function listed(etcd: Etcd, table: Table, test: Test, query: Query): object {
  const token = query['continue'] ?? ''
  const place = token === '' ? begun(etcd, query) : goneOn(etcd, token)
  const all = etcd.at(table.kind, place.revision).filter((item) => test(item) && keyOf(item.metadata) > place.after)
  const items = all.slice(0, Number(query['limit'] ?? '0') || all.length)
  const more =
    items.length < all.length
      ? { continue: printed({ ...place, after: keyOf(items.at(-1)!.metadata) }), remainingItemCount: all.length - items.length }
      : {}
  return {
    apiVersion: table.apiVersion,
    kind: `${table.kind}List`,
    metadata: { resourceVersion: String(place.revision), ...more },
    items: items satisfies readonly Raw[],
  }
}

/** Before every key. */
const first = ''

function begun({ revision, compacted }: Etcd, { resourceVersion = '0', resourceVersionMatch }: Query): ListPosition {
  const asked = Number(resourceVersion)
  if (asked > revision) throw tooLarge(resourceVersion, String(revision))
  if (resourceVersionMatch !== 'Exact') return { revision, after: first }
  if (asked < compacted) throw expired(`The resourceVersion for the provided list is too old: ${asked}`)
  return { revision: asked, after: first }
}

function goneOn({ compacted }: Etcd, token: string): ListPosition {
  const place = placeIn(token)
  if (place.revision < compacted) throw expired('The provided continue parameter is too old to display a consistent list result.')
  return place
}

const printed = (place: ListPosition): string => Buffer.from(JSON.stringify(place)).toString('base64url')

function placeIn(token: string): ListPosition {
  try {
    return JSON.parse(Buffer.from(token, 'base64url').toString()) as ListPosition
  } catch {
    throw badRequest('continue key is not valid')
  }
}
