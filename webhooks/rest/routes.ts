// The addresses of all kinds, from the table of kinds.
import type { FastifyInstance, HTTPMethods } from 'fastify'
import { allKinds, pluralOf, scopeOf, type Kind } from '../../core/kinds/index.ts'
import { useBesideKinds } from './beside-kinds.ts'
import type { RestDeps } from './deps.ts'
import { IdempotentAnswers } from './write/idempotency.ts'
import { handlersOf, type Handlers } from './objects.ts'
import { createPodOf } from './write/pods.ts'
import { patchStatusOf } from './write/status.ts'
import { withoutTwins } from './subscriptions/subscriptions.ts'
import type { AllowedMethods } from './allowed-methods.ts'
import { verbsOf, type Verb } from './verbs.ts'

type All = Readonly<Partial<Record<Verb, Handlers['get']>>>
const httpOf: Readonly<Record<Verb, HTTPMethods>> = {
  list: 'GET',
  get: 'GET',
  create: 'POST',
  replace: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
  patchStatus: 'PATCH',
}

/** @param offered is told of addresses that offer nothing here */
export function useKinds(app: FastifyInstance, deps: RestDeps, offered: AllowedMethods): void {
  const answers = new IdempotentAnswers(deps.clock)
  for (const kind of allKinds) useKind(app, kind, { deps, answers, offered })
  useBesideKinds(app, deps, offered)
}

interface Serving {
  readonly deps: RestDeps
  readonly answers: IdempotentAnswers
  readonly offered: AllowedMethods
}

function useKind(app: FastifyInstance, kind: Kind, serving: Serving): void {
  const { deps } = serving
  const plural = pluralOf(kind)
  const verbs = verbsOf(kind, deps.standalone !== undefined)
  const handlers = allHandlers(kind, serving)
  const address = (url: string, offering: readonly Verb[]): void => {
    // What only an API server offers is an address here too.
    if (offering.some((verb) => verbsOf(kind, true).has(verb))) serving.offered.add(`/v1${url}`, [])
    for (const verb of offering) {
      const handler = handlers[verb]
      if (verbs.has(verb) && handler !== undefined) app.route({ method: httpOf[verb], url, exposeHeadRoute: true, handler })
    }
  }
  const namespaced = scopeOf(kind) === 'Namespaced'
  const all = namespaced ? `/namespaces/:namespace/${plural}` : `/${plural}`
  address(all, ['list', 'create'])
  address(`${all}/:name`, ['get', 'replace', 'patch', 'delete'])
  address(`${all}/:name/status`, ['patchStatus'])
  if (!namespaced) return
  app.route({ method: 'GET', url: `/${plural}`, exposeHeadRoute: true, handler: handlersOf(kind, deps, serving.answers).list })
}

function allHandlers(kind: Kind, { deps, answers }: Serving): All {
  const handlers = handlersOf(kind, deps, answers)
  if (kind === 'Subscription') return { ...handlers, create: withoutTwins(handlers.create, deps) }
  if (kind !== 'Pod' && kind !== 'Node') return handlers
  const create = kind === 'Pod' ? { create: createPodOf(deps, answers) } : {}
  return { ...handlers, ...create, ...(deps.standalone !== undefined && { patchStatus: patchStatusOf(kind, deps, deps.standalone) }) }
}
