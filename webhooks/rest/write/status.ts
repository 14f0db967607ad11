// The status of pods and Nodes where there is no kubelet: whoever runs them says so here.
import { isObject, type Json } from '../../../core/json.ts'
import type { Problem } from '../../../core/admit/problem.ts'
import { Stale, PreconditionFailed } from '../../../core/errors.ts'
import { apiVersionOf, keyOf, type Ref } from '../../../core/kinds/index.ts'
import { mustGet, sendObject } from '../address.ts'
import { merged, patchIn } from './bodies.ts'
import type { RestDeps, StandaloneStore } from '../deps.ts'
import { holdIfMatch } from './etag.ts'
import { objectChangeIn, type Handlers } from '../objects.ts'
import { InvalidObject } from '../invalid-object.ts'

type WithStatus = 'Pod' | 'Node'
const phases = ['Pending', 'Running', 'Succeeded', 'Failed', 'Unknown']
const tops = ['apiVersion', 'kind', 'status']

export function patchStatusOf(kind: WithStatus, deps: RestDeps, standalone: StandaloneStore): Handlers['patch'] {
  return async (request, reply) => {
    const { ref: named, dryRun } = await objectChangeIn(request, deps, kind, 'report')
    const ref: Ref<WithStatus> = { ...named, kind }
    const current = await mustGet(standalone, ref)
    holdIfMatch(request, current)
    const patch = patchIn(request)
    const status = merged(current.status ?? {}, patch['status']) as Json
    const problems = problemsOf(kind, patch, status)
    if (problems.length > 0) throw new InvalidObject(problems)
    if (dryRun) return sendObject(reply, { ...current, status })
    const stored = standalone.replaceForeignStatus(ref, current.metadata.uid, status)
    return sendObject(
      reply,
      await stored.catch((err: unknown) => {
        // Another pod or Node of that name has come meanwhile.
        throw err instanceof Stale
          ? new PreconditionFailed({ kind, key: keyOf(ref), etag: String(request.headers['if-match']).slice(0, 200), cause: err })
          : err
      }),
    )
  }
}

function problemsOf(kind: WithStatus, patch: Json, status: unknown): Problem[] {
  const strangers = Object.keys(patch).filter((field) => !tops.includes(field))
  if (strangers.length > 0) return strangers.map((field) => ({ at: `/${field}`, message: 'is not changed here: only status is' }))
  const named = Object.entries({ apiVersion: apiVersionOf(kind), kind }).filter(([field, right]) => (patch[field] ?? right) !== right)
  if (named.length > 0) return named.map(([field, right]) => ({ at: `/${field}`, message: `must be ${right}` }))
  if (!isObject(patch['status']) || !isObject(status)) return [{ at: '/status', message: 'must be an object' }]
  const { phase, conditions } = status
  return [
    ...(kind === 'Pod' && !phases.includes(String(phase)) ? [{ at: '/status/phase', message: `must be one of ${phases.join(', ')}` }] : []),
    ...(conditions === undefined ||
    (Array.isArray(conditions) && conditions.every((each) => isObject(each) && typeof each['type'] === 'string'))
      ? []
      : [{ at: '/status/conditions', message: 'must be a list of conditions, each with a type' }]),
  ]
}
