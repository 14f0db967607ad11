// Long work as a resource: what was asked for, and how far it is, in the states of ETSI GS NFV-SOL 003 (operation occurrences).
// Nothing is kept of it: its id, which we sign, says which object and which of its states are meant, and the object says the rest.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { NotFound } from '../../../core/errors.ts'
import { addressOf } from '../../../core/kinds/address.ts'
import { nicStatusAnnotation } from '../../../core/kinds/annotations.ts'
import { isOwnKind, refOf, type Kind, type Ref, type Resource } from '../../../core/kinds/index.ts'
import { mayDo, storeFor } from '../../plugins/access.ts'
import type { Signer } from '../../plugins/signer.ts'
import { paramsOf, realmOf, sendObject } from '../address.ts'
import type { Handler, RestDeps } from '../deps.ts'
import { parametersOf } from '../query.ts'

const types = ['create', 'change', 'delete'] as const
type Type = (typeof types)[number]
export type OperationState = 'STARTING' | 'PROCESSING' | 'COMPLETED' | 'FAILED_TEMP' | 'FAILED'

interface Meant {
  readonly type: Type
  readonly ref: Ref
  readonly uid: string
  readonly generation: number
}
/** The request, its reply, and what signs the caller's operations. */
export interface Answering {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly seal: Signer
}
type Asking = Omit<Answering, 'reply'>

/** An id is of one caller and one namespace: to everybody else it says nothing. */
const boundTo = ({ caller: { issuer, subject } }: FastifyRequest, namespace = ''): readonly string[] => [
  'operation',
  issuer,
  subject,
  namespace,
]

/** Opaque to clients. */
const idOf = ({ type, ref, uid, generation }: Meant, { request, seal }: Asking): string =>
  seal.close(JSON.stringify([type, ref.kind, ref.name, uid, generation]), boundTo(request, ref.namespace))

/** What we have said ourselves needs no looking through. */
function meantBy(id: string, namespace: string | undefined, { request, seal }: Asking): Meant | undefined {
  const text = seal.open(id, boundTo(request, namespace))
  if (text === undefined) return undefined
  const [type, kind, name, uid, generation] = JSON.parse(text) as [Type, Kind, string, string, number]
  return { type, ref: namespace === undefined ? { kind, name } : { kind, namespace, name }, uid, generation }
}

const meant = (type: Type, item: Resource): Meant => ({
  type,
  ref: refOf(item),
  uid: item.metadata.uid,
  generation: item.metadata.generation,
})

const hrefOf = (of: Meant, asking: Asking): string =>
  `/v1/${of.ref.namespace === undefined ? '' : `namespaces/${of.ref.namespace}/`}operations/${idOf(of, asking)}`

/** Where the caller would rather not have the object, but be told where to ask (RFC 7240). */
const wantsAsync = (request: FastifyRequest): boolean =>
  /(?:^|,)\s*respond-async\s*(?:$|[,;])/i.test(String(request.headers['prefer'] ?? ''))

export function sendCreated(answering: Answering, item: Resource, dryRun: boolean): FastifyReply {
  if (!dryRun && wantsAsync(answering.request)) return accepted(answering, 'create', item)
  return sendObject(answering.reply.header('location', addressOf(refOf(item))), item, 201)
}

export function sendChanged(answering: Answering, item: Resource, dryRun: boolean): FastifyReply {
  return !dryRun && wantsAsync(answering.request) ? accepted(answering, 'change', item) : sendObject(answering.reply, item)
}

export function sendDeleting(answering: Answering, item: Resource): FastifyReply {
  return sendObject(answering.reply.header('location', hrefOf(meant('delete', item), answering)).header('retry-after', '1'), item, 202)
}

function accepted(answering: Answering, type: Type, item: Resource): FastifyReply {
  const of = meant(type, item)
  return answering.reply
    .code(202)
    .header('location', hrefOf(of, answering))
    .header('preference-applied', 'respond-async')
    .header('retry-after', '1')
    .send(operationOf(of, item, answering))
}

/** By the id of the operation. */
export const operationHandlers = { getOperation: getOf, getClusterOperation: getOf }

function getOf(deps: RestDeps): Handler {
  return async (request, reply) => {
    const { id = '', namespace } = paramsOf(request)
    const asking = { request, seal: deps.seal }
    const of = meantBy(id, namespace, asking)
    // Whoever may read nothing here is told so, and not whether there is such an operation.
    await mayDo(
      deps,
      request.caller,
      of === undefined
        ? { act: 'read', kind: 'Event', namespace }
        : { act: 'read', kind: of.ref.kind, namespace: realmOf(of.ref.kind, of.ref), verb: 'get' },
    )
    parametersOf(request, [])
    if (of === undefined) throw new NotFound({ kind: 'Operation', key: id.slice(0, 300) })
    const operation = operationOf(of, await storeFor(deps, request.caller).get(of.ref), asking)
    if (isUnderWay(operation.operationState)) reply.header('retry-after', '1')
    return reply.send(operation)
  }
}

const isUnderWay = (state: OperationState): boolean => state === 'STARTING' || state === 'PROCESSING' || state === 'FAILED_TEMP'

interface Operation {
  readonly id: string
  readonly operationType: Type
  readonly operationState: OperationState
  readonly detail?: string
  readonly stateEnteredTime?: string
  readonly resource: { readonly kind: string; readonly namespace?: string; readonly name: string; readonly uid: string }
  readonly _links: { readonly self: { readonly href: string }; readonly resource?: { readonly href: string } }
}

function operationOf(of: Meant, found: Resource | undefined, asking: Asking): Operation {
  const item = found?.metadata.uid === of.uid ? found : undefined
  const { state, detail } = item === undefined ? absent(of.type) : of.type === 'delete' ? deleting(item) : growing(item, of.generation)
  const since = item === undefined ? undefined : sinceOf(item)
  return {
    id: idOf(of, asking),
    operationType: of.type,
    operationState: state,
    ...(detail !== undefined && { detail }),
    ...(since !== undefined && { stateEnteredTime: since }),
    resource: { ...of.ref, uid: of.uid },
    _links: { self: { href: hrefOf(of, asking) }, ...(item !== undefined && { resource: { href: addressOf(of.ref) } }) },
  }
}

interface Progress {
  readonly state: OperationState
  readonly detail?: string | undefined
}

const absent = (type: Type): Progress => (type === 'delete' ? { state: 'COMPLETED' } : { state: 'FAILED', detail: 'it has been deleted' })
const deleting = (item: Resource): Progress =>
  item.metadata.deletionTimestamp === undefined
    ? { state: 'FAILED', detail: 'it is not being deleted' }
    : { state: 'PROCESSING', detail: reportOf(item).message }

interface Report {
  readonly phase?: string
  readonly message?: string
  readonly observedGeneration?: number
  readonly timeline?: readonly { readonly time: string }[]
}
const byPhase: Readonly<Record<string, OperationState>> = {
  pending: 'PROCESSING',
  ready: 'COMPLETED',
  error: 'FAILED_TEMP',
  terminating: 'FAILED',
  deleted: 'FAILED',
}

function growing(item: Resource, generation: number): Progress {
  if (item.metadata.deletionTimestamp !== undefined) return { state: 'FAILED', detail: 'it is being deleted' }
  // Nobody reports about these: they are what they say as soon as they are stored.
  if (!isOwnKind(item.kind) && item.kind !== 'Pod') return { state: 'COMPLETED' }
  const { phase, message, observedGeneration } = reportOf(item)
  if (phase === undefined) return { state: 'STARTING' }
  if (observedGeneration !== undefined && observedGeneration < generation) return { state: 'PROCESSING' }
  return { state: byPhase[phase] ?? 'PROCESSING', detail: message === '' ? undefined : message }
}

function reportOf(item: Resource): Report {
  if (item.kind !== 'Pod') return (item.status ?? {}) as Report
  const text = item.metadata.annotations?.[nicStatusAnnotation]
  try {
    return text === undefined ? {} : (JSON.parse(text) as Report)
  } catch {
    return {}
  }
}

const sinceOf = (item: Resource): string | undefined =>
  item.metadata.deletionTimestamp ?? reportOf(item).timeline?.at(-1)?.time ?? item.metadata.creationTimestamp
