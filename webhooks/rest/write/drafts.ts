// From a body to an object that may be stored: what the address says is filled in, and everything else is judged.
import { finalizersFor } from '../../../core/admit/object/finalizers.ts'
import { isObject, type Json } from '../../../core/json.ts'
import { schemaValidator, type SchemaValidator } from '../../../core/admit/object/schema-validator.ts'
import type { JsonSchema } from '../../../core/admit/object/strict.ts'
import { foreignPolicySpecs, type ForeignPolicy } from '../../../core/kinds/foreign-policies.ts'
import { isNsmKind, withoutNulls as cleaned } from '../../../core/kinds/foreign-network-services.ts'
import { checkMetadata } from '../../../core/admit/object/metadata.ts'
import type { Problem } from '../../../core/admit/problem.ts'
import { judge } from '../../../core/admit/object/rules.ts'
import { nsmProblems } from '../../../core/admit/nsm/specs.ts'
import { pointerTo } from '../../../core/admit/refusal.ts'
import { check, withDefaults } from '../../../core/admit/object/schema.ts'
import type { Draft } from '../../../core/contracts/store.ts'
import { apiVersionOf, isOwnKind, scopeOf, type Kind, type Resource } from '../../../core/kinds/index.ts'
import type { Meta } from '../../../core/kinds/meta.ts'
import { sameJson } from '../../../core/same-json.ts'
import { InvalidObject } from '../invalid-object.ts'

/** What an address says of the object that is sent to it. */
export interface ObjectAddress {
  readonly kind: Kind
  readonly namespace: string | undefined
  /** Absent where a new object is posted. */
  readonly name?: string
}

/** What the address says and the body may leave out. @throws Refused where the body says something else */
export function withAddress(body: Json, { kind, namespace, name }: ObjectAddress): Json {
  const metadata = isObject(body['metadata']) ? body['metadata'] : {}
  const problems = [
    ...differs('/metadata/namespace', metadata['namespace'], namespace),
    ...differs('/metadata/name', metadata['name'], name),
  ]
  if (problems.length > 0) throw new InvalidObject(problems)
  if (body['metadata'] !== undefined && !isObject(body['metadata']))
    throw new InvalidObject([{ at: '/metadata', message: 'must be an object' }])
  return {
    ...body,
    apiVersion: body['apiVersion'] ?? apiVersionOf(kind),
    kind: body['kind'] ?? kind,
    metadata: { ...metadata, ...(namespace !== undefined && { namespace }), ...(name !== undefined && { name }) },
  }
}

const differs = (at: string, inBody: unknown, address: string | undefined): Problem[] =>
  inBody === undefined || inBody === null || address === undefined || inBody === address
    ? []
    : [{ at, message: `must be ${address}, as the address has it, or absent` }]

/** The object with defaults. @throws Refused with every fault that schema, metadata and rules find */
export function validObject<K extends Kind>(kind: K, given: Json, old?: Resource<K>): Resource<K> {
  const object = isOwnKind(kind) ? withDefaults(kind, given) : withSpec(kind, withoutNulls(given))
  const problems = isOwnKind(kind) ? check(kind, object) : foreignProblems(kind, object)
  if (problems.length > 0) throw new InvalidObject(problems)
  const found = object as unknown as Resource<K>
  const broken = isOwnKind(kind) ? judge(kind, found, old) : []
  if (broken.length > 0) throw new InvalidObject(broken)
  return found
}

const foreignTops = ['apiVersion', 'kind', 'metadata', 'spec', 'status']

/** As much of Kubernetes' own kinds as we answer for. */
function foreignProblems(kind: Kind, object: Json): Problem[] {
  const problems: Problem[] = []
  if (object['apiVersion'] !== apiVersionOf(kind)) problems.push({ at: '/apiVersion', message: `must be ${apiVersionOf(kind)}` })
  if (object['kind'] !== kind) problems.push({ at: '/kind', message: `must be ${kind}` })
  for (const field of Object.keys(object))
    if (!foreignTops.includes(field)) problems.push({ at: `/${field}`, message: `is not a field of ${kind}` })
  if (!isObject(object['spec'])) problems.push({ at: '/spec', message: object['spec'] === undefined ? 'is required' : 'must be an object' })
  const spec = object['spec']
  return [
    ...problems,
    ...checkMetadata(object['metadata'], scopeOf(kind) === 'Cluster'),
    ...(isObject(spec) ? (specProblems[kind]?.(spec) ?? []) : []),
  ]
}

const specProblems: { readonly [K in Kind]?: (spec: Json) => Problem[] } = {
  Pod: podProblems,
  NetworkAttachmentDefinition: definitionProblems,
  NetworkPolicy: bySchema('NetworkPolicy'),
  AdminNetworkPolicy: bySchema('AdminNetworkPolicy'),
  BaselineAdminNetworkPolicy: bySchema('BaselineAdminNetworkPolicy'),
  ClusterNetworkPolicy: bySchema('ClusterNetworkPolicy'),
  NetworkService: (spec) => [...nsmProblems('NetworkService', spec)],
  NetworkServiceEndpoint: (spec) => [...nsmProblems('NetworkServiceEndpoint', spec)],
}

/** Compiled once it is needed. */
function bySchema(kind: ForeignPolicy): (spec: Json) => Problem[] {
  let validator: SchemaValidator | undefined
  return (spec) => [...(validator ??= schemaValidator(foreignPolicySpecs[kind] as unknown as JsonSchema)).problems(spec, '/spec')]
}

/** Of what Megrez reads itself; whatever else a pod says is kubelet's. */
function podProblems({ containers, nodeName, hostNetwork }: Json): Problem[] {
  const problems: Problem[] = []
  if (!Array.isArray(containers) || containers.length === 0)
    problems.push({ at: '/spec/containers', message: 'must be a list of at least one container' })
  if (nodeName !== undefined && typeof nodeName !== 'string')
    problems.push({ at: '/spec/nodeName', message: 'must be a string: the name of a Node' })
  if (hostNetwork !== undefined && typeof hostNetwork !== 'boolean')
    problems.push({ at: '/spec/hostNetwork', message: 'must be true or false' })
  return problems
}

/** As its own CustomResourceDefinition has it, read strictly. */
function definitionProblems({ config, ...others }: Json): Problem[] {
  const problems = Object.keys(others).map((field) => ({
    at: pointerTo('spec', field),
    message: 'is not a field of NetworkAttachmentDefinition; its only one is config',
  }))
  if (config !== undefined && typeof config !== 'string')
    problems.push({ at: '/spec/config', message: 'must be a string: the configuration of a plugin, as JSON text' })
  return problems
}

/** A Namespace or Node may say nothing about itself; manifests of NSM have nulls. */
const withSpec = (kind: Kind, object: Json): Json =>
  object['spec'] === undefined && kind !== 'Pod'
    ? { ...object, spec: {} }
    : isNsmKind(kind)
      ? { ...object, spec: cleaned(object['spec']) }
      : object

function withoutNulls(object: Json): Json {
  const { metadata } = object
  if (!isObject(metadata) || !Object.values(metadata).includes(null)) return object
  return { ...object, metadata: Object.fromEntries(Object.entries(metadata).filter(([, value]) => value !== null)) }
}

/** A new object's metadata: what its maker may say. Everything else is the store's to say. */
export function draftOf<K extends Kind>(kind: K, object: Resource<K>): Draft<K> {
  const {
    name,
    namespace,
    generateName,
    labels,
    annotations,
    ownerReferences,
    finalizers = [],
    resourceVersion,
  } = object.metadata as Partial<Meta>
  if (resourceVersion !== undefined && resourceVersion !== '')
    throw new InvalidObject([{ at: '/metadata/resourceVersion', message: 'must be absent: a new object has none' }])
  const born = [...new Set([...finalizers, ...finalizersFor(kind, object)])]
  const metadata = {
    name: name ?? '',
    ...present({ generateName, namespace, labels, annotations, ownerReferences, finalizers: born.length > 0 ? born : undefined }),
  }
  return { kind, metadata, spec: object.spec }
}

type Present<T> = { readonly [F in keyof T]?: Exclude<T[F], undefined> }
const present = <T extends object>(fields: T): Present<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Present<T>

/** What a client may send back as it has read it, and may not change. */
const fixed = ['uid', 'generation', 'creationTimestamp', 'deletionTimestamp', 'generateName'] as const

/**
 * An object as it is to be: spec, labels, annotations and owners as given, all else as stored. That If-Match holds is settled: a client
 * that has read it before somebody reported how it does sends what was so then.
 */
export function replacement<K extends Kind>(current: Resource<K>, given: Resource<K>): Resource<K> {
  const { resourceVersion = current.metadata.resourceVersion } = given.metadata
  const kept = resourceVersion === current.metadata.resourceVersion ? [...fixed, 'finalizers' as const] : fixed
  const problems = kept
    .filter((field) => given.metadata[field] !== undefined && !sameJson(given.metadata[field], current.metadata[field]))
    .map((field) => ({ at: `/metadata/${field}`, message: 'cannot be changed here' }))
  if (problems.length > 0) throw new InvalidObject(problems)
  const { labels, annotations, ownerReferences } = given.metadata
  const { labels: _l, annotations: _a, ownerReferences: _o, ...ours } = current.metadata
  return { ...current, metadata: { ...ours, ...present({ labels, annotations, ownerReferences }) }, spec: given.spec }
}
