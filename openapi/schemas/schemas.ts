// components.schemas: each kind as it is stored and as it is sent, and what all of them share.
import { foreignKinds } from '../../core/kinds/foreign.ts'
import { foreignPolicies, foreignPolicySpecs, type ForeignPolicy } from '../../core/kinds/foreign-policies.ts'
import { nsmKinds, nsmSpecs, type NsmKind } from '../../core/kinds/foreign-network-services.ts'
import { definitionOf, kinds, type OwnKind } from '../../core/kinds/index.ts'
import { apiVersion } from '../../core/kinds/meta.ts'
import { metaSchemas } from './meta.ts'
import { metaPatch, orNull, patchOf, without } from './patches.ts'
import { render, type Schema } from './render.ts'
import { closed } from './shapes.ts'

export const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })
const word = (value: string): Schema => ({ type: 'string', enum: [value] })

const everything = ['apiVersion', 'kind', 'metadata', 'spec']
const withoutSpec = ['apiVersion', 'kind', 'metadata']

interface Whole {
  readonly kind: string
  readonly apiVersion: string
  readonly description: string
  readonly spec: Schema
  readonly status: Schema
  /** What of the spec may change, as a merge patch; absent: all of it. */
  readonly change?: Schema
  /** What may be said of the status where nobody else says it. */
  readonly report?: Schema
}

/** `K`, `KSpec`, `KStatus`, `KList`; where it can be sent `KDraft` with at least the `sent` fields, and `KPatch`. */
function schemasOf(
  { kind, apiVersion: version, description, spec, status, change = patchOf(spec), report }: Whole,
  sent: readonly string[] | undefined,
): Record<string, Schema> {
  const head = { apiVersion: word(version), kind: word(kind) }
  const body = { spec: ref(`${kind}Spec`), status: ref(`${kind}Status`) }
  return {
    [`${kind}Spec`]: spec,
    [`${kind}Status`]: status,
    [kind]: closed(everything, { ...head, metadata: ref('Meta'), ...body }, description),
    ...(sent === undefined
      ? {}
      : {
          [`${kind}Draft`]: closed(
            sent,
            { ...head, metadata: ref('MetaDraft'), ...body },
            `${kind} as it is sent. The status is ours: what is sent of it is not looked at.`,
          ),
          ...patches({ kind, version, mayLackSpec: !sent.includes('spec') }, change),
        }),
    ...(report === undefined
      ? {}
      : {
          [`${kind}StatusPatch`]: {
            ...closed(
              [],
              { apiVersion: orNull(word(version)), kind: orNull(word(kind)), status: report },
              `what changes of the status of a ${kind} (RFC 7396)`,
            ),
            ...never,
          },
        }),
    [`${kind}List`]: closed(['apiVersion', 'kind', 'metadata', 'items'], {
      apiVersion: word(version),
      kind: word(`${kind}List`),
      metadata: ref('ListMeta'),
      items: { type: 'array', items: ref(kind) },
    }),
  }
}

/** Said apart from what the last version promised: a client that left it out was refused by that one too. */
const never = { allOf: [{ required: ['status'] }] }

interface Patched {
  readonly kind: string
  readonly version: string
  readonly mayLackSpec: boolean
}

function patches({ kind, version, mayLackSpec }: Patched, change: Schema): Record<string, Schema> {
  const spec = ref(`${kind}SpecPatch`)
  const properties = {
    apiVersion: orNull(word(version)),
    kind: orNull(word(kind)),
    metadata: orNull(ref('MetaPatch')),
    spec: mayLackSpec ? orNull(spec) : spec,
  }
  return {
    [`${kind}SpecPatch`]: change,
    [`${kind}Patch`]: closed([], properties, `what changes of a ${kind} (RFC 7396): a null takes a field away`),
  }
}

/** What may change of a spec, and what rules besides its schema hold it to. */
function changeOf(kind: OwnKind, spec: Schema): Schema {
  const { immutable, rules } = definitionOf(kind)
  const notes = [
    ...(immutable.length === 0 ? [] : [`Kept as it was made: ${immutable.join(', ')}.`]),
    ...(rules.length === 0 ? [] : [`Refused, too: ${rules.map(({ at, message }) => `${at} ${message}`).join('; ')}.`]),
  ]
  return { ...patchOf(without(spec, immutable)), ...(notes.length > 0 && { description: notes.join(' ') }) }
}

function ownSchemas(kind: OwnKind): Record<string, Schema> {
  const { description, spec, status, internal } = definitionOf(kind)
  const renderPart = (schema: unknown, part: string): Schema => render(schema as Schema, '2020-12', `${kind}.${part}`)
  const whole = renderPart(spec, 'spec')
  return schemasOf(
    { kind, apiVersion, description, spec: whole, status: renderPart(status, 'status'), change: changeOf(kind, whole) },
    internal ? undefined : everything,
  )
}

const open = (description: string): Schema => ({ type: 'object', description, additionalProperties: true })
const podSpec: Schema = {
  type: 'object',
  description:
    "Kubernetes' own pod spec. Alkaid's `vpc`, `nics` and `VMs` are taken here too, and rewritten to annotations and containers before the pod is stored.",
  properties: {
    vpc: { type: 'string', description: "the Vpc of the pod's Nics, as name or namespace/name" },
    nics: { type: 'array', description: "the pod's Nics", items: open('a Nic: name, subnet, ip, mac, securityGroup, portID …') },
    VMs: { type: 'array', description: 'one VM in place of containers', items: open('a VM: name, image, flavor, ports with VMPort') },
  },
  additionalProperties: true,
}

const podChange = {
  ...closed([], { nodeName: { type: 'string' } }),
  description: 'The node, where there is none yet; all else is kept as it was made, and so are the annotations of the Nics.',
}
const condition = { type: 'object', required: ['type'], properties: { type: { type: 'string' } }, additionalProperties: true }
const conditions = orNull({ type: 'array', items: condition })
const reportOf = (properties: Readonly<Record<string, Schema>>): Schema => ({
  type: 'object',
  description: 'as Kubernetes has it',
  properties: { ...properties, conditions },
  additionalProperties: true,
})
const podReport = reportOf({ phase: { type: 'string', enum: ['Pending', 'Running', 'Succeeded', 'Failed', 'Unknown'] } })

function foreignSchemas(): Record<string, Schema> {
  const { Pod, Node, Namespace, NetworkAttachmentDefinition, Event } = foreignKinds
  const status = open('as Kubernetes has it')
  return {
    ...schemasOf(
      {
        ...Pod,
        description: 'A Kubernetes pod, kept here where there is no API server.',
        spec: podSpec,
        status,
        change: podChange,
        report: podReport,
      },
      everything,
    ),
    ...schemasOf(
      {
        ...Node,
        description: 'A Kubernetes node, kept here where there is no API server.',
        spec: open('as Kubernetes has it'),
        status,
        report: reportOf({}),
      },
      withoutSpec,
    ),
    ...schemasOf(
      {
        ...Namespace,
        description: 'A Kubernetes namespace, kept here where there is no API server.',
        spec: open('as Kubernetes has it'),
        status,
      },
      withoutSpec,
    ),
    ...schemasOf(
      {
        ...NetworkAttachmentDefinition,
        description: 'What a CNI plugin is configured with under its name (Network Plumbing Working Group, de facto standard 1.3).',
        spec: closed([], { config: { type: 'string', description: "the plugin's configuration, as JSON text" } }),
        status,
      },
      withoutSpec,
    ),
    ...Object.assign({}, ...foreignPolicies.map(policySchemas), ...nsmKinds.map(nsmSchemas)),
    ...schemasOf(
      {
        ...Event,
        description: 'What happened to an object (events.k8s.io/v1), its fields under spec.',
        spec: open('as Kubernetes has it'),
        status,
      },
      undefined,
    ),
  }
}

const whatIs: Readonly<Record<ForeignPolicy, string>> = {
  NetworkPolicy:
    'Who may talk to pods of its namespace (networking.k8s.io/v1), kept here where there is no API server; it judges our Ports.',
  AdminNetworkPolicy: "The provider's rules before everybody else's (policy.networking.k8s.io/v1alpha1).",
  BaselineAdminNetworkPolicy:
    "The provider's rules where no NetworkPolicy and no SecurityGroup has a say (policy.networking.k8s.io/v1alpha1).",
  ClusterNetworkPolicy: "The provider's rules, of the tier Admin or Baseline (policy.networking.k8s.io/v1alpha2).",
}

function policySchemas(kind: ForeignPolicy): Record<string, Schema> {
  const status = open('as Kubernetes has it')
  const spec = JSON.parse(JSON.stringify(foreignPolicySpecs[kind])) as Schema
  return schemasOf({ ...foreignKinds[kind], description: whatIs[kind], spec, status }, everything)
}

const whatIsNsm: Readonly<Record<NsmKind, string>> = {
  NetworkService: 'What clients ask for by name (networkservicemesh.io/v1), and which endpoints a client of which labels gets.',
  NetworkServiceEndpoint: 'Who serves NetworkServices (networkservicemesh.io/v1), until its expiration time where it has one.',
}

function nsmSchemas(kind: NsmKind): Record<string, Schema> {
  const spec = JSON.parse(JSON.stringify(nsmSpecs[kind])) as Schema
  return schemasOf({ ...foreignKinds[kind], description: whatIsNsm[kind], spec, status: open('never there') }, withoutSpec)
}

const problemDetail = closed(['detail'], {
  pointer: { type: 'string', description: 'JSON pointer (RFC 6901) of the field' },
  parameter: { type: 'string', description: 'the query parameter, where the fault is in the address' },
  detail: { type: 'string', description: 'what is wrong, and what would be right' },
})
const problem = closed(
  ['type', 'title', 'status', 'code'],
  {
    type: { type: 'string', description: 'a URI that names the error and never changes' },
    title: { type: 'string' },
    status: { type: 'integer' },
    code: { type: 'string', description: "the error's code, listed in docs/errors.md" },
    detail: { type: 'string' },
    instance: { type: 'string' },
    errors: { type: 'array', description: 'every field at fault', items: ref('Fault') },
  },
  'An error (RFC 9457).',
)

const link = closed(['href'], { href: { type: 'string' } })
const operation = closed(
  ['id', 'operationType', 'operationState', 'resource', '_links'],
  {
    id: { type: 'string', description: 'opaque' },
    operationType: { type: 'string', enum: ['create', 'change', 'delete'] },
    operationState: {
      type: 'string',
      enum: ['STARTING', 'PROCESSING', 'COMPLETED', 'FAILED_TEMP', 'FAILED'],
      description: 'FAILED_TEMP may become COMPLETED without anybody doing anything',
    },
    detail: { type: 'string', description: 'what it waits for, or why it did not come to be' },
    stateEnteredTime: { type: 'string', format: 'date-time' },
    resource: closed(['kind', 'name', 'uid'], {
      kind: { type: 'string' },
      namespace: { type: 'string' },
      name: { type: 'string' },
      uid: { type: 'string' },
    }),
    _links: closed(['self'], { self: link, resource: link }),
  },
  'Work that goes on after its request was answered.',
)

export function schemas(): Readonly<Record<string, Schema>> {
  return Object.assign(
    {},
    metaSchemas,
    { MetaPatch: metaPatch(metaSchemas['MetaDraft']!) },
    ...(Object.keys(kinds) as OwnKind[]).map(ownSchemas),
    foreignSchemas(),
    { Fault: problemDetail, Problem: problem, Operation: operation },
  ) as Record<string, Schema>
}
