// Admission of our own kinds: defaults and finalizers of birth; schema, rules, and what can be seen around them.
import { callbackProblem } from '../../core/admit/callback-target.ts'
import { finalizersFor } from '../../core/admit/finalizers.ts'
import { lookAround } from '../../core/admit/own.ts'
import { pointerTo } from '../../core/admit/refusal.ts'
import { judge } from '../../core/admit/rules.ts'
import { check } from '../../core/admit/schema.ts'
import { isObject } from '../../core/json.ts'
import type { OwnKind, Resource } from '../../core/kinds/index.ts'
import type { Operation } from '../../core/wire/json-patch.ts'
import type { AdmissionDeps } from './deps.ts'
import type { Fault } from './answer.ts'

/** An object of ours as it comes to admission; well-formed once `check` has passed it. */
export type OwnObject<K extends OwnKind = OwnKind> = Pick<Resource<K>, 'kind' | 'metadata' | 'spec'>

/** As much as is looked at of an object that is stored already. */
export const isOwnObject = (value: unknown): value is OwnObject => isObject(value) && isObject(value['metadata']) && isObject(value['spec'])

/** The finalizers that are missing. None is put on what is being deleted: that would keep it. */
export function patchForOwn(kind: OwnKind, object: OwnObject): readonly Operation[] {
  if (object.metadata.deletionTimestamp !== undefined) return []
  const there = object.metadata.finalizers
  const missing = finalizersFor(kind, object).filter((each) => !(there ?? []).includes(each))
  if (missing.length === 0) return []
  return there === undefined ? [{ op: 'add', path: '/metadata/finalizers', value: missing }] : missing.map((value) => ({ op: 'add', path: '/metadata/finalizers/-', value }))
}

/** What is wrong with an object in itself. What is being deleted is let through: nothing may hold up its finalizers. */
export function faultsInOwn(kind: OwnKind, object: unknown, old?: OwnObject): readonly Fault[] {
  if (old?.metadata.deletionTimestamp !== undefined) return []
  const faults = check(kind, object)
  return faults.length > 0 ? faults : judge(kind, object as OwnObject, old)
}

/** What a well-formed object does not find, or finds in its place, among the objects there are. Waits for what is on its way. */
export async function faultsAround(deps: Pick<AdmissionDeps, 'world' | 'settings' | 'news'>, object: OwnObject, old?: OwnObject): Promise<readonly Fault[]> {
  const callback = faultInCallback(deps, object, old)
  if (callback !== undefined) return [callback]
  if (old !== undefined) return []
  const ask = (): ReturnType<typeof lookAround> => lookAround(object, deps.world)
  const refusal = deps.news === undefined ? ask() : await deps.news.until(ask, (answer) => answer?.later === true)
  return refusal === undefined ? [] : [{ at: refusal.at, message: refusal.message }]
}

/** A URL that is stored already stays, whatever the settings say now: workers will not call it. */
function faultInCallback({ settings }: Pick<AdmissionDeps, 'settings'>, object: OwnObject, old?: OwnObject): Fault | undefined {
  const before = old === undefined ? [] : callbacksIn(old).map(({ url }) => url)
  for (const { field, url } of callbacksIn(object)) {
    const problem = before.includes(url) ? undefined : callbackProblem(url, settings, object.metadata.namespace)
    if (problem !== undefined) return { at: pointerTo('spec', ...field), message: problem }
  }
  return undefined
}

interface Called {
  readonly field: readonly string[]
  readonly url: string
}

/** Where we would connect to for its sake. */
function callbacksIn(object: OwnObject): readonly Called[] {
  if (object.kind === 'Notice') return []
  const { callbackURL, sink, auth } = object.spec as { readonly callbackURL?: unknown; readonly sink?: unknown; readonly auth?: { readonly tokenEndpoint?: unknown } }
  const found: readonly { readonly field: readonly string[]; readonly url: unknown }[] = [
    { field: ['callbackURL'], url: callbackURL },
    { field: ['sink'], url: object.kind === 'Subscription' ? sink : undefined },
    { field: ['auth', 'tokenEndpoint'], url: object.kind === 'Subscription' ? auth?.tokenEndpoint : undefined },
  ]
  return found.filter((each): each is Called => typeof each.url === 'string')
}
