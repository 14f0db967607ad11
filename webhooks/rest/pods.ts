// Pods: Alkaid's literal form is rewritten, then the two admissions are run that an API server would call us for; in a
// cluster the pod goes to the API server, which does call us.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Json } from '../../core/admit/manifest.ts'
import { isRefusal } from '../../core/admit/refusal.ts'
import { literalPointer, rewritePod } from '../../core/admit/rewrite.ts'
import { AlreadyExists, Invalid } from '../../core/errors.ts'
import { keyOf, type Resource } from '../../core/kinds/index.ts'
import type { Draft } from '../../core/contracts/store.ts'
import { admitPod } from '../admission/pods.ts'
import { mayDo } from '../plugins/access.ts'
import { objectIn } from './bodies.ts'
import type { RestDeps, StandaloneStore } from './deps.ts'
import { draftOf, judgedObject, placed } from './drafts.ts'
import { addressOf, createNamed, pretend, refIn, sendObject, writeParameters, type Handlers, type Params } from './objects.ts'
import { flagIn, parametersOf } from './query.ts'
import { Refused } from './refused.ts'

interface Made {
  readonly pod: Resource<'Pod'>
  readonly warnings: readonly string[]
}

export function createPodOf(deps: RestDeps): Handlers['create'] {
  const { standalone } = deps
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const { namespace = '' } = request.params as Params
    await mayDo(deps, request.caller, { act: 'write', kind: 'Pod', namespace })
    const dryRun = flagIn(parametersOf(request, writeParameters), 'dryRun')
    refIn('Pod', { namespace, name: 'x' })
    const body = objectIn(request)
    const rewritten = rewritePod(body)
    if (rewritten.say === 'refused') throw new Refused(rewritten.problems)
    const literal = rewritten.say === 'changed' ? body : undefined
    const draft = draftOf('Pod', judged(placed(rewritten.say === 'changed' ? rewritten.manifest : body, { kind: 'Pod', namespace }), literal))
    const made = standalone === undefined ? { pod: await createNamed(deps, draft, dryRun).catch((problem: unknown) => tellLiteral(problem, literal)), warnings: [] } : await createHere({ deps, standalone, dryRun, literal }, draft)
    if (made.warnings.length > 0) reply.header('warning', made.warnings.map((warning) => `299 megrez ${JSON.stringify(plain(warning))}`).join(', '))
    return sendObject(reply.header('location', addressOf(made.pod)), made.pod, 201)
  }
}
/** A header's text is bytes of one line. */
const plain = (text: string): string => text.replace(/[^\x20-\x7e]/g, '?')

/** Faults of a rewritten pod are told of the fields that were written. */
function judged(object: Json, literal: Json | undefined): Resource<'Pod'> {
  try {
    return judgedObject('Pod', object)
  } catch (problem) {
    throw problem instanceof Refused && literal !== undefined ? new Refused(problem.problems.map(({ at, message }) => ({ at: literalPointer(at, literal), message }))) : problem
  }
}

function tellLiteral(problem: unknown, literal: Json | undefined): never {
  const refused = problem instanceof Invalid && problem.at !== undefined && literal !== undefined
  throw refused ? new Refused([{ at: literalPointer(problem.at ?? '', literal), message: problem.message }]) : problem
}

interface Here {
  readonly deps: RestDeps
  readonly standalone: StandaloneStore
  readonly dryRun: boolean
  readonly literal: Json | undefined
}
const tries = 8

async function createHere(here: Here, draft: Draft<'Pod'>): Promise<Made> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await tryHere(here, here.standalone.identify(draft))
    } catch (problem) {
      const mayRetry = draft.metadata.name === '' && problem instanceof AlreadyExists && attempt < tries
      if (!mayRetry) throw problem
    }
  }
}

async function tryHere({ deps, standalone, dryRun, literal }: Here, draft: Draft<'Pod'>): Promise<Made> {
  const { metadata } = draft
  const { namespace = '' } = metadata
  // Before anything is reserved: one that is there already would be refused for the address it holds itself.
  if ((await standalone.get({ kind: 'Pod', namespace, name: metadata.name })) !== undefined) throw new AlreadyExists({ kind: 'Pod', key: keyOf(metadata) })
  const admitted = await admitPod(deps.admission, draft, namespace, { dryRun })
  if (isRefusal(admitted)) throw new Refused([{ at: literal === undefined ? admitted.at : literalPointer(admitted.at, literal), message: admitted.message }])
  const final = { kind: 'Pod', metadata: admitted.pod.metadata, spec: admitted.pod.spec } as Draft<'Pod'>
  return { pod: dryRun ? await pretend(deps, final) : await standalone.create(final), warnings: admitted.warnings }
}
