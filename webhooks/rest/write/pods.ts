// Pods: Alkaid's literal form is rewritten, then the two admissions are run that an API server would call us for; in a
// cluster the pod goes to the API server, which does call us.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Json } from '../../../core/json.ts'
import { isRefusal } from '../../../core/admit/refusal.ts'
import { literalPointer, rewritePod } from '../../../core/admit/pod/rewrite.ts'
import { AlreadyExists, Invalid } from '../../../core/errors.ts'
import { keyOf, type Resource } from '../../../core/kinds/index.ts'
import type { Draft } from '../../../core/contracts/store.ts'
import { admitPod } from '../../admission/pods.ts'
import { mayDo, requesterOf, storeFor } from '../../plugins/access.ts'
import { causeOfRequest } from '../../plugins/requests.ts'
import { paramsOf } from '../address.ts'
import { objectIn } from './bodies.ts'
import { createNamed, dryRunResult, type CreateRequest } from './create.ts'
import type { RestDeps, StandaloneStore } from '../deps.ts'
import { draftOf, validObject, withAddress } from './drafts.ts'
import { markOf, type IdempotentAnswers } from './idempotency.ts'
import { writeParameters, type Handlers } from '../objects.ts'
import { sendCreated } from './operations.ts'
import { flagIn, parametersOf } from '../query.ts'
import { InvalidObject } from '../invalid-object.ts'

interface MadePod {
  readonly pod: Resource<'Pod'>
  readonly warnings: readonly string[]
}

export function createPodOf(deps: RestDeps, answers: IdempotentAnswers): Handlers['create'] {
  const { standalone } = deps
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const { namespace = '' } = paramsOf(request)
    await mayDo(deps, request.caller, { act: 'write', kind: 'Pod', namespace, verb: 'create' })
    const dryRun = flagIn(parametersOf(request, writeParameters), 'dryRun')
    const body = objectIn(request)
    const rewritten = rewritePod(body)
    if (rewritten.kind === 'refused') throw new InvalidObject(rewritten.problems)
    const literal = rewritten.kind === 'changed' ? body : undefined
    const draft = draftOf(
      'Pod',
      judged(withAddress(rewritten.kind === 'changed' ? rewritten.manifest : body, { kind: 'Pod', namespace }), literal),
    )
    const mark = dryRun ? undefined : markOf(request)
    return answers.once(reply, mark, async () => {
      const making = {
        store: storeFor(deps, request.caller),
        clock: deps.clock,
        random: deps.random,
        dryRun,
        mark,
        requester: requesterOf(deps, request.caller),
        cause: causeOfRequest(request),
      }
      const made =
        standalone === undefined
          ? await createThere(making, draft, literal)
          : await createHere({ deps, standalone, making, literal }, draft)
      if (made.warnings.length > 0)
        reply.header('warning', made.warnings.map((warning) => `299 megrez ${JSON.stringify(plain(warning))}`).join(', '))
      return sendCreated({ request, reply, seal: deps.seal }, made.pod, dryRun)
    })
  }
}
/** A header's text is bytes of one line. */
const plain = (text: string): string => text.replace(/[^\x20-\x7e]/g, '?')

/** Faults of a rewritten pod are told of the fields that were written. */
function judged(object: Json, literal: Json | undefined): Resource<'Pod'> {
  try {
    return validObject('Pod', object)
  } catch (err) {
    throw err instanceof InvalidObject && literal !== undefined
      ? new InvalidObject(err.problems.map(({ at, message }) => ({ at: literalPointer(at, literal), message })))
      : err
  }
}

function withLiteral(err: unknown, literal: Json | undefined): never {
  const refused = err instanceof Invalid && err.at !== undefined && literal !== undefined
  throw refused ? new InvalidObject([{ at: literalPointer(err.at ?? '', literal), message: err.message }]) : err
}

const asFound = (pod: Resource<'Pod'>): MadePod => ({ pod, warnings: [] })

/** Through the API server, which calls our admission. */
async function createThere(making: CreateRequest, draft: Draft<'Pod'>, literal: Json | undefined): Promise<MadePod> {
  const put = async (named: Draft<'Pod'>): Promise<MadePod> =>
    asFound(making.dryRun ? await dryRunResult(making, named) : await making.store.create(named))
  return createNamed(making, draft, put, asFound).catch((err: unknown) => withLiteral(err, literal))
}

interface Here {
  readonly deps: RestDeps
  readonly standalone: StandaloneStore
  readonly making: CreateRequest
  readonly literal: Json | undefined
}

function createHere(here: Here, draft: Draft<'Pod'>): Promise<MadePod> {
  return createNamed(here.making, draft, (named) => tryHere(here, here.standalone.identify(named)), asFound)
}

async function tryHere({ deps, standalone, making, literal }: Here, draft: Draft<'Pod'>): Promise<MadePod> {
  const { metadata } = draft
  const { namespace = '' } = metadata
  // Before anything is reserved: one that is there already would be refused for the address it holds itself.
  if ((await standalone.get({ kind: 'Pod', namespace, name: metadata.name })) !== undefined)
    throw new AlreadyExists({ kind: 'Pod', key: keyOf(metadata) })
  const admitted = await admitPod(deps.admission, draft, namespace, { dryRun: making.dryRun })
  if (isRefusal(admitted))
    throw new InvalidObject([{ at: literal === undefined ? admitted.at : literalPointer(admitted.at, literal), message: admitted.message }])
  const final = { kind: 'Pod', metadata: admitted.pod.metadata, spec: admitted.pod.spec } as Draft<'Pod'>
  return { pod: making.dryRun ? await dryRunResult(making, final) : await standalone.create(final), warnings: admitted.warnings }
}
