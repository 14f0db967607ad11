// The addresses of all kinds, from the table of kinds. What is not offered on an address is refused there with what is.
import type { FastifyInstance, HTTPMethods } from 'fastify'
import { MethodNotAllowed } from '../../core/errors.ts'
import { allKinds, pluralOf, scopeOf, type Kind } from '../../core/kinds/index.ts'
import type { RestDeps } from './deps.ts'
import { Answers } from './idempotency.ts'
import { handlersOf, type Handlers } from './objects.ts'
import { nsdUrl, useNsd } from './nsd.ts'
import { useOperations } from './operations.ts'
import { createPodOf } from './pods.ts'
import { solRoutes, useSol } from './sol.ts'
import { patchStatusOf } from './status.ts'
import { secretUrl, useSubscriptionSecrets } from './subscription-secrets.ts'
import { subscriptionRoutes, useSubscriptions, withoutTwins } from './subscriptions.ts'
import { methodsOf, verbsOf, type Verb } from './verbs.ts'

const everyMethod: readonly HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']
type All = Readonly<Partial<Record<Verb, Handlers['get']>>>
const httpOf: Readonly<Record<Verb, HTTPMethods>> = { list: 'GET', get: 'GET', create: 'POST', replace: 'PUT', patch: 'PATCH', delete: 'DELETE', patchStatus: 'PATCH' }

export function useKinds(app: FastifyInstance, deps: RestDeps): void {
  const answers = new Answers(deps.clock)
  for (const kind of allKinds) useKind(app, kind, { deps, answers })
  useOperations(app, deps)
  useNsd(app, deps)
  refuseOthers(app, nsdUrl, ['POST'])
  useSubscriptions(app, deps)
  useSol(app, deps)
  for (const { url, handlers } of solRoutes) refuseOthers(app, url, Object.keys(handlers).flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])))
  if (deps.standalone !== undefined) useSubscriptionSecrets(app, deps, deps.standalone)
  refuseOthers(app, secretUrl, deps.standalone === undefined ? [] : ['PUT', 'DELETE'])
  for (const { url, method } of subscriptionRoutes) refuseOthers(app, url, method === 'GET' ? ['GET', 'HEAD'] : [method])
  for (const url of ['/operations/:name', '/namespaces/:namespace/operations/:name']) refuseOthers(app, url, ['GET', 'HEAD'])
}

interface Serving {
  readonly deps: RestDeps
  readonly answers: Answers
}

function useKind(app: FastifyInstance, kind: Kind, serving: Serving): void {
  const { deps } = serving
  const plural = pluralOf(kind)
  const verbs = verbsOf(kind, deps.standalone !== undefined)
  const handlers = allHandlers(kind, serving)
  const address = (url: string, at: Parameters<typeof methodsOf>[1], offered: readonly Verb[]): void => {
    const methods = methodsOf(verbs, at)
    if (methods.length === 0) return
    for (const verb of offered) {
      const handler = handlers[verb]
      if (verbs.has(verb) && handler !== undefined) app.route({ method: httpOf[verb], url, exposeHeadRoute: true, handler })
    }
    refuseOthers(app, url, methods)
  }
  const namespaced = scopeOf(kind) === 'Namespaced'
  const all = namespaced ? `/namespaces/:namespace/${plural}` : `/${plural}`
  address(all, 'all', ['list', 'create'])
  address(`${all}/:name`, 'one', ['get', 'replace', 'patch', 'delete'])
  address(`${all}/:name/status`, 'status', ['patchStatus'])
  if (!namespaced) return
  app.route({ method: 'GET', url: `/${plural}`, exposeHeadRoute: true, handler: handlersOf(kind, deps, serving.answers).list })
  refuseOthers(app, `/${plural}`, ['GET', 'HEAD'])
}

function allHandlers(kind: Kind, { deps, answers }: Serving): All {
  const handlers = handlersOf(kind, deps, answers)
  if (kind === 'Subscription') return { ...handlers, create: withoutTwins(handlers.create, deps) }
  if (kind !== 'Pod' && kind !== 'Node') return handlers
  const create = kind === 'Pod' ? { create: createPodOf(deps, answers) } : {}
  return { ...handlers, ...create, ...(deps.standalone !== undefined && { patchStatus: patchStatusOf(kind, deps, deps.standalone) }) }
}

function refuseOthers(app: FastifyInstance, url: string, offered: readonly string[]): void {
  const others = everyMethod.filter((method) => !offered.includes(method))
  app.route({
    method: others,
    url,
    exposeHeadRoute: false,
    // The body is not looked at: whatever its type, the method is what is wrong.
    onRequest: (request, reply, done) => {
      reply.header('allow', offered.join(', '))
      done(new MethodNotAllowed({ method: request.method, path: request.url.split('?')[0] ?? '' }))
    },
    handler: (_request, reply) => reply,
  })
}
