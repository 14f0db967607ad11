// What happens to a thing of ours at Neutron, of whatever kind it is: it is made once, adopted, let go, and deleted.
import type { CloudAction, CloudKind, CloudScope, CloudThing } from '../../../../core/contracts/cloud.ts'
import type { Caller, NeutronApi, NeutronThing, Plural } from './api.ts'
import { made } from './lookup.ts'
import { lostIn, marked, ownText, unmarked, type Owner } from './owner.ts'

/** Between IDs, and between revisions, of a thing that is several at Neutron. */
const between = '+'

export interface Part {
  readonly id: string
  readonly revision: string
}
export const whole = (parts: readonly NeutronThing[]): { readonly id: string; readonly revision: string } => ({
  id: parts.map(({ id }) => id).join(between),
  revision: parts.map((each) => each.revision_number).join(between),
})
export function partsOf({ id, revision }: Pick<CloudThing, 'id' | 'revision'>): readonly Part[] {
  const revisions = revision.split(between)
  return idsOf(id).map((each, i) => ({ id: each, revision: revisions[i] ?? '' }))
}
export const idsOf = (id: string): readonly string[] => id.split(between)

/** @param bodies of one thing, made in one request: all of them or none */
export async function create(
  api: NeutronApi,
  plural: Plural,
  { uid, bodies }: { readonly uid: string; readonly bodies: readonly object[] },
  caller: Caller,
): Promise<void> {
  const refusal = await api.create(plural, bodies, caller)
  // Refused because it is there: a request that came before has made it.
  if (refusal !== undefined && (await made(api, plural, uid, caller)).length === 0) throw refusal
}

/** Where Neutron refuses no second one it is looked for first: only of two that are asked for at once both are there then. */
export async function createUnlessThere(
  api: NeutronApi,
  plural: Plural,
  { scope, more = {} }: { readonly scope: CloudScope; readonly more?: object },
  caller: Caller,
): Promise<void> {
  const { uid } = scope.of
  if ((await made(api, plural, uid, caller)).length > 0) return
  await create(api, plural, { uid, bodies: [{ ...ownText(scope.of, api.installation), ...more }] }, caller)
}

const handovers = ['adopt', 'claim', 'release', 'delete'] as const
/** What changes whose it is. */
export type Handover<K extends CloudKind> = Extract<CloudAction<K>, { readonly do: (typeof handovers)[number] }>
export const isHandover = <K extends CloudKind>(action: CloudAction<K>): action is Handover<K> =>
  (handovers as readonly string[]).includes(action.do)

/** @param more what else of it is changed where it is let go */
export async function handOver<K extends CloudKind>(
  api: NeutronApi,
  plural: Plural,
  { action, more }: { readonly action: Handover<K>; readonly more?: (there: NeutronThing) => object },
  caller: Caller,
): Promise<void> {
  const { uid } = action.scope.of
  if (action.do === 'delete') return action.there.owner === uid ? remove(api, plural, action.there, caller) : undefined
  if (action.do === 'claim') return claim(api, plural, action, caller)
  for (const { id, revision } of partsOf(action.there)) {
    const [there] = await api.list<NeutronThing>(plural, [['id', id]], caller)
    if (there === undefined) {
      if (action.do === 'release') continue
      throw api.overtaken(plural, id)
    }
    mustKeepItsText(api, action, there)
    const wanted = { ...named(action.do, there, { uid, installation: api.installation }), ...(action.do === 'release' && more?.(there)) }
    const change = Object.fromEntries(Object.entries(wanted).filter(([field, value]) => there[field as keyof NeutronThing] !== value))
    if (Object.keys(change).length > 0) await api.update(plural, { id, revision, change }, caller)
  }
}

/** What is adopted says the same again once it is let go. @throws CloudRefused */
function mustKeepItsText(api: NeutronApi, { do: verb, scope }: Handover<CloudKind>, { id, description }: NeutronThing): void {
  const lost = verb === 'adopt' ? lostIn(description ?? '', { uid: scope.of.uid, installation: api.installation }) : 0
  if (lost === 0) return
  throw api.refused(`the adoption of ${id}`, `its description leaves no room for whose it is: shorten it by ${lost} characters`)
}

async function remove(api: NeutronApi, plural: Plural, there: CloudThing, caller: Caller): Promise<void> {
  for (const part of partsOf(there)) await api.delete(plural, part, caller)
}

/** What was made ahead says nothing that is not ours: what it says now need not be read. */
async function claim<K extends CloudKind>(
  api: NeutronApi,
  plural: Plural,
  { scope, there }: Pick<CloudAction<K>, 'scope'> & { readonly there: CloudThing },
  caller: Caller,
): Promise<void> {
  const change = ownText(scope.of, api.installation)
  for (const part of partsOf(there)) await api.update(plural, { ...part, change }, caller)
}

/** What of it says whose it is. */
const named = (verb: 'adopt' | 'release', { description }: NeutronThing, owner: Owner): Partial<NeutronThing> => ({
  description: verb === 'release' ? unmarked(description ?? '') : marked(description ?? '', owner),
})
