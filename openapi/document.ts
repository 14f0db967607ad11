// The OpenAPI 3.1 document: what REST promises.
import { foreignKinds } from '../core/kinds/foreign.ts'
import { foreignPolicies } from '../core/kinds/foreign-policies.ts'
import { nsmKinds } from '../core/kinds/foreign-network-services.ts'
import { definitionOf, kinds, type OwnKind } from '../core/kinds/index.ts'
import { version } from '../core/kinds/meta.ts'
import { headers, responses } from './paths/answers.ts'
import { besideKinds } from './paths/beside-kinds.ts'
import { callback, callbacks, documentRoutes } from './paths/edges.ts'
import { healthRoutes } from './paths/health.ts'
import { listParameters, pageParameters, watchOnlyParameters } from '../core/kinds/list-parameters.ts'
import { pageRoutes, signInRoutes } from './paths/page.ts'
import { pathsOf, verbs, type Served } from './paths/paths.ts'
import { pathsOfRoutes } from './paths/route.ts'
import type { Schema } from './schemas/render.ts'
import { schemas } from './schemas/schemas.ts'
import { solSchemas } from './paths/sol.ts'

const foreignSummaries = {
  Namespace: 'Namespaces, where there is no API server.',
  Node: 'Nodes, where there is no API server.',
  Pod: 'Pods, where there is no API server: literal Alkaid pods are taken too.',
  NetworkAttachmentDefinition: 'Configurations of CNI plugins by name, where there is no API server.',
  NetworkPolicy: "Kubernetes' own policies, where there is no API server.",
  AdminNetworkPolicy: "The provider's policies (v1alpha1), where there is no API server.",
  BaselineAdminNetworkPolicy: "The provider's policy where nobody has others (v1alpha1), where there is no API server.",
  ClusterNetworkPolicy: "The provider's policies, where there is no API server.",
  Event: 'What happened to objects, where there is no API server.',
  NetworkService: "Network Service Mesh's services.",
  NetworkServiceEndpoint: 'Who serves a NetworkService.',
}

const served: readonly Served[] = [
  ...(Object.keys(kinds) as OwnKind[]).map((kind): Served => {
    const { plural, scope, internal } = definitionOf(kind)
    return { kind, plural, scope, verbs: internal ? ['list', 'get'] : verbs }
  }),
  { ...foreignKinds.Namespace, verbs, standalone: ['create', 'replace', 'patch', 'delete'] },
  { ...foreignKinds.Node, verbs: [...verbs, 'patchStatus'], standalone: ['create', 'replace', 'patch', 'delete', 'patchStatus'] },
  { ...foreignKinds.Pod, verbs: [...verbs, 'patchStatus'], standalone: ['replace', 'patch', 'patchStatus'] },
  { ...foreignKinds.NetworkAttachmentDefinition, verbs, standalone: ['create', 'replace', 'patch', 'delete'] },
  ...foreignPolicies.map((kind): Served => ({ ...foreignKinds[kind], verbs, standalone: ['create', 'replace', 'patch', 'delete'] })),
  { ...foreignKinds.Event, verbs: ['list', 'get'] },
  ...nsmKinds.map((kind): Served => ({ ...foreignKinds[kind], verbs })),
]

const query = (name: string, schema: Schema, description: string): Schema => ({ name, in: 'query', description, schema })
const path = (name: string, maxLength: number, more: Schema = {}): Schema => ({
  name,
  in: 'path',
  required: true,
  schema: { type: 'string', maxLength, ...more },
})
const part = '[a-z0-9]([-a-z0-9]*[a-z0-9])?'
/** What these cannot stand beside: `x-excludes` for whoever reads it by program. */
const besides = (name: (typeof listParameters)[number], parameter: Schema): Schema => {
  const others = (pageParameters as readonly string[]).includes(name)
    ? ['watch', ...watchOnlyParameters]
    : (watchOnlyParameters as readonly string[]).includes(name)
      ? pageParameters
      : []
  return { ...parameter, 'x-excludes': others }
}
const header = (name: string, required: boolean, description: string): Schema => ({
  name,
  in: 'header',
  required,
  description,
  schema: { type: 'string' },
})
const parameters = {
  namespace: path('namespace', 63, { minLength: 1, pattern: `^${part}$` }),
  name: path('name', 253, { minLength: 1, pattern: `^${part}(\\.${part})*$` }),
  kind: { ...path('kind', 63, { minLength: 1, pattern: '^[A-Za-z0-9-]+$' }), description: 'a kind, by its name or its plural' },
  id: { ...path('name', 4096), description: 'opaque: as Location, or the object itself, had it' },
  limit: besides('limit', query('limit', { type: 'integer', minimum: 1, maximum: 1000 }, 'items in a page; never beside `watch=true`')),
  continue: besides(
    'continue',
    query(
      'continue',
      { type: 'string' },
      'what the page before said: the same selectors go with it, in the same words, and any limit; never beside `watch=true`',
    ),
  ),
  labelSelector: query('labelSelector', { type: 'string' }, 'as kubectl takes it: a=b,c!=d,e in (f,g),h,!i'),
  fieldSelector: query('fieldSelector', { type: 'string' }, "metadata.name=x, and the kind's selectable fields; docs/kinds.md lists them"),
  watch: query('watch', { type: 'boolean' }, 'the changes as text/event-stream, in place of a page: then neither `limit` nor `continue`'),
  dryRun: query('dryRun', { type: 'boolean' }, 'judge and answer as always, and store nothing'),
  resourceVersion: besides(
    'resourceVersion',
    query('resourceVersion', { type: 'string' }, 'only beside `watch=true`: only the changes since then; Last-Event-ID outdoes it'),
  ),
  'If-Match': header('If-Match', true, 'the ETag that was read, or * for any'),
  'If-None-Match': header('If-None-Match', false, 'an ETag: 304 where it is still at that, its status included'),
  'Idempotency-Key': {
    ...header(
      'Idempotency-Key',
      false,
      'makes sending it again harmless: the same request is answered as before, another one is refused; kept for 24 hours',
    ),
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
  },
  Prefer: header('Prefer', false, '`respond-async`: 202 and an operation in place of the object (RFC 7240)'),
  Version: header('Version', false, 'of the interface (SOL013, 9.2); 406 where it is not known'),
  'Last-Event-ID': header('Last-Event-ID', false, 'with watch: the id of the last event that was seen; no other request looks at it'),
}

const withoutToken = [...healthRoutes, ...documentRoutes, ...pageRoutes, ...signInRoutes]

export function document(): Schema {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Megrez',
      version,
      description:
        'NICs, VPC ports and addresses. Generated from the table of kinds by `npm run gen`. Every answer has X-Request-Id; `traceparent` (W3C Trace Context) is taken into the log, and goes with what is told of the change. Errors are problem documents (RFC 9457) whose types are listed in docs/errors.md.',
      contact: { name: 'Megrez', url: 'https://megrez.io/' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'where this document was read' }],
    security: [{ bearer: [] }, { session: [] }],
    tags: [
      ...(Object.keys(kinds) as OwnKind[]).map((kind) => ({ name: kind, description: definitionOf(kind).description })),
      ...Object.entries(foreignSummaries).map(([name, description]) => ({ name, description })),
      { name: 'operations', description: 'Work that goes on after its request was answered, in the states of ETSI GS NFV-SOL 003.' },
      { name: 'callbacks', description: 'What we send to those who asked to be told.' },
      { name: 'page', description: 'What the page in a browser is made of and works with.' },
      { name: 'health', description: 'Is it alive, ready, busy; no token needed.' },
    ],
    paths: Object.assign({}, ...served.map(pathsOf), pathsOfRoutes([...besideKinds, ...withoutToken])) as Schema,
    webhooks: { phaseChanged: callback },
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-megrez',
          description:
            'of a browser that has signed in; without TLS its name is megrez- and the TCP port. What changes something must have the Origin of the page.',
        },
      },
      parameters,
      headers,
      responses,
      callbacks,
      schemas: { ...schemas(), ...solSchemas },
    },
  }
}
