// POST …/rotate-secret: what a Subscription's callbacks are signed with is replaced. The new secret is in the answer, and nowhere else.
import type { FastifyRequest } from 'fastify'
import type { Resource, SpecOf } from '../../../core/kinds/index.ts'
import { overlapSeconds } from '../../../core/kinds/notify/subscription.ts'
import { rotate } from '../../../core/plan/notify/rotation.ts'
import { isObject } from '../../../core/json.ts'
import { printSecret, type NamespaceSecrets } from '../../../platform/signing.ts'
import type { Handler, RestDeps } from '../deps.ts'
import { InvalidObject } from '../invalid-object.ts'
import { flagIn, parametersOf } from '../query.ts'
import { changeSpec, subscriptionIn } from './change-spec.ts'

type Subscription = Resource<'Subscription'>
type Rotation = NonNullable<SpecOf<'Subscription'>['rotation']>

/** One write, of an id: cut off anywhere, what signed before still signs. */
export function rotationOf(deps: RestDeps): Handler {
  return async (request, reply) => {
    const subscription = await subscriptionIn(request, deps, 'write')
    const dryRun = flagIn(parametersOf(request, ['dryRun']), 'dryRun')
    const overlapMs = overlapIn(request) * 1_000
    const signing = signingOf(subscription, deps)
    const id = deps.uids()
    const next = ({ spec }: Subscription): Rotation => orRefuse(rotate(spec.rotation, { id, now: deps.clock.now(), overlapMs }))
    const { previous = [] } = dryRun
      ? next(subscription)
      : ((await changeSpec(deps, request, subscription, (stored) => ({ rotation: next(stored) }))).spec.rotation ?? {})
    return reply.header('cache-control', 'no-store').send({
      secrets: dryRun ? [] : signing.rotated(subscription.metadata.uid, id).map(printSecret),
      previous: previous.map(({ until }) => ({ until })),
    })
  }
}

function overlapIn(request: FastifyRequest): number {
  const { body = {} } = request
  if (!isObject(body)) throw new InvalidObject([{ at: '', message: 'must be an object' }])
  const { overlapSeconds: given = overlapSeconds.usual, ...strangers } = body as { readonly overlapSeconds?: unknown }
  const [stranger] = Object.keys(strangers)
  if (stranger !== undefined) throw new InvalidObject([{ at: `/${stranger}`, message: 'is not a field here: only overlapSeconds is' }])
  if (typeof given === 'number' && Number.isInteger(given) && given >= 0 && given <= overlapSeconds.most) return given
  throw new InvalidObject([{ at: '/overlapSeconds', message: `must be a whole number from 0 to ${overlapSeconds.most}` }])
}

function signingOf({ spec }: Subscription, { signing }: RestDeps): NamespaceSecrets {
  if (spec.sink === undefined)
    throw new InvalidObject([{ at: '/spec/sink', message: 'is absent: nothing is sent, and so nothing is signed' }])
  if (signing?.signs === true) return signing
  throw new InvalidObject([
    { at: '/spec/rotation', message: 'cannot be: the server has no callback secret (MEGREZ_CALLBACK_SECRET) to derive one from' },
  ])
}

function orRefuse(rotation: Rotation | undefined): Rotation {
  if (rotation !== undefined) return rotation
  const message = 'has as many secrets that still sign as there may be: wait for the end of one, or replace with overlapSeconds 0'
  throw new InvalidObject([{ at: '/spec/rotation/previous', message }])
}
