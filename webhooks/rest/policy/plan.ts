// POST /v1/policy/plan: what policies would change in a Vpc if they were stored, or deleted. Nothing is.
import type { FastifyRequest } from 'fastify'
import { isObject, type Json } from '../../../core/json.ts'
import { refOf, scopeOf, type Ref, type Resource } from '../../../core/kinds/index.ts'
import { forecast } from '../../../core/policy/forecast.ts'
import { defaultGroup } from '../../../core/policy/member.ts'
import type { CommonPolicy } from '../../../core/policy/one-form.ts'
import { isPolicyKind, policyKinds, readPolicy, type PolicyKind } from '../../../core/policy/read.ts'
import { mayDo } from '../../plugins/access.ts'
import type { Caller } from '../../plugins/auth.ts'
import { everyOf } from '../across/gather.ts'
import { reachOf } from '../across/reach.ts'
import type { Handler, RestDeps } from '../deps.ts'
import { InvalidObject } from '../invalid-object.ts'
import { parametersOf, type Parameters } from '../query.ts'
import { objectIn } from '../write/bodies.ts'
import { validObject, withAddress } from '../write/drafts.ts'
import { unjudgedBy } from './plan/at-clouds.ts'
import { afterChange, type PolicyChange } from './change.ts'
import { movesBy } from './plan/moves.ts'
import { networkOf, type PolicedNetwork } from './network.ts'
import { attachmentIn, isOfVlan } from './vlan.ts'
import { planInVlan } from './vlan-plan.ts'
import { vpcIn } from './vpc.ts'

export function planHandler(deps: RestDeps): Handler {
  return async (request, reply) => {
    const parameters = parametersOf(request, ['vpc', 'attachment'])
    if (isOfVlan(parameters)) return reply.header('cache-control', 'no-store').send(await vlanPlan(request, parameters, deps))
    const { vni, namespace: host } = await vpcIn(parameters, deps, request.caller)
    const change = await changeIn(objectIn(request), deps, request.caller)
    const shown = await reachOf(deps, request.caller, { kind: 'Port' })
    const withDefault = change.put.filter((each) => each.kind === 'SecurityGroup' && each.metadata.name === defaultGroup)
    const isShown = (namespace: string): boolean => shown.includes(undefined) || shown.includes(namespace)
    const network = await networkOf(deps, {
      vni,
      isShown,
      withDefault: withDefault.map(({ metadata }) => metadata.namespace ?? ''),
    })
    const { before, after, problems } = changed(network, change)
    const isAudit = await isAuditAlone(deps, { vni, namespace: host })
    const answer = forecast(before, after, { ...network, isAudit: isAudit && change.enforce })
    const moves = await movesBy(change, deps, request.caller)
    const unjudged = await unjudgedBy(change, deps, isShown)
    return reply.header('cache-control', 'no-store').send({ vni, isAudit, problems: [...problems, ...unjudged], moves, ...answer })
  }
}

async function vlanPlan(request: FastifyRequest, parameters: Parameters, deps: RestDeps): Promise<object> {
  const { caller } = request
  const { attachment, segment: vni } = await attachmentIn(parameters, deps, caller)
  const change = await changeIn(objectIn(request), deps, caller)
  const isAudit = await isAuditAlone(deps, { vni, namespace: attachment.metadata.namespace ?? '' })
  const { problems, ...answer } = await planInVlan(change, { attachment, segment: vni, isAudit }, deps, caller)
  const moves = await movesBy(change, deps, caller)
  return { vni, isAudit, problems: [...unreadIn(change), ...problems], moves, ...answer }
}

/** As workers have compiled them: nothing of the VNI is enforced. */
async function isAuditAlone(deps: RestDeps, { vni, namespace }: { readonly vni: number; readonly namespace: string }): Promise<boolean> {
  const sets = await everyOf(deps, undefined, 'PolicyRuleSet', { namespace, fields: { '.spec.vni': String(vni) } })
  return sets.length > 0 && sets.every(({ spec }) => spec.audit === true)
}

const changesMax = 100

/** Whoever plans a change may make it. @throws Refused, Forbidden */
async function changeIn(body: Json, deps: RestDeps, caller: Caller): Promise<PolicyChange> {
  const { put = [], delete: gone = [], enforce = false } = body
  const problems = problemsIn(body)
  if (problems.length > 0) throw new InvalidObject(problems)
  const change = {
    put: (put as readonly unknown[]).map((each, i) => policyIn(each, i, deps)),
    remove: (gone as readonly unknown[]).map((each, i) => refIn(each, `/delete/${i}`)),
    enforce: enforce === true,
  }
  for (const { kind, namespace } of [...change.put.map((each) => refOf(each)), ...change.remove])
    await mayDo(deps, caller, { act: 'write', kind, namespace })
  return change
}

function problemsIn({ put = [], delete: gone = [], enforce = false, ...others }: Json): readonly { at: string; message: string }[] {
  const problems = Object.keys(others).map((field) => ({
    at: `/${field}`,
    message: 'is not known here: there are put, delete and enforce',
  }))
  if (typeof enforce !== 'boolean') problems.push({ at: '/enforce', message: 'must be true or false' })
  if (!Array.isArray(put) || !Array.isArray(gone)) return [...problems, { at: '/put', message: 'must be a list, as delete must' }]
  const [count, least] = [put.length + gone.length, enforce === true ? 0 : 1]
  if (count >= least && count <= changesMax) return problems
  return [...problems, { at: '/put', message: `must have with delete together from ${least} to ${changesMax} policies` }]
}

function policyIn(given: unknown, i: number, { clock }: RestDeps): Resource<PolicyKind> {
  if (!isObject(given)) throw new InvalidObject([{ at: `/put/${i}`, message: 'must be a policy' }])
  const { kind, namespace, name } = refIn({ kind: given['kind'], ...(given['metadata'] as object | undefined) }, `/put/${i}`)
  const valid = below(`/put/${i}`, () => validObject(kind, withAddress(given, { kind, namespace, name })))
  const creationTimestamp = new Date(clock.now()).toISOString()
  const uid = `planned ${kind} ${namespace ?? ''}/${name}`
  return { ...valid, metadata: { ...valid.metadata, uid, creationTimestamp } }
}

/** What is wrong with it, by where it stands in the whole. */
function below<T>(at: string, read: () => T): T {
  try {
    return read()
  } catch (err) {
    if (!(err instanceof InvalidObject)) throw err
    throw new InvalidObject(err.problems.map((problem) => ({ ...problem, at: `${at}${problem.at}` })))
  }
}

function refIn(given: unknown, at: string): Ref<PolicyKind> {
  const { kind, namespace, name } = isObject(given) ? given : {}
  if (typeof kind !== 'string' || !isPolicyKind(kind))
    throw new InvalidObject([{ at: `${at}/kind`, message: `must be one of ${policyKinds.join(', ')}` }])
  if (typeof name !== 'string' || name === '') throw new InvalidObject([{ at: `${at}/metadata/name`, message: 'is required' }])
  if (scopeOf(kind) === 'Cluster') return { kind, name }
  if (typeof namespace !== 'string' || namespace === '')
    throw new InvalidObject([{ at: `${at}/metadata/namespace`, message: 'is required' }])
  return { kind, namespace, name }
}

interface Changed {
  readonly before: readonly CommonPolicy[]
  readonly after: readonly CommonPolicy[]
  readonly problems: readonly { readonly policy: Ref; readonly path: string; readonly message: string }[]
}

function changed({ policies }: PolicedNetwork, change: PolicyChange): Changed {
  const read = (all: Iterable<Resource<PolicyKind>>): readonly CommonPolicy[] => [...all].flatMap((each) => readPolicy(each).policy ?? [])
  return { before: read(policies), after: read(afterChange(policies, change)), problems: unreadIn(change) }
}

const unreadIn = ({ put }: PolicyChange): Changed['problems'] =>
  put.flatMap((policy) => readPolicy(policy).problems.map(({ path, message }) => ({ policy: refOf(policy), path, message })))
