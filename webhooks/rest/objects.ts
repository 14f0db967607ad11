// One set of routes for every kind. What differs between kinds is in the table of kinds, and in `pods.ts`.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Json } from '../../core/json.ts'
import { finalizersFor } from '../../core/admit/object/finalizers.ts'
import type { RightVerb } from '../../core/admit/rest/rights.ts'
import type { AccessRequest } from '../../core/admit/rest/roles.ts'
import type { Store } from '../../core/contracts/store.ts'
import { Stale } from '../../core/errors.ts'
import { noticeFinalizer, requestedAtAnnotation, traceparentAnnotation, tracestateAnnotation } from '../../core/kinds/annotations.ts'
import { apiVersionOf, isOwnKind, refOf, type Kind, type OwnKind, type Ref, type Resource } from '../../core/kinds/index.ts'
import { isIdleRefresh } from '../../core/nsm/expiry.ts'
import { notesOf } from '../../core/kinds/trace.ts'
import { sameJson } from '../../core/same-json.ts'
import { problemsAround } from '../admission/objects.ts'
import { mayDo, requesterOf, storeFor, type Requester } from '../plugins/access.ts'
import type { Caller } from '../plugins/auth.ts'
import { causeOfRequest } from '../plugins/requests.ts'
import { mustGet, paramsOf, realmOf, refIn, sendObject, type Params } from './address.ts'
import { merged, objectIn, patchIn } from './write/bodies.ts'
import { createNamed, dryRunResult } from './write/create.ts'
import type { Handler, RestDeps } from './deps.ts'
import { draftOf, validObject, withAddress, replacement } from './write/drafts.ts'
import { etagOf, holdIfMatch, isKnown, needIfMatch } from './write/etag.ts'
import { mayWrite } from './write/fields.ts'
import { admitPodChange } from './keep-pod-request.ts'
import { IdempotentAnswers, markOf } from './write/idempotency.ts'
import { sendChanged, sendCreated, sendDeleting } from './write/operations.ts'
import { flagIn, limitIn, listAnswer, parametersOf, ListTokens, selectionIn } from './query.ts'
import { InvalidObject } from './invalid-object.ts'
import { requestedBy } from './write/requested-by.ts'
import { sendWatch } from './watch.ts'

export const writeParameters = ['dryRun'] as const

export type Handlers = Readonly<Record<'list' | 'get' | 'create' | 'replace' | 'patch' | 'delete', Handler>>

/** A change of what is stored, by a caller that was found to be allowed to make it. */
export interface ObjectChange {
  readonly params: Params
  readonly ref: Ref
  readonly dryRun: boolean
  readonly store: Store
}

const verbOf: Readonly<Record<string, AccessRequest['verb']>> = { PUT: 'update', PATCH: 'patch', DELETE: 'delete' }

/** What all changes of a stored object begin with. @throws Forbidden, PreconditionRequired, BadParameter, NotFound */
export async function objectChangeIn(request: FastifyRequest, deps: RestDeps, kind: Kind, act: RightVerb = 'write'): Promise<ObjectChange> {
  const params = paramsOf(request)
  await mayDo(deps, request.caller, { act, kind, namespace: realmOf(kind, params), verb: verbOf[request.method] ?? 'patch' })
  const dryRun = flagIn(parametersOf(request, writeParameters), 'dryRun')
  needIfMatch(request)
  return { params, ref: refIn(kind, params), dryRun, store: storeFor(deps, request.caller) }
}

const tries = 16

/**
 * A state is overtaken by each report of a status. Then we look anew: where what the caller has read still holds, it is tried on
 * the newer state; where it does not, `attempt` refuses.
 */
async function untilSettled<T>(attempt: () => Promise<T>): Promise<T> {
  for (let n = 1; ; n++) {
    try {
      return await attempt()
    } catch (err) {
      if (!(err instanceof Stale) || n === tries) throw err
    }
  }
}

export function handlersOf(kind: Kind, deps: RestDeps, answers: IdempotentAnswers): Handlers {
  const list: Handler = async (request, reply) => {
    const { namespace } = paramsOf(request)
    const watching = (request.query as Readonly<Record<string, unknown>>)['watch'] === 'true'
    await mayDo(deps, request.caller, { act: 'read', kind, namespace, verb: watching ? 'watch' : 'list' })
    if (watching) return sendWatch(request, reply, deps, kind)
    const parameters = listAnswer(request, false)
    flagIn(parameters, 'watch')
    const places = new ListTokens(deps.seal, 'continue', [kind, namespace, parameters['labelSelector'], parameters['fieldSelector']])
    const within = { ...selectionIn(kind, namespace, parameters), limit: limitIn(parameters), ...places.read(parameters) }
    const page = await storeFor(deps, request.caller).list(kind, within).catch(places.forgotten)
    const next = page.continue === undefined ? undefined : places.print(page.continue)
    if (next !== undefined) reply.header('link', `<${nextPage(request, next)}>; rel="next"`)
    return reply.send({
      apiVersion: apiVersionOf(kind),
      kind: `${kind}List`,
      metadata: { resourceVersion: page.resourceVersion, ...(next !== undefined && { continue: next }) },
      items: page.items,
    })
  }

  const get: Handler = async (request, reply) => {
    const params = paramsOf(request)
    await mayDo(deps, request.caller, { act: 'read', kind, namespace: realmOf(kind, params), verb: 'get' })
    parametersOf(request, [])
    const item = await mustGet(storeFor(deps, request.caller), refIn(kind, params))
    return isKnown(request, item) ? reply.code(304).header('etag', etagOf(item)).send() : sendObject(reply, item)
  }

  const create: Handler = async (request, reply) => {
    const { namespace } = paramsOf(request)
    await mayDo(deps, request.caller, { act: 'write', kind, namespace, verb: 'create' })
    const dryRun = flagIn(parametersOf(request, writeParameters), 'dryRun')
    const object = validObject(kind, withAddress(objectIn(request), { kind, namespace }))
    const mark = dryRun ? undefined : markOf(request)
    return answers.once(reply, mark, async () => {
      await admit(deps, request.caller, object)
      const store = storeFor(deps, request.caller)
      const making = {
        store,
        clock: deps.clock,
        random: deps.random,
        dryRun,
        mark,
        requester: requesterOf(deps, request.caller),
        cause: causeOfRequest(request),
      }
      const made = await createNamed(
        making,
        draftOf(kind, object),
        (named) => (dryRun ? dryRunResult(making, named) : store.create(named)),
        (there) => there,
      )
      return sendCreated({ request, reply, seal: deps.seal }, made, dryRun)
    })
  }

  const change = async (request: FastifyRequest, reply: FastifyReply, next: (current: Resource) => Json): Promise<FastifyReply> => {
    const { params, ref, dryRun, store } = await objectChangeIn(request, deps, kind)
    const attempt = async (): Promise<Resource> => {
      const current = await mustGet(store, ref)
      holdIfMatch(request, current)
      const given = validObject(
        kind,
        withAddress(next(current), { kind, namespace: params.namespace, name: current.metadata.name }),
        current,
      )
      if (isIdle(current, given, { now: deps.clock.now() })) return current
      const item = traced(requested(replacement(current, given), requesterOf(deps, request.caller), current), {
        request,
        current,
        now: deps.clock.now(),
      })
      await admit(deps, request.caller, item, { old: current, dryRun })
      return dryRun ? item : updated(store, item, current)
    }
    return sendChanged({ request, reply, seal: deps.seal }, await untilSettled(attempt), dryRun)
  }
  const replace: Handler = (request, reply) => change(request, reply, () => objectIn(request))
  const patch: Handler = (request, reply) => change(request, reply, (current) => merged(current, withoutStatus(patchIn(request))) as Json)

  const remove: Handler = async (request, reply) => {
    const { ref, dryRun, store } = await objectChangeIn(request, deps, kind)
    const exact = request.headers['if-match']?.trim() !== '*'
    const attempt = async (): Promise<{ readonly current: Resource; readonly left: Resource | undefined }> => {
      const current = await mustGet(store, ref)
      holdIfMatch(request, current)
      const last =
        dryRun || !reportsItsEnd(deps, request, current)
          ? current
          : await store.update(traced(current, { request, current, now: deps.clock.now() }))
      const { uid, resourceVersion } = last.metadata
      return { current, left: dryRun ? undefined : await store.delete(ref, { uid, ...(exact && { resourceVersion }) }) }
    }
    const { current, left } = await untilSettled(attempt)
    if (dryRun) return sendObject(reply, current)
    // Accepted, not done: finalizers keep it until what it holds is given back.
    return left === undefined ? reply.code(204).send() : sendDeleting({ request, reply, seal: deps.seal }, left)
  }
  return { list, get, create, replace, patch, delete: remove }
}

const isIdle = (current: Resource, given: Resource, at: { readonly now: number }): boolean =>
  current.kind === 'NetworkServiceEndpoint' &&
  isIdleRefresh(current as Resource<'NetworkServiceEndpoint'>, given as Resource<'NetworkServiceEndpoint'>, at)

/** Who asks by an edit to be told is told of the end too: the finalizer for it comes with the edit, as with a birth. */
async function updated(store: Store, item: Resource, { metadata }: Resource): Promise<Resource> {
  const missing =
    metadata.deletionTimestamp === undefined
      ? finalizersFor(item.kind, item).filter((each) => metadata.finalizers?.includes(each) !== true)
      : []
  if (missing.length === 0) return store.update(item)
  const ref = refOf(item)
  await store.commit([
    { do: 'update', item },
    ...missing.map((finalizer) => ({ do: 'addFinalizer' as const, ref, uid: metadata.uid, finalizer })),
  ])
  return mustGet(store, ref)
}

/** Whom we write for stands on what we write. */
const requested = <K extends Kind>(item: Resource<K>, requester: Requester, current: Resource): Resource<K> => ({
  ...item,
  metadata: requestedBy(item.metadata, requester, current.metadata),
})

interface Changing<K extends Kind> {
  readonly request: FastifyRequest
  readonly current: Resource<K>
  /** Milliseconds since 1970. */
  readonly now: number
}

/**
 * Which trace the request is part of stands on what it changes, until the next request changes it; and when it came, where it wants
 * something else than what is wanted already.
 */
function traced<K extends Kind>(item: Resource<K>, { request, current, now }: Changing<K>): Resource<K> {
  const [given, before] = [item.metadata.annotations ?? {}, current.metadata.annotations ?? {}]
  const cause = causeOfRequest(request)
  const { [traceparentAnnotation]: traceparent, [tracestateAnnotation]: tracestate, [requestedAtAnnotation]: _, ...others } = given
  // A client that writes one itself is taken at its word.
  const isOwn = cause === undefined && traceparent !== undefined && traceparent !== before[traceparentAnnotation]
  const own = { [traceparentAnnotation]: traceparent, ...(tracestate !== undefined && { [tracestateAnnotation]: tracestate }) }
  const at = sameJson(item.spec, current.spec) ? before[requestedAtAnnotation] : new Date(now).toISOString()
  const annotations = {
    ...others,
    ...(isOwn ? own : notesOf(cause)),
    ...(at !== undefined && { [requestedAtAnnotation]: at }),
  } as Readonly<Record<string, string>>
  return sameJson(annotations, given) ? item : { ...item, metadata: { ...item.metadata, annotations } }
}

/** Whether somebody will be told of its end, and by which request: pods of a cluster are not ours to write on. */
const reportsItsEnd = ({ standalone }: RestDeps, request: FastifyRequest, { kind, metadata }: Resource): boolean =>
  causeOfRequest(request) !== undefined &&
  metadata.deletionTimestamp === undefined &&
  metadata.finalizers?.includes(noticeFinalizer) === true &&
  (standalone !== undefined || kind !== 'Pod')

/** Checks the fields that only some may write, then what the objects around this one decide. @throws FieldForbidden, Refused */
async function admit<K extends Kind>(
  deps: RestDeps,
  caller: Caller,
  item: Resource<K>,
  { old, dryRun = false }: { readonly old?: Resource<K>; readonly dryRun?: boolean } = {},
): Promise<void> {
  await mayWrite(deps, caller, item, old)
  if (item.kind === 'Pod' && old !== undefined)
    await admitPodChange(deps, item as unknown as Resource<'Pod'>, old as unknown as Resource<'Pod'>, dryRun)
  if (!isOwnKind(item.kind)) return
  const problems = await problemsAround(
    deps.admission,
    item as unknown as Resource<OwnKind>,
    old as unknown as Resource<OwnKind> | undefined,
  )
  if (problems.length > 0) throw new InvalidObject(problems)
}

/** A replacement may carry the status it was read with; a patch that names it means to change it. */
function withoutStatus(patch: Json): Json {
  if (patch['status'] !== undefined) throw new InvalidObject([{ at: '/status', message: 'is written by Megrez, not by its users' }])
  return patch
}

function nextPage(request: FastifyRequest, place: string): string {
  const [path = '', query = ''] = request.url.split('?')
  const parameters = new URLSearchParams(query)
  parameters.set('continue', place)
  return `${path}?${parameters}`
}
