// What Subscriptions authenticate by, where there is no API server that keeps Secrets: written and deleted here, and never read.
import type { FastifyRequest } from 'fastify'
import { isObject } from '../../../core/json.ts'
import { NotFound, PreconditionFailed } from '../../../core/errors.ts'
import { callbackCredentialsLabel } from '../../../core/kinds/annotations.ts'
import { keyOf, type Ref } from '../../../core/kinds/index.ts'
import { mayDo } from '../../plugins/access.ts'
import { paramsOf, refIn } from '../address.ts'
import { objectIn } from '../write/bodies.ts'
import type { Handler, RestDeps, StandaloneStore } from '../deps.ts'
import { needIfMatch } from '../write/etag.ts'
import { parametersOf } from '../query.ts'
import { InvalidObject } from '../invalid-object.ts'

const valuesMax = 64 * 1024

/** By the id of the operation. Offered only standalone: a cluster's Secrets are the API server's. */
export const secretHandlers = {
  putSubscriptionSecret: standaloneOnly(putOf),
  deleteSubscriptionSecret: standaloneOnly(removeOf),
}

type HandlerOf = (deps: RestDeps, standalone: StandaloneStore) => Handler
function standaloneOnly(handlerOf: HandlerOf): (deps: RestDeps) => Handler | undefined {
  return (deps) => (deps.standalone === undefined ? undefined : handlerOf(deps, deps.standalone))
}

/** Whoever may make a Subscription may make what it authenticates by. */
async function refOf(request: FastifyRequest, deps: RestDeps): Promise<Ref<'Secret'>> {
  const params = paramsOf(request)
  await mayDo(deps, request.caller, { act: 'write', kind: 'Subscription', namespace: params.namespace })
  parametersOf(request, [])
  const ref = refIn('Secret', params)
  needIfMatch(request)
  // What is never read has no ETag to be known by.
  const given = request.headers['if-match'] ?? ''
  if (given.trim() !== '*') throw new PreconditionFailed({ kind: 'Secret', key: keyOf(ref), etag: given.slice(0, 200) })
  return ref
}

function putOf(deps: RestDeps, standalone: StandaloneStore): Handler {
  return async (request, reply) => {
    const ref = await refOf(request, deps)
    const spec = { type: 'Opaque', data: valuesIn(objectIn(request)) }
    const there = await standalone.get(ref)
    // It is for nothing else here.
    const labels = { [callbackCredentialsLabel]: 'true' }
    const put =
      there === undefined
        ? standalone.create({ kind: 'Secret', metadata: { ...ref, labels }, spec })
        : standalone.update({ ...there, metadata: { ...there.metadata, labels }, spec })
    await put
    return reply.code(204).send()
  }
}

function removeOf(deps: RestDeps, standalone: StandaloneStore): Handler {
  return async (request, reply) => {
    const ref = await refOf(request, deps)
    if ((await standalone.get(ref)) === undefined) throw new NotFound({ kind: 'Secret', key: keyOf(ref) })
    await standalone.commit([{ do: 'delete', ref }])
    return reply.code(204).send()
  }
}

/** @throws Refused where a value is no text */
function valuesIn(body: object): Readonly<Record<string, string>> {
  const { stringData, ...strangers } = body as { readonly stringData?: unknown }
  const [stranger] = Object.keys(strangers)
  if (stranger !== undefined)
    throw new InvalidObject([{ at: `/${stranger}`, message: 'is not a field of a Secret here: only stringData is' }])
  if (!isObject(stringData) || !Object.values(stringData).every((value) => typeof value === 'string'))
    throw new InvalidObject([{ at: '/stringData', message: 'must be an object whose values are text' }])
  if (JSON.stringify(stringData).length > valuesMax)
    throw new InvalidObject([{ at: '/stringData', message: `must be at most ${valuesMax} characters` }])
  return Object.fromEntries(
    Object.entries(stringData as Readonly<Record<string, string>>).map(([key, value]) => [key, Buffer.from(value).toString('base64')]),
  )
}
