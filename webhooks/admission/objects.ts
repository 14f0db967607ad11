// Admission of our own kinds: defaults and finalizers of birth; schema, rules, and what can be seen around them.
import { callbackProblem } from '../../core/admit/object/callback-target.ts'
import { finalizersFor } from '../../core/admit/object/finalizers.ts'
import { refusalByBroadcast, refusalByQos, refusalByView } from '../../core/admit/object/by-view.ts'
import { refusalByBlocks, refusalOfAllowed } from '../../core/admit/pod/routed-blocks.ts'
import { moveNamedIn, nodeNamedIn, refusalByMove, refusalByNode } from '../../core/admit/object/node-allowances.ts'
import { pointerTo, type Refusal } from '../../core/admit/refusal.ts'
import { fieldRights } from '../../core/admit/rest/rights.ts'
import { judge } from '../../core/admit/object/rules.ts'
import { check } from '../../core/admit/object/schema.ts'
import { isObject } from '../../core/json.ts'
import { resolveReference, type OwnKind, type Resource } from '../../core/kinds/index.ts'
import { requestedNotes, type Cause } from '../../core/kinds/trace.ts'
import { sameJson } from '../../core/same-json.ts'
import type { Operation } from '../../core/wire/json-patch.ts'
import type { AdmissionDeps } from './deps.ts'
import type { AdmissionProblem } from './answer.ts'
import { putAll } from './dpdk.ts'

/** An object of ours as it comes to admission; well-formed once `check` has passed it. */
export type OwnObject<K extends OwnKind = OwnKind> = Pick<Resource<K>, 'kind' | 'metadata' | 'spec'>

/** As much as is looked at of an object that is stored already. */
export const isOwnObject = (value: unknown): value is OwnObject => isObject(value) && isObject(value['metadata']) && isObject(value['spec'])

/** The request that an object of ours comes with. */
export interface OwnRequest {
  /** As it is stored, where it is changed. */
  readonly old: OwnObject | undefined
  readonly cause: Cause | undefined
  /** Milliseconds since 1970. */
  readonly now: number
}

/** The finalizers that are missing, and which request wants it so. Nothing is put on what is being deleted: a finalizer would keep it. */
export function patchForOwn(kind: OwnKind, object: OwnObject, request: OwnRequest): readonly Operation[] {
  if (object.metadata.deletionTimestamp !== undefined) return []
  return [...putAll('/metadata/annotations', object.metadata.annotations, notesFor(object, request)), ...finalizerPatch(kind, object)]
}

/** What it brings unchanged is of an earlier request. One that wants nothing else, as an apply that is repeated, changes nothing. */
function notesFor({ metadata: { annotations = {} }, spec }: OwnObject, { old, cause, now }: OwnRequest): Readonly<Record<string, string>> {
  if (old !== undefined && sameJson(spec, old.spec)) return {}
  const before = old?.metadata.annotations ?? {}
  return requestedNotes(Object.fromEntries(Object.entries(annotations).filter(([name, value]) => before[name] !== value)), cause, { now })
}

function finalizerPatch(kind: OwnKind, object: OwnObject): readonly Operation[] {
  const there = object.metadata.finalizers
  const missing = finalizersFor(kind, object).filter((each) => !(there ?? []).includes(each))
  if (missing.length === 0) return []
  return there === undefined
    ? [{ op: 'add', path: '/metadata/finalizers', value: missing }]
    : missing.map((value) => ({ op: 'add', path: '/metadata/finalizers/-', value }))
}

/** What is wrong with an object in itself. What is being deleted is let through: nothing may hold up its finalizers. */
export function problemsInOwn(kind: OwnKind, object: unknown, old?: OwnObject): readonly AdmissionProblem[] {
  if (old?.metadata.deletionTimestamp !== undefined) return []
  const problems = check(kind, object)
  return problems.length > 0 ? problems : judge(kind, object as OwnObject, old)
}

/** What a well-formed object does not find, or finds in its place, among the objects there are. Waits for what is on its way. */
export async function problemsAround(
  deps: Pick<AdmissionDeps, 'store' | 'world' | 'settings' | 'news'>,
  object: OwnObject,
  old?: OwnObject,
): Promise<readonly AdmissionProblem[]> {
  const callback = problemInCallback(deps, object, old)
  if (callback !== undefined) return [callback]
  const ours = problemInOurs(object, old)
  if (ours !== undefined) return [ours]
  const move = await problemInMove(deps, object, old)
  if (move !== undefined) return [{ at: move.at, message: move.message }]
  if (old !== undefined) return problemsInEdit(deps.world, object, old)
  const ask = (): ReturnType<typeof refusalByView> => refusalByView(object, deps.world)
  const refusal = deps.news === undefined ? ask() : await deps.news.until(ask, (answer) => answer?.later === true)
  const found = refusal ?? (await problemInNode(deps, object))
  return found === undefined ? [] : [{ at: found.at, message: found.message }]
}

/** A Port may come to name a QoS policy or to have blocks behind it, a Subnet to be for broadcast or to allow blocks. */
function problemsInEdit(world: AdmissionDeps['world'], object: OwnObject, old: OwnObject): readonly AdmissionProblem[] {
  const refusal = refusalOfEdit(world, object, old)
  return refusal === undefined ? [] : [{ at: refusal.at, message: refusal.message }]
}

function refusalOfEdit(world: AdmissionDeps['world'], object: OwnObject, old: OwnObject): Refusal | undefined {
  if (object.kind === 'Subnet') {
    const [is, { spec: was }] = [object as OwnObject<'Subnet'>, old as OwnObject<'Subnet'>]
    const found = is.spec.broadcast === was.broadcast ? undefined : refusalByBroadcast(is, world)
    return found ?? (sameJson(is.spec.allowedRoutedBlocks, was.allowedRoutedBlocks) ? undefined : refusalOfAllowed(is, world))
  }
  if (object.kind !== 'Port') return undefined
  const [is, { spec: was }] = [object as OwnObject<'Port'>, old as OwnObject<'Port'>]
  const found = is.spec.qosPolicy === was.qosPolicy ? undefined : refusalByQos(is, world)
  return found ?? (sameJson(is.spec.routedBlocks, was.routedBlocks) ? undefined : refusalByBlocks(is, world))
}

/** Few Ports name a node: it is read live, and nobody follows Nodes for their sake. */
async function problemInNode({ store }: Pick<AdmissionDeps, 'store'>, object: OwnObject): Promise<Refusal | undefined> {
  const name = nodeNamedIn(object)
  return name === undefined ? undefined : refusalByNode((object as OwnObject<'Port'>).spec, await store.get({ kind: 'Node', name }))
}

/** The same of a node that a Port is to move to. */
async function problemInMove(
  { store, world }: Pick<AdmissionDeps, 'store' | 'world'>,
  object: OwnObject,
  old?: OwnObject,
): Promise<Refusal | undefined> {
  const name = moveNamedIn(object, old)
  if (name === undefined) return undefined
  const { spec, metadata } = object as OwnObject<'Port'>
  const where = resolveReference(spec.subnet, metadata.namespace ?? '')
  const vpc = world.vpc(where.namespace, world.subnet(where.namespace, where.name)?.spec.vpc ?? '')
  return refusalByMove(spec, await store.get({ kind: 'Node', name }), vpc)
}

/** What nobody but our own accounts writes, whose writes do not come here. Policies say the same where they are installed. */
function problemInOurs({ kind, spec }: OwnObject, old: OwnObject | undefined): AdmissionProblem | undefined {
  const right = fieldRights.find((each) => each.kind === kind && each.roles.length === 0 && each.needs(spec as never, old?.spec as never))
  return right === undefined ? undefined : { at: pointerTo('spec', right.field), message: right.message }
}

/** A URL that is stored already stays, whatever the settings say now: workers will not call it. */
function problemInCallback(
  { settings }: Pick<AdmissionDeps, 'settings'>,
  object: OwnObject,
  old?: OwnObject,
): AdmissionProblem | undefined {
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
  const { callbackURL, sink, auth } = object.spec as {
    readonly callbackURL?: unknown
    readonly sink?: unknown
    readonly auth?: { readonly tokenEndpoint?: unknown }
  }
  const found: readonly { readonly field: readonly string[]; readonly url: unknown }[] = [
    { field: ['callbackURL'], url: callbackURL },
    { field: ['sink'], url: object.kind === 'Subscription' ? sink : undefined },
    { field: ['auth', 'tokenEndpoint'], url: object.kind === 'Subscription' ? auth?.tokenEndpoint : undefined },
  ]
  return found.filter((each): each is Called => typeof each.url === 'string')
}
