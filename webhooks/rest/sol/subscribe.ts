// Subscribing with SOL's own body (SOL003, 5.4.18.3.1): stored as a Subscription, its credentials in a Secret of Megrez's own, its
// callbackUri tested by the workers before it is answered.
import type { FastifyRequest } from 'fastify'
import { fromSol, solCertificateName, solPointer, type SolSubscriptionSpec } from '../../../core/admit/sol/sol.ts'
import type { Store } from '../../../core/contracts/store.ts'
import { FieldForbidden, Invalid, NotFound, Stale } from '../../../core/errors.ts'
import { apiVersionOf, refOf, type Resource, type SpecOf } from '../../../core/kinds/index.ts'
import { subscriptionErrors } from '../../../core/plan/notify/subscription.ts'
import { credentialsName } from '../../../core/net/names.ts'
import { timeLimit } from '../../../platform/clock.ts'
import { problemsAround } from '../../admission/objects.ts'
import { requesterOf, storeFor } from '../../plugins/access.ts'
import { causeOfRequest } from '../../plugins/requests.ts'
import { mustGet } from '../address.ts'
import { objectIn } from '../write/bodies.ts'
import { createNamed } from '../write/create.ts'
import type { RestDeps } from '../deps.ts'
import { draftOf, validObject } from '../write/drafts.ts'
import { mayWrite } from '../write/fields.ts'
import { InvalidObject } from '../invalid-object.ts'
import { stalledBy, twinOf } from '../subscriptions/subscriptions.ts'

type Subscription = Resource<'Subscription'>

/** A sink has 15 s to answer its test (MEGREZ_CALLBACK_TIMEOUT_MS); one that is not tested by then is sent nothing until it is. */
const testWaitMs = 20_000

/** The Subscription that the body asks for, made or there already. @throws Refused with pointers into the body */
export async function subscribe(
  request: FastifyRequest,
  deps: RestDeps,
  namespace: string,
): Promise<{ readonly subscription: Subscription; readonly made: boolean }> {
  const wanted = fromSol(objectIn(request))
  if ('problems' in wanted) throw new InvalidObject(wanted.problems)
  const store = storeFor(deps, request.caller)
  const name = `sol-${deps.uids().replaceAll('-', '').slice(0, 20)}`
  const inBody = withProblemsOf(wanted.auth)
  const judged = await inBody(async () => {
    const object = validObject('Subscription', {
      apiVersion: apiVersionOf('Subscription'),
      kind: 'Subscription',
      metadata: { namespace, name },
      spec: specOf(wanted, namespace, name),
    })
    await mayWrite(deps, request.caller, object)
    const problems = await problemsAround(deps.admission, object)
    if (problems.length > 0) throw new InvalidObject(problems)
    return object
  })
  const twin = await twinOf(store, namespace, judged.spec)
  if (twin !== undefined) return { subscription: twin, made: false }
  const making = {
    store,
    clock: deps.clock,
    random: deps.random,
    dryRun: false,
    mark: undefined,
    requester: requesterOf(deps, request.caller),
    cause: causeOfRequest(request),
  }
  const made = await inBody(() =>
    createNamed(
      making,
      draftOf('Subscription', judged),
      (named) => store.create(named),
      (there) => there,
    ),
  )
  try {
    const whole = await withCredentials(deps, store, made, wanted)
    return { subscription: await tested(deps, whole), made: true }
  } catch (err) {
    await store
      .delete(refOf(made), { uid: made.metadata.uid })
      .catch((cause: unknown) => request.log.warn({ subscription: refOf(made), err: cause }, 'a subscription that was refused is left'))
    throw err
  }
}

/** Until its credentials are kept it is paused: what is paused is told of nothing. */
function specOf({ spec, auth }: SolSubscriptionSpec, namespace: string, name: string): SpecOf<'Subscription'> {
  if (auth === undefined) return spec
  const { credentials, ...how } = auth
  return {
    ...spec,
    auth: { ...how, secret: credentials === undefined ? solCertificateName : credentialsName(namespace, name) },
    ...(credentials !== undefined && { paused: true }),
  }
}

/** Problems name the fields that were sent. */
function withProblemsOf(auth: SolSubscriptionSpec['auth']): <T>(work: () => Promise<T>) => Promise<T> {
  return async (work) => {
    try {
      return await work()
    } catch (err) {
      if (err instanceof InvalidObject)
        throw new InvalidObject(err.problems.map(({ at, message }) => ({ at: solPointer(at, auth?.type), message })))
      if (err instanceof FieldForbidden) throw new FieldForbidden({ at: solPointer(err.at ?? '', auth?.type), what: err.message })
      throw err instanceof Invalid && err.at !== undefined
        ? new InvalidObject([{ at: solPointer(err.at, auth?.type), message: err.message }])
        : err
    }
  }
}

async function withCredentials(deps: RestDeps, store: Store, made: Subscription, { auth }: SolSubscriptionSpec): Promise<Subscription> {
  if (auth?.credentials === undefined) return made
  const { namespace = '', name } = made.metadata
  const values = Object.fromEntries(Object.entries(auth.credentials).map(([key, value]) => [key, Buffer.from(value).toString('base64')]))
  const { namespace: own = namespace } = deps.admission.settings
  // Of our own: no tenant reads it, and no right of the caller's is needed for it.
  await deps.store.create({
    kind: 'Secret',
    metadata: { namespace: own, name: credentialsName(namespace, name) },
    spec: { type: 'Opaque', data: values },
  })
  return unpaused(store, made)
}

async function unpaused(store: Store, made: Subscription): Promise<Subscription> {
  for (let item = made; ; item = await mustGet(store, refOf(made))) {
    const { paused: _, ...spec } = item.spec
    try {
      return await store.update({ ...item, spec })
    } catch (err) {
      if (!(err instanceof Stale)) throw err
    }
  }
}

/** As soon as the workers have asked its callbackUri. @throws Refused where it has not answered as it should */
async function tested(deps: RestDeps, made: Subscription): Promise<Subscription> {
  const { namespace = '', name, uid, generation } = made.metadata
  const stop = AbortSignal.any([deps.stopping, timeLimit(deps.testWaitMs ?? testWaitMs, deps.clock)])
  for await (const change of deps.store.watch('Subscription', { namespace, fields: { '.metadata.name': name } }, stop)) {
    if (change.type === 'mark') continue
    const found = change.type === 'all' ? change.items[0] : change.type === 'put' ? change.item : undefined
    if (found?.metadata.uid !== uid) throw new NotFound({ kind: 'Subscription', key: `${namespace}/${name}` })
    if (isTested(found, generation)) return found
  }
  return made
}

/** @throws Refused with what the workers have found */
function isTested(found: Subscription, generation: number): boolean {
  const { phase, message = '', observedGeneration = 0 } = found.status ?? {}
  if (observedGeneration < generation) return false
  if (phase === 'error') throw new InvalidObject([{ at: pointerOf(found), message }])
  return phase === 'ready'
}

/** Where in the body of the request the problem is that the workers have found. */
const pointerOf = (subscription: Subscription): string => solPointer(subscriptionErrors[stalledBy(subscription) ?? 'NotVerified'])
