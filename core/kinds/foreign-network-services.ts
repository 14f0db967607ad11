// Network Service Mesh's kinds (networkservicemesh.io/v1), as schemas: the messages of its registry (networkservicemesh/api:
// pkg/api/registry/registry.proto) as Go's encoding/json writes them, which is what an API server holds of them
// (networkservicemesh/sdk-k8s:pkg/tools/k8s/apis/networkservicemesh.io/v1/types.go, read 2026-11-30).
import { Type, type Static } from 'typebox'
import { isObject, type Json } from '../json.ts'
import { closed } from './meta.ts'

/** A client's labels are no labels of Kubernetes: a selector's value may be a template. */
const Labels = Type.Record(Type.String(), Type.String({ maxLength: 1024 }), { maxProperties: 64 })
const name = Type.Optional(
  Type.String({
    maxLength: 253,
    pattern: '^([A-Za-z0-9]([-A-Za-z0-9._@]*[A-Za-z0-9])?)?$',
    description: "the object's own name when absent or empty",
  }),
)
/** google.protobuf.Timestamp. */
const Timestamp = Type.Object(
  {
    seconds: Type.Optional(Type.Integer({ minimum: 0, maximum: 253_402_300_799 })),
    nanos: Type.Optional(Type.Integer({ minimum: 0, maximum: 999_999_999 })),
  },
  closed,
)
const pathIds = Type.Optional(
  Type.Array(Type.String({ maxLength: 2048 }), { maxItems: 32, description: 'SPIFFE IDs of those whose hands it went through' }),
)

const Destination = Type.Object(
  {
    destination_selector: Type.Optional(Labels),
    weight: Type.Optional(Type.Integer({ minimum: 0, maximum: 4_294_967_295, description: 'said, and not looked at, by NSM and by us' })),
  },
  closed,
)
const Match = Type.Object(
  {
    source_selector: Type.Optional(Labels),
    routes: Type.Optional(Type.Array(Destination, { maxItems: 64 })),
    fallthrough: Type.Optional(Type.Boolean()),
    metadata: Type.Optional(Type.Object({ labels: Type.Optional(Labels) }, closed)),
  },
  closed,
)

export const nsmSpecs = {
  NetworkService: Type.Object(
    {
      name,
      payload: Type.Optional(Type.String({ enum: ['', 'IP', 'ETHERNET'], description: 'IP when absent or empty' })),
      matches: Type.Optional(Type.Array(Match, { maxItems: 64, description: "in order: the first whose selector fits a client's labels" })),
      path_ids: pathIds,
    },
    closed,
  ),
  NetworkServiceEndpoint: Type.Object(
    {
      name,
      network_service_names: Type.Optional(
        Type.Array(Type.String({ minLength: 1, maxLength: 253, pattern: '^[A-Za-z0-9]([-A-Za-z0-9._@]*[A-Za-z0-9])?$' }), {
          maxItems: 64,
          description: 'which it serves',
        }),
      ),
      network_service_labels: Type.Optional(
        Type.Record(Type.String(), Type.Object({ labels: Type.Optional(Labels) }, closed), {
          maxProperties: 64,
          description: 'its labels, by the name of the service that they are for',
        }),
      ),
      url: Type.Optional(
        Type.String({ maxLength: 2048, pattern: '^([a-z][a-z0-9+.-]*://[^\\s]+)?$', description: 'such as tcp://192.0.2.7:5001' }),
      ),
      expiration_time: Type.Optional(Timestamp),
      initial_registration_time: Type.Optional(Timestamp),
      path_ids: pathIds,
    },
    closed,
  ),
} as const

export type NsmKind = keyof typeof nsmSpecs
export type NsmSpec<K extends NsmKind> = Static<(typeof nsmSpecs)[K]>
export const nsmKinds = Object.keys(nsmSpecs) as readonly NsmKind[]
export const isNsmKind = (kind: string): kind is NsmKind => Object.hasOwn(nsmSpecs, kind)

/** Manifests of NSM write `source_selector:` with nothing behind it: what is null is absent. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((each) => each !== null).map(withoutNulls)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).flatMap(([field, each]) => (each === null ? [] : [[field, withoutNulls(each)]])))
}

type Schema = Readonly<Record<string, unknown>>

/** What fits nobody: a match of every client, without routes. */
const closedSpecs: { readonly [K in NsmKind]: NsmSpec<K> } = { NetworkService: { matches: [{}] }, NetworkServiceEndpoint: {} }

/**
 * A spec as an API server keeps it: NSM's own CRDs have no schema, and our admission may not have been asked. Fields that are not known
 * are left out, and one that is not of its type makes the whole such that nobody is led anywhere by it: a selector with a part left out
 * would fit more than was meant.
 */
export const readNsmSpec = <K extends NsmKind>(kind: K, spec: unknown): NsmSpec<K> =>
  (shaped(nsmSpecs[kind] as unknown as Schema, withoutNulls(spec ?? {})) as NsmSpec<K> | undefined) ?? closedSpecs[kind]

/** Lengths and patterns are admission's. Undefined: not of that type. */
function shaped(schema: Schema, value: unknown): unknown {
  switch (schema.type) {
    case 'array':
      return Array.isArray(value) ? whole(value.map((each) => shaped(schema.items as Schema, each))) : undefined
    case 'object':
      return isObject(value) ? shapedObject(schema, value) : undefined
    case 'integer':
      return Number.isSafeInteger(value) ? value : undefined
    default:
      return typeof value === schema.type ? value : undefined
  }
}

const whole = (items: readonly unknown[]): readonly unknown[] | undefined => (items.includes(undefined) ? undefined : items)

function shapedObject({ properties = {}, patternProperties = {} }: Schema, value: Json): Json | undefined {
  const every = Object.values(patternProperties as Readonly<Record<string, Schema>>)[0]
  const known = Object.entries(value).flatMap(([field, each]): [string, unknown][] => {
    const schema = Object.hasOwn(properties as object, field) ? (properties as Readonly<Record<string, Schema>>)[field] : every
    return schema === undefined ? [] : [[field, shaped(schema, each)]]
  })
  return known.some(([, each]) => each === undefined) ? undefined : Object.fromEntries(known)
}
