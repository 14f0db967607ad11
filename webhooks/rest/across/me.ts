// GET /v1/me: who asks, and what may be offered to them: each verb of each kind, and where.
import { isOwnKind, allKinds, definitionOf, pluralOf, scopeOf, type Kind } from '../../../core/kinds/index.ts'
import type { AccessRequest } from '../../../core/admit/rest/roles.ts'
import type { Caller } from '../../plugins/auth.ts'
import { reachOf, type Reach } from './reach.ts'
import type { Handler, RestDeps } from '../deps.ts'
import { parametersOf } from '../query.ts'
import { namespaceIn } from './kinds-in.ts'
import { verbsOf, type Verb } from '../verbs.ts'

const accessByVerb: Readonly<Record<Verb, Pick<AccessRequest, 'act' | 'verb'>>> = {
  get: { act: 'read', verb: 'get' },
  list: { act: 'read', verb: 'list' },
  create: { act: 'write', verb: 'create' },
  replace: { act: 'write', verb: 'update' },
  patch: { act: 'write', verb: 'patch' },
  delete: { act: 'write', verb: 'delete' },
  patchStatus: { act: 'report', verb: 'patch' },
}

/** By the id of the operation. */
export const meHandlers = { getMe: meOf }

function meOf(deps: RestDeps): Handler {
  return async (request, reply) => {
    const namespace = namespaceIn(parametersOf(request, ['namespace']))
    const { caller } = request
    const kinds = await Promise.all(allKinds.map((kind) => kindOf(deps, caller, kind, namespace)))
    return reply.header('cache-control', 'no-store').send({
      subject: caller.subject,
      issuer: caller.issuer,
      until: new Date(caller.until).toISOString(),
      standalone: deps.standalone !== undefined,
      grants: caller.passed === undefined ? caller.grants.map(({ role, namespaces }) => ({ role, ...within(namespaces) })) : [],
      kinds: kinds.filter(({ verbs }) => verbs.length > 0),
    })
  }
}

const within = (namespaces: Iterable<string> | undefined): object => (namespaces === undefined ? {} : { namespaces: [...namespaces] })

async function kindOf(deps: RestDeps, caller: Caller, kind: Kind, namespace: string | undefined) {
  const verbs: object[] = []
  for (const verb of verbsOf(kind, deps.standalone !== undefined)) {
    const where = await reachOf(deps, caller, { kind, namespace }, accessByVerb[verb])
    if (where.length > 0) verbs.push({ verb, ...within(namesOf(where)) })
  }
  const internal = isOwnKind(kind) && definitionOf(kind).internal
  return { kind, plural: pluralOf(kind), scope: scopeOf(kind), ...(internal && { internal }), verbs }
}

const namesOf = (where: Reach): readonly string[] | undefined =>
  where.includes(undefined) ? undefined : where.filter((each) => each !== undefined)
