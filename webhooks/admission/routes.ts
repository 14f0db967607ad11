// The four addresses that an API server calls.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isDefaulted } from '../../core/admit/pod/nic-request.ts'
import { isRefusal, type Refusal } from '../../core/admit/refusal.ts'
import { MegrezError } from '../../core/errors.ts'
import { isNsmKind } from '../../core/kinds/foreign-network-services.ts'
import { isOwnKind } from '../../core/kinds/index.ts'
import { causeInHeaders, causeOfReview, type Cause } from '../../core/kinds/trace.ts'
import { admissionEndpoints, type AdmissionEndpoint } from '../../core/plan/registration.ts'
import type { Operation } from '../../core/wire/json-patch.ts'
import type { Clock } from '../../platform/clock.ts'
import type { AdmissionCounts, Metrics } from '../../platform/metrics.ts'
import { allowed, allowedPlainly, denied, deniedBy } from './answer.ts'
import type { AdmissionDeps, AdmittedPod } from './deps.ts'
import { patchFor } from './mutate-pod.ts'
import { problemsAround, problemsInOwn, isOwnObject, patchForOwn, type OwnObject } from './objects.ts'
import { problemsInNsm } from './nsm/judge.ts'
import { isProblem, podOf } from './pod-shape.ts'
import { readReview, type Request } from './review.ts'
import { uidOfUnrelatedPod } from './scan.ts'
import { problemInService } from './services/judge-service.ts'
import { judgeChange, judgePod, keepAll, type PodJudgement } from './validate-pod.ts'

type Answer = string | Promise<string>
/** A review, and the trace that its API server's request is part of. */
type Answering = (request: Request, cause: () => Cause | undefined) => Answer

export function useAdmission(app: FastifyInstance, deps: AdmissionDeps, metrics?: Metrics): void {
  const pods =
    (answer: (pod: AdmittedPod, request: Request, cause: () => Cause | undefined) => Answer): Answering =>
    (request, cause) =>
      ofPod(request, (pod) => answer(pod, request, cause))
  const answers: Readonly<Record<AdmissionEndpoint, Answering>> = {
    '/mutate-pods': pods((pod, { uid }, cause) => mutation(deps, pod, { uid, cause: cause() })),
    '/validate-pods': (request) =>
      request.operation === 'UPDATE'
        ? ofChange(request, (pod, old) => validation(deps, pod, request, () => judgeChange(deps, pod, old)))
        : ofPod(request, (pod) => validation(deps, pod, request, () => judgePod(deps, pod))),
    '/mutate-objects': (request, cause) => ownMutation(deps, request, cause),
    '/validate-objects': (request) => {
      if (request.kind === 'Service') return serviceValidation(deps, request)
      return isNsmKind(request.kind) ? nsmValidation(request) : ownValidation(deps, request)
    },
  }
  for (const path of admissionEndpoints) app.post(path, handler(deps, path, answers[path], metrics))
}

function handler(
  deps: AdmissionDeps,
  path: AdmissionEndpoint,
  answer: Answering,
  metrics: Metrics | undefined,
): (request: FastifyRequest, reply: FastifyReply) => unknown {
  const ofPods = path.endsWith('-pods')
  const defaulted = (namespace: string): boolean => isDefaulted(deps.world.namespace(namespace))
  const counted = metrics?.admissions(path)
  return (request, reply) => {
    reply.header('content-type', 'application/json; charset=utf-8')
    const body = request.body
    const uid = ofPods && Buffer.isBuffer(body) ? uidOfUnrelatedPod(body, defaulted) : undefined
    if (uid !== undefined) {
      counted?.skipped()
      return allowedPlainly(uid)
    }
    const review = readReview(body, request.headers['content-type'])
    if (typeof review === 'string') {
      counted?.malformed()
      return review
    }
    counted?.parsed()
    const run = (): Answer =>
      answered(deps, review, () => answer(review, () => causeInHeaders(request.headers) ?? causeOfReview(review.uid)))
    return counted === undefined ? run() : timed(run, deps.clock, counted)
  }
}

/** Answers at once where it can: most do. */
function timed(run: () => Answer, clock: Clock, { answered: take }: AdmissionCounts): Answer {
  const began = clock.elapsed()
  const taken = (text: string): string => {
    take((clock.elapsed() - began) / 1000)
    return text
  }
  const text = run()
  return typeof text === 'string' ? taken(text) : text.then(taken)
}

/** No fault of ours may reach the API server as anything but an answer. */
function answered(deps: AdmissionDeps, request: Request, answer: () => Answer): Answer {
  const failed = (err: unknown): string => {
    deps.log.error({ err: err, uid: request.uid, namespace: request.namespace }, 'admission failed')
    if (err instanceof MegrezError) return denied(request.uid, [{ at: '', message: err.message }], err.policy.http)
    return denied(request.uid, [{ at: '', message: "an unexpected fault of Megrez; its log has it under this review's uid" }], 500)
  }
  try {
    const text = answer()
    return typeof text === 'string' ? text : text.catch(failed)
  } catch (err) {
    return failed(err)
  }
}

/** Beside a change of its hot NICs the making of a pod is judged; what must stay as it was made is kept by policies in the API server. */
function ofPod(request: Request, answer: (pod: AdmittedPod) => Answer): Answer {
  if (request.operation !== 'CREATE' || request.subresource !== '') return allowed(request.uid)
  const pod = podOf(request.object, request.namespace)
  return isProblem(pod) ? denied(request.uid, [pod]) : answer(pod)
}

function ofChange(request: Request, answer: (pod: AdmittedPod, old: AdmittedPod) => Answer): Answer {
  if (request.subresource !== '') return allowed(request.uid)
  const [pod, old] = [podOf(request.object, request.namespace), podOf(request.oldObject, request.namespace)]
  if (isProblem(pod)) return denied(request.uid, [pod])
  return isProblem(old) ? denied(request.uid, [{ ...old, at: `/request/oldObject${old.at}` }], 400) : answer(pod, old)
}

const isLater = (answer: { readonly kind?: string }): boolean => isRefusal(answer) && answer.later

function mutation(
  deps: AdmissionDeps,
  pod: AdmittedPod,
  { uid, cause }: { readonly uid: string; readonly cause: Cause | undefined },
): Answer {
  const ask = (): readonly Operation[] | Refusal => patchFor(deps, pod, cause)
  const say = (answer: readonly Operation[] | Refusal): string =>
    isRefusal(answer) ? deniedBy(uid, answer) : allowed(uid, { patch: answer })
  const answer = deps.news === undefined ? ask() : deps.news.until(ask, (each) => isRefusal(each) && each.later)
  return answer instanceof Promise ? answer.then(say) : say(answer)
}

function validation(deps: AdmissionDeps, pod: AdmittedPod, { uid, dryRun }: Request, ask: () => PodJudgement | Refusal): Answer {
  const say = (answer: PodJudgement | Refusal): Answer => {
    if (isRefusal(answer)) return deniedBy(uid, answer)
    if (answer.wishes.length === 0 && answer.uplink === undefined) return allowed(uid, { warnings: answer.warnings })
    return keepAll(deps, pod, answer, dryRun).then((kept) =>
      isRefusal(kept) ? deniedBy(uid, kept) : allowed(uid, { warnings: kept.warnings }),
    )
  }
  const answer = deps.news === undefined ? ask() : deps.news.until(ask, isLater)
  return answer instanceof Promise ? answer.then(say) : say(answer)
}

function ownMutation(
  { clock }: AdmissionDeps,
  { uid, kind, operation, subresource, object, oldObject }: Request,
  cause: () => Cause | undefined,
): Answer {
  if (!isOwnKind(kind) || subresource !== '' || (operation !== 'CREATE' && operation !== 'UPDATE')) return allowed(uid)
  // What is malformed is not changed: validating admission, which comes next, says why.
  if (problemsInOwn(kind, object).length > 0) return allowed(uid)
  const old = operation === 'UPDATE' && isOwnObject(oldObject) ? oldObject : undefined
  return allowed(uid, { patch: patchForOwn(kind, object as OwnObject, { old, cause: cause(), now: clock.now() }) })
}

async function ownValidation(deps: AdmissionDeps, { uid, kind, operation, subresource, object, oldObject }: Request): Promise<string> {
  if (!isOwnKind(kind) || subresource !== '' || (operation !== 'CREATE' && operation !== 'UPDATE')) return allowed(uid)
  const old = operation === 'UPDATE' ? oldObject : undefined
  if (old !== undefined && !isOwnObject(old))
    return denied(uid, [{ at: '/request/oldObject', message: 'must be an object with metadata and spec' }], 400)
  const problems = problemsInOwn(kind, object, old)
  if (problems.length > 0) return denied(uid, problems)
  const around = await problemsAround(deps, object as OwnObject, old)
  return around.length > 0 ? denied(uid, around) : allowed(uid)
}

function nsmValidation(request: Request): string {
  const problems = problemsInNsm(request)
  return problems.length === 0 ? allowed(request.uid) : denied(request.uid, problems)
}

async function serviceValidation(deps: AdmissionDeps, request: Request): Promise<string> {
  const { uid, operation, subresource } = request
  if (subresource !== '' || (operation !== 'CREATE' && operation !== 'UPDATE')) return allowed(uid)
  const problem = await problemInService(deps, request)
  return problem === undefined ? allowed(uid) : denied(uid, [problem])
}
