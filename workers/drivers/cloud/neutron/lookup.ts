// How a thing is found at Neutron: what we make by its name, what is there already by its ID or name.
import type { CloudScope } from '../../../../core/contracts/cloud.ts'
import { inOrder, type Caller, type NeutronApi, type NeutronThing, type Plural } from './api.ts'
import { nameOf, ownerOf } from './owner.ts'

const uuid = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i

/** What we have made for an object; several where requests were under way at once. */
export async function made<T extends NeutronThing>(api: NeutronApi, plural: Plural, uid: string, caller: Caller): Promise<readonly T[]> {
  return ofOwner(await api.list<T>(plural, [['name', nameOf(uid)]], caller), uid)
}

/** As the contract tells of what no cloud refuses a second one of: one, and those that are there beside it. */
export async function madeWithDoubles<T extends NeutronThing, S>(
  api: NeutronApi,
  plural: Plural,
  { uid, seenAs }: { readonly uid: string; readonly seenAs: (thing: T) => S },
  caller: Caller,
): Promise<{ readonly there: S | undefined; readonly doubles?: readonly S[] }> {
  const [there, ...doubles] = (await made<T>(api, plural, uid, caller)).map(seenAs)
  return { there, ...(doubles.length > 0 && { doubles }) }
}

/** Somebody else may have taken the name. */
export const ofOwner = <T extends NeutronThing>(named: readonly T[], uid: string): readonly T[] =>
  inOrder(named.filter((each) => each.name === nameOf(uid) && ownerOf(each)?.uid === uid))

/** @throws CloudRefused where several have the name */
export async function existing<T extends NeutronThing>(
  api: NeutronApi,
  plural: Plural,
  text: string,
  caller: Caller,
): Promise<T | undefined> {
  const byId = uuid.test(text) ? await api.list<T>(plural, [['id', text]], caller) : []
  const found = byId.length > 0 ? byId : await api.list<T>(plural, [['name', text]], caller)
  if (found.length > 1) throw api.refused(`the name ${text}`, `${found.length} ${plural} have it: say which by its ID`)
  return found[0]
}

export const callerOf = ({ of }: Pick<CloudScope, 'of'>, signal: AbortSignal): Caller => ({ tenant: of.namespace ?? '', signal })
