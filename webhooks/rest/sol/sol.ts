// Subscriptions as clients of ETSI NFV-SOL 003 and 005 know them. There is nothing here that is not a Subscription: this is another
// way to say and to read it.
import type { FastifyRequest } from 'fastify'
import { parseAttributeFilter, type AttributeFilter } from '../../../core/admit/rest/attribute-filter.ts'
import { solViewOf } from '../../../core/admit/sol/sol.ts'
import type { Store } from '../../../core/contracts/store.ts'
import { NotFound, VersionUnknown } from '../../../core/errors.ts'
import { refOf, type Resource } from '../../../core/kinds/index.ts'
import { SolFilter, solVersion, solVersions, type SolSubscription } from '../../../core/kinds/notify/sol.ts'
import { subscriptionHref } from '../../../core/plan/notify/profiles/sol.ts'
import { mayDo, storeFor } from '../../plugins/access.ts'
import { paramsOf } from '../address.ts'
import type { Handler, RestDeps } from '../deps.ts'
import { pageSize, parametersOf, ListTokens } from '../query.ts'
import { BadParameter } from '../invalid-object.ts'
import { subscribe } from './subscribe.ts'

type Subscription = Resource<'Subscription'>

/** SOL013, 5.4.2.3. */
const marker = 'nextpage_opaque_marker'

/** By the id of the operation. */
export const solHandlers = {
  listSolSubscriptions: inVersion(listOf),
  createSolSubscription: inVersion(createOf),
  getSolSubscription: inVersion(getOf),
  deleteSolSubscription: inVersion(removeOf),
  listSolVersions: inVersion(versionsOf),
}

/** A client that names a version is answered in it, or not at all (SOL013, 9.2). The handler throws VersionUnknown. */
function inVersion(handlerOf: (deps: RestDeps) => Handler): (deps: RestDeps) => Handler {
  return (deps) => {
    const handler = handlerOf(deps)
    return async (request, reply) => {
      const { version = solVersion } = request.headers as { readonly version?: string }
      const known = solVersions.find((each) => each.split('.')[0] === version.split('.')[0])
      reply.header('version', known ?? solVersion)
      if (known === undefined) throw new VersionUnknown({ version: version.slice(0, 64), known: solVersions.join(', ') })
      return handler(request, reply)
    }
  }
}

const viewOf = (request: FastifyRequest, subscription: Subscription, deps: RestDeps): SolSubscription =>
  solViewOf(subscription, rootOf(request, deps) + subscriptionHref(subscription))

/** SOL's links are whole (SOL013, 4.4): as we are known outside, else as the client has reached us. */
function rootOf({ protocol, headers: { host = '' } }: FastifyRequest, { publicUrl }: RestDeps): string {
  if (publicUrl !== undefined) return publicUrl
  return /^[\w.-]+(?::\d+)?$|^\[[\da-fA-F:.]+\](?::\d+)?$/.test(host) ? `${protocol}://${host}` : ''
}

function createOf(deps: RestDeps): Handler {
  return async (request, reply) => {
    const { namespace = '' } = paramsOf(request)
    await mayDo(deps, request.caller, { act: 'write', kind: 'Subscription', namespace, verb: 'create' })
    parametersOf(request, [])
    const { subscription, made } = await subscribe(request, deps, namespace)
    const view = viewOf(request, subscription, deps)
    reply.header('location', view._links.self.href)
    return made ? reply.code(201).send(view) : reply.code(303).send()
  }
}

/** Those with this profile, however they were made. */
const isSol = ({ spec, metadata }: Subscription): boolean =>
  spec.profile === 'sol' && spec.sink !== undefined && metadata.deletionTimestamp === undefined

function listOf(deps: RestDeps): Handler {
  return async (request, reply) => {
    const { namespace = '' } = paramsOf(request)
    await mayDo(deps, request.caller, { act: 'read', kind: 'Subscription', namespace, verb: 'list' })
    const parameters = parametersOf(request, ['filter', marker])
    const { filter } = parameters
    const wanted = filterIn(filter)
    const places = new ListTokens(deps.seal, marker, [namespace, filter])
    const page = await storeFor(deps, request.caller)
      .list('Subscription', { namespace, limit: pageSize, ...places.read(parameters) })
      .catch(places.forgotten)
    if (page.continue !== undefined) {
      const next = new URLSearchParams({ ...(filter !== undefined && { filter }), [marker]: places.print(page.continue) })
      reply.header('link', `<${rootOf(request, deps)}${request.url.split('?')[0]}?${next}>; rel="next"`)
    }
    return reply.send(
      page.items
        .filter(isSol)
        .map((each) => viewOf(request, each, deps))
        .filter((view) => wanted === undefined || wanted.matches(view)),
    )
  }
}

const { vnfInstanceSubscriptionFilter: ofVnf, nsInstanceSubscriptionFilter: ofNs, ...flat } = SolFilter.properties
const attributes = [
  ...['id', 'callbackUri', 'verbosity'],
  ...Object.keys(flat).map((name) => `filter/${name}`),
  ...Object.keys(ofVnf.properties).map(
    (name) => `filter/vnfInstanceSubscriptionFilter/${name === 'vnfProductsFromProviders' ? `${name}/vnfProvider` : name}`,
  ),
  ...Object.keys(ofNs.properties).map((name) => `filter/nsInstanceSubscriptionFilter/${name}`),
]

/** @throws BadParameter */
function filterIn(text: string | undefined): AttributeFilter | undefined {
  if (text === undefined) return undefined
  const filter = parseAttributeFilter(text)
  if (filter === undefined) throw new BadParameter('filter', 'is none: write (eq,callbackUri,https://a.example);(in,verbosity,FULL,SHORT)')
  const stranger = filter.attributes.find((each) => !attributes.includes(each))
  if (stranger !== undefined) throw new BadParameter('filter', `cannot be by ${stranger.slice(0, 100)}, only by ${attributes.join(', ')}`)
  return filter
}

/** @throws NotFound */
async function byId(store: Store, request: FastifyRequest): Promise<Subscription> {
  const { namespace = '', id = '' } = paramsOf(request)
  const { items } = await store.list('Subscription', { namespace })
  const found = items.find((each) => each.metadata.uid === id && isSol(each))
  if (found === undefined) throw new NotFound({ kind: 'Subscription', key: `${namespace}/${id}`.slice(0, 300) })
  return found
}

function getOf(deps: RestDeps): Handler {
  return async (request, reply) => {
    await mayDo(deps, request.caller, { act: 'read', kind: 'Subscription', namespace: paramsOf(request).namespace, verb: 'get' })
    parametersOf(request, [])
    return reply.send(viewOf(request, await byId(storeFor(deps, request.caller), request), deps))
  }
}

/** What waits is told no more; its credentials go with it. */
function removeOf(deps: RestDeps): Handler {
  return async (request, reply) => {
    await mayDo(deps, request.caller, { act: 'write', kind: 'Subscription', namespace: paramsOf(request).namespace, verb: 'delete' })
    parametersOf(request, [])
    const store = storeFor(deps, request.caller)
    const found = await byId(store, request)
    await store.delete(refOf(found), { uid: found.metadata.uid })
    return reply.code(204).send()
  }
}

function versionsOf(deps: RestDeps): Handler {
  return async (request, reply) => {
    const { namespace = '' } = paramsOf(request)
    await mayDo(deps, request.caller, { act: 'read', kind: 'Subscription', namespace, verb: 'list' })
    parametersOf(request, [])
    return reply.send({
      uriPrefix: `/v1/namespaces/${namespace}/sol`,
      apiVersions: solVersions.map((version) => ({ version, isDeprecated: false })),
    })
  }
}
