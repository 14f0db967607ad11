// One set of routes for every kind. What differs between kinds is in the table of kinds, and in `pods.ts`.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Json } from '../../core/admit/manifest.ts'
import { AlreadyExists, Invalid, NamespaceTerminating, NotFound, PreconditionFailed, Stale } from '../../core/errors.ts'
import type { Draft } from '../../core/contracts/store.ts'
import { apiVersionOf, isOwnKind, keyOf, pluralOf, type Kind, type OwnKind, type Ref, type Resource } from '../../core/kinds/index.ts'
import { faultsAround } from '../admission/objects.ts'
import { mayDo } from '../plugins/access.ts'
import { merged, objectIn, patchIn } from './bodies.ts'
import type { RestDeps } from './deps.ts'
import { draftOf, judgedObject, placed, replacement } from './drafts.ts'
import { etagOf, holdIfMatch, isKnown, needIfMatch } from './etag.ts'
import { holdPod } from './hold-pod.ts'
import { flagIn, limitIn, parametersOf, selectionIn } from './query.ts'
import { BadParameter, Refused } from './refused.ts'
import { sendWatch } from './watch.ts'

export interface Params {
  readonly namespace?: string
  readonly name?: string
}
const listParameters = ['limit', 'continue', 'labelSelector', 'fieldSelector', 'watch'] as const
export const writeParameters = ['dryRun'] as const
const nameForm = /^[A-Za-z0-9]([-A-Za-z0-9.:_]{0,251}[A-Za-z0-9])?$/

/** Which object an address means. @throws NotFound for what can be no name, so that it reaches no store */
export function refIn(kind: Kind, { namespace, name = '' }: Params): Ref {
  const ref = namespace === undefined ? { kind, name } : { kind, namespace, name }
  if (!nameForm.test(name) || (namespace !== undefined && !nameForm.test(namespace))) throw new NotFound({ kind, key: keyOf(ref).slice(0, 300) })
  return ref
}

/** The namespace that a caller must be allowed in: a Namespace is its own. */
const realm = (kind: Kind, { namespace, name }: Params): string | undefined => (kind === 'Namespace' ? name : namespace)

export function sendObject(reply: FastifyReply, item: Resource, code = 200): FastifyReply {
  return reply.code(code).header('etag', etagOf(item)).send(item)
}

export const addressOf = ({ kind, metadata }: Resource): string =>
  metadata.namespace === undefined ? `/v1/${pluralOf(kind)}/${metadata.name}` : `/v1/namespaces/${metadata.namespace}/${pluralOf(kind)}/${metadata.name}`

export async function mustGet<K extends Kind>(deps: RestDeps, ref: Ref<K>): Promise<Resource<K>> {
  const item = await deps.store.get(ref)
  if (item === undefined) throw new NotFound({ kind: ref.kind, key: keyOf(ref) })
  return item
}

/** A rival came between the look and the write: what was asked for no longer holds. */
export function staleIsFailed(request: FastifyRequest, ref: Ref): (problem: unknown) => never {
  return (problem) => {
    throw problem instanceof Stale ? new PreconditionFailed({ kind: ref.kind, key: keyOf(ref), etag: String(request.headers['if-match']).slice(0, 200), cause: problem }) : problem
  }
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>
export type Handlers = Readonly<Record<'list' | 'get' | 'create' | 'replace' | 'patch' | 'delete', Handler>>

export function handlersOf(kind: Kind, deps: RestDeps): Handlers {
  const paramsOf = (request: FastifyRequest): Params => request.params as Params

  const list: Handler = async (request, reply) => {
    const { namespace } = paramsOf(request)
    await mayDo(deps, request.caller, { act: 'read', kind, namespace })
    if ((request.query as Readonly<Record<string, unknown>>)['watch'] === 'true') return sendWatch(request, reply, deps, kind)
    const parameters = parametersOf(request, listParameters)
    flagIn(parameters, 'watch')
    const place = parameters['continue']
    const within = { ...selectionIn(kind, namespace, parameters), limit: limitIn(parameters), ...(place !== undefined && place !== '' && { continue: place }) }
    const page = await deps.store.list(kind, within).catch(badPlace)
    if (page.continue !== undefined) reply.header('link', `<${nextPage(request, page.continue)}>; rel="next"`)
    return reply.send({ apiVersion: apiVersionOf(kind), kind: `${kind}List`, metadata: { resourceVersion: page.resourceVersion, ...(page.continue !== undefined && { continue: page.continue }) }, items: page.items })
  }

  const get: Handler = async (request, reply) => {
    const params = paramsOf(request)
    await mayDo(deps, request.caller, { act: 'read', kind, namespace: realm(kind, params) })
    parametersOf(request, [])
    const item = await mustGet(deps, refIn(kind, params))
    return isKnown(request, item) ? reply.code(304).header('etag', etagOf(item)).send() : sendObject(reply, item)
  }

  const create: Handler = async (request, reply) => {
    const { namespace } = paramsOf(request)
    await mayDo(deps, request.caller, { act: 'write', kind, namespace })
    const dryRun = flagIn(parametersOf(request, writeParameters), 'dryRun')
    if (namespace !== undefined) refIn(kind, { namespace, name: 'x' })
    const object = judgedObject(kind, placed(objectIn(request), { kind, namespace }))
    await admit(deps, object)
    const made = await createNamed(deps, draftOf(kind, object), dryRun)
    return sendObject(reply.header('location', addressOf(made)), made, 201)
  }

  /** What all changes of a stored object begin with: whoever asks may, names the state he has read, and it is that one. */
  const found = async (request: FastifyRequest): Promise<{ readonly params: Params; readonly dryRun: boolean; readonly ref: Ref; readonly current: Resource }> => {
    const params = paramsOf(request)
    await mayDo(deps, request.caller, { act: 'write', kind, namespace: realm(kind, params) })
    const dryRun = flagIn(parametersOf(request, writeParameters), 'dryRun')
    needIfMatch(request)
    const ref = refIn(kind, params)
    const current = await mustGet(deps, ref)
    holdIfMatch(request, current)
    return { params, dryRun, ref, current }
  }

  const change = async (request: FastifyRequest, reply: FastifyReply, next: (current: Resource) => Json): Promise<FastifyReply> => {
    const { params, dryRun, ref, current } = await found(request)
    const given = judgedObject(kind, placed(next(current), { kind, namespace: params.namespace, name: current.metadata.name }), current)
    const item = replacement(current, given)
    await admit(deps, item, current)
    if (dryRun) return sendObject(reply, item)
    return sendObject(reply, await deps.store.update(item).catch(staleIsFailed(request, ref)))
  }
  const replace: Handler = (request, reply) => change(request, reply, () => objectIn(request))
  const patch: Handler = (request, reply) => change(request, reply, (current) => merged(current, withoutStatus(patchIn(request))) as Json)

  const remove: Handler = async (request, reply) => {
    const { dryRun, ref, current } = await found(request)
    if (dryRun) return sendObject(reply, current)
    const { uid, resourceVersion } = current.metadata
    const exact = request.headers['if-match']?.trim() !== '*'
    const left = await deps.store.delete(ref, { uid, ...(exact && { resourceVersion }) }).catch(staleIsFailed(request, ref))
    // Accepted, not done: finalizers keep it until what it holds is given back.
    return left === undefined ? reply.code(204).send() : sendObject(reply, left, 202)
  }
  return { list, get, create, replace, patch, delete: remove }
}

/** What only a look around can find. @throws Refused */
async function admit<K extends Kind>(deps: RestDeps, item: Resource<K>, old?: Resource<K>): Promise<void> {
  if (item.kind === 'Pod' && old !== undefined) holdPod(item as unknown as Resource<'Pod'>, old as unknown as Resource<'Pod'>)
  if (!isOwnKind(item.kind)) return
  const faults = await faultsAround(deps.admission, item as unknown as Resource<OwnKind>, old as unknown as Resource<OwnKind> | undefined)
  if (faults.length > 0) throw new Refused(faults)
}

/** A replacement may carry the status it was read with; a patch that names it means to change it. */
function withoutStatus(patch: Json): Json {
  if (patch['status'] !== undefined) throw new Refused([{ at: '/status', message: 'is written by Megrez, not by its users' }])
  return patch
}

function badPlace(problem: unknown): never {
  throw problem instanceof Invalid ? new BadParameter('continue', 'is not one that a list gave: begin again without it') : problem
}

function nextPage(request: FastifyRequest, place: string): string {
  const [path = '', query = ''] = request.url.split('?')
  const parameters = new URLSearchParams(query)
  parameters.set('continue', place)
  return `${path}?${parameters}`
}

/** As names of Kubernetes' own making: no vowels, nothing that reads like something else. */
const letters = 'bcdfghjklmnpqrstvwxz2456789'
const tries = 8

export const randomName = (generateName: string, random: () => number): string => generateName + Array.from({ length: 5 }, () => letters[Math.floor(random() * letters.length)]).join('')

/** Stores a draft; one that leaves its name to us is tried again under another where the first is taken. */
export async function createNamed<K extends Kind>(deps: RestDeps, draft: Draft<K>, dryRun: boolean): Promise<Resource<K>> {
  const { generateName, name } = draft.metadata
  for (let attempt = 1; ; attempt++) {
    const named = name !== '' || generateName === undefined ? draft : { ...draft, metadata: { ...draft.metadata, name: randomName(generateName, deps.random) } }
    try {
      return dryRun ? await pretend(deps, named) : await deps.store.create(named)
    } catch (problem) {
      if (named === draft || !(problem instanceof AlreadyExists) || attempt === tries) throw problem
    }
  }
}

/** What a create would answer. */
export async function pretend<K extends Kind>(deps: RestDeps, draft: Draft<K>): Promise<Resource<K>> {
  const { kind, metadata, spec } = draft
  if ((await deps.store.get({ kind, ...metadata })) !== undefined) throw new AlreadyExists({ kind, key: keyOf(metadata) })
  const { namespace } = metadata
  const home = namespace === undefined ? undefined : await deps.store.get({ kind: 'Namespace', name: namespace })
  if (namespace !== undefined && home?.metadata.deletionTimestamp !== undefined) throw new NamespaceTerminating({ namespace })
  return { apiVersion: apiVersionOf(kind), kind, metadata: { uid: '', ...metadata, resourceVersion: '', generation: 1, creationTimestamp: new Date(deps.clock.now()).toISOString() }, spec }
}

