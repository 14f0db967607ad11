// The paths of one kind.
import { foreignPolicies } from '../../core/kinds/foreign-policies.ts'
import { nsmKinds } from '../../core/kinds/foreign-network-services.ts'
import { accepted, created, going, listed, object, refused } from './answers.ts'
import { examples } from '../examples.ts'
import type { Schema } from '../schemas/render.ts'
import { ref } from '../schemas/schemas.ts'

export interface Served {
  readonly kind: string
  readonly plural: string
  readonly scope: 'Namespaced' | 'Cluster'
  readonly verbs: readonly Verb[]
  /** Those that are offered only where there is no API server. */
  readonly standalone?: readonly Verb[]
}
export const verbs = ['list', 'create', 'get', 'replace', 'patch', 'delete'] as const
export type Verb = (typeof verbs)[number] | 'listAll' | 'patchStatus'
type Where = 'all' | 'one' | 'status' | 'everywhere'

const parameter = (name: string): Schema => ({ $ref: `#/components/parameters/${name}` })
const draft = (kind: string): Schema => {
  const example = examples[kind]
  const media = { schema: ref(`${kind}Draft`), ...(example !== undefined && { example }) }
  return { required: true, content: { 'application/json': media, 'application/yaml': media } }
}
const changing = ['dryRun', 'If-Match'].map(parameter)
const replacing = [...changing, parameter('Prefer')]
const selecting = ['limit', 'continue', 'labelSelector', 'fieldSelector', 'watch', 'resourceVersion', 'Last-Event-ID'].map(parameter)
const later = accepted('With `Prefer: respond-async`: it is stored, and what it takes to become true goes on.')
const changed = (kind: string): Schema => ({
  200: object(kind, 'As it is stored now.'),
  ...refused(400, 403, 404, 409, 412, 413, 415, 422, 428),
})
const merge = (schema: string): Schema => ({ required: true, content: { 'application/merge-patch+json': { schema: ref(schema) } } })

/** Kinds without a callbackURL: nobody is told of them in this way. */
const withoutNotices: readonly string[] = [
  'Namespace',
  'Node',
  'NetworkAttachmentDefinition',
  'Subscription',
  ...foreignPolicies,
  ...nsmKinds,
]
const notified = (kind: string): Schema =>
  withoutNotices.includes(kind)
    ? {}
    : { callbacks: { phaseChanged: { $ref: `#/components/callbacks/${kind === 'Pod' ? 'podPhaseChanged' : 'phaseChanged'}` } } }

/** Who is told already is not told twice. */
const twin = (kind: string): Schema =>
  kind === 'Subscription'
    ? {
        303: {
          description: 'There is one with this sink, profile and filter: Location.',
          headers: { Location: { description: 'its address', schema: { type: 'string' } } },
        },
      }
    : {}

interface Route {
  readonly on: Where
  readonly method: string
  /** `listVpcs`, `getVpc`: what a client's function is called, and never changes. */
  readonly id: (served: Served) => string
  readonly operation: (kind: string) => Schema
}

const routes: Readonly<Record<Verb, Route>> = {
  list: {
    on: 'all',
    method: 'get',
    id: (served) => `list${pluralName(served)}`,
    operation: (kind) => ({
      summary: `List or watch ${kind} objects`,
      parameters: selecting,
      responses: { 200: listed(kind), ...refused(400, 403, 410) },
    }),
  },
  listAll: {
    on: 'everywhere',
    method: 'get',
    id: (served) => `listAll${pluralName(served)}`,
    operation: (kind) => ({
      summary: `List or watch ${kind} objects of all namespaces`,
      parameters: selecting,
      responses: { 200: listed(kind), ...refused(400, 403, 410) },
    }),
  },
  create: {
    on: 'all',
    method: 'post',
    id: ({ kind }) => `create${kind}`,
    operation: (kind) => ({
      summary: `Make a ${kind}`,
      parameters: ['dryRun', 'Idempotency-Key', 'Prefer'].map(parameter),
      requestBody: draft(kind),
      ...notified(kind),
      responses: { 201: created(kind), 202: later, ...twin(kind), ...refused(400, 403, 404, 409, 413, 415, 422) },
    }),
  },
  get: {
    on: 'one',
    method: 'get',
    id: ({ kind }) => `get${kind}`,
    operation: (kind) => ({
      summary: `Read a ${kind}`,
      parameters: [parameter('If-None-Match')],
      responses: {
        200: object(kind, 'As it is stored.'),
        304: { description: 'If-None-Match names it as it is, its status included.' },
        ...refused(400, 403, 404),
      },
    }),
  },
  replace: {
    on: 'one',
    method: 'put',
    id: ({ kind }) => `replace${kind}`,
    operation: (kind) => ({
      summary: `Replace the spec, labels and annotations of a ${kind}`,
      parameters: replacing,
      requestBody: draft(kind),
      responses: { ...changed(kind), 202: later },
    }),
  },
  patch: {
    on: 'one',
    method: 'patch',
    id: ({ kind }) => `patch${kind}`,
    operation: (kind) => ({
      summary: `Change parts of a ${kind}`,
      parameters: replacing,
      requestBody: merge(`${kind}Patch`),
      responses: { ...changed(kind), 202: later },
    }),
  },
  delete: {
    on: 'one',
    method: 'delete',
    id: ({ kind }) => `delete${kind}`,
    operation: (kind) => ({
      summary: `Delete a ${kind}`,
      parameters: changing,
      responses: {
        200: object(kind, 'With dryRun: it would go.'),
        202: going(kind),
        204: { description: 'It is gone.' },
        ...refused(400, 403, 404, 409, 412, 428),
      },
    }),
  },
  patchStatus: {
    on: 'status',
    method: 'patch',
    id: ({ kind }) => `patch${kind}Status`,
    operation: (kind) => ({
      summary: `Say how a ${kind} does, where no kubelet does`,
      parameters: changing,
      requestBody: merge(`${kind}StatusPatch`),
      responses: changed(kind),
    }),
  },
}

/** SecurityGroup, securitygroups → SecurityGroups; also Policy, policies → Policies. */
function pluralName({ kind, plural }: Served): string {
  const same = plural.startsWith(kind.toLowerCase()) ? kind.length : kind.length - 1
  return kind.slice(0, same) + plural.slice(same)
}

function operationOf({ kind, standalone = [] }: Served, verb: Verb): Schema {
  const operation = routes[verb].operation(kind)
  return standalone.includes(verb) ? { ...operation, responses: { ...(operation['responses'] as Schema), ...refused(405) } } : operation
}

export function pathsOf(served: Served): Readonly<Record<string, Schema>> {
  const { kind, plural, scope } = served
  const within = scope === 'Namespaced' ? [parameter('namespace')] : []
  const all = scope === 'Namespaced' ? `/v1/namespaces/{namespace}/${plural}` : `/v1/${plural}`
  const every = scope === 'Namespaced' ? ([...served.verbs, 'listAll'] as const) : served.verbs
  const operations = (on: Where): Schema => {
    const offered = every.filter((verb) => routes[verb].on === on)
    return Object.fromEntries(
      offered.map((verb) => [routes[verb].method, { operationId: routes[verb].id(served), tags: [kind], ...operationOf(served, verb) }]),
    )
  }
  return {
    [all]: { ...(within.length === 0 ? {} : { parameters: within }), ...operations('all') },
    [`${all}/{name}`]: { parameters: [...within, parameter('name')], ...operations('one') },
    ...(served.verbs.includes('patchStatus')
      ? { [`${all}/{name}/status`]: { parameters: [...within, parameter('name')], ...operations('status') } }
      : {}),
    ...(scope === 'Namespaced' ? { [`/v1/${plural}`]: operations('everywhere') } : {}),
  }
}
