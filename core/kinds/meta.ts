// What every object has: names, phases, conditions, and the report that is written about it.
import { Type, type Static } from 'typebox'

export const group = 'megrez.io'
export const version = 'v1alpha1'
export const apiVersion = `${group}/${version}`

export const phases = ['pending', 'ready', 'error', 'terminating', 'deleted'] as const
export type Phase = (typeof phases)[number]

export interface OwnerReference {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly uid: string
  readonly controller?: boolean
  readonly blockOwnerDeletion?: boolean
}

export interface Meta {
  readonly name: string
  /** Absent for cluster kinds. */
  readonly namespace?: string
  readonly generateName?: string
  readonly uid: string
  readonly resourceVersion: string
  /** Counts changes of the spec. */
  readonly generation: number
  readonly creationTimestamp: string
  readonly deletionTimestamp?: string
  /** Of an API server, beside the former. */
  readonly deletionGracePeriodSeconds?: number
  readonly finalizers?: readonly string[]
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
  readonly ownerReferences?: readonly OwnerReference[]
}

/** One of several words. An enum with a type: CRD schemas take neither const nor anyOf of literals. */
export const OneOf = <const V extends readonly string[]>(values: V, more: { default?: V[number]; description?: string } = {}) =>
  Type.Unsafe<V[number]>({ type: 'string', enum: [...values], ...more })

/** Optional fields are left out, never null: an object is compared, stored and signed as its JSON text. */
const closed = { additionalProperties: false } as const

export const Name = Type.String({ minLength: 1, maxLength: 253, pattern: '^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$' })
export const NamespaceName = Type.String({ minLength: 1, maxLength: 63, pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$' })
/** `name`, or `namespace/name` where the Vpc is shared with the namespace that refers to it. */
export const Reference = Type.String({
  minLength: 1,
  maxLength: 317,
  pattern: '^([a-z0-9]([-a-z0-9]*[a-z0-9])?/)?[a-z0-9]([-a-z0-9.]*[a-z0-9])?$',
})
export const CallbackURL = Type.String({
  maxLength: 2048,
  pattern: '^https?://',
  description: 'receives the whole object as JSON on each change of phase',
})

/** An object that is referred to across namespaces: by UID too, so that a successor of the same name is not meant. */
export const Holder = Type.Object(
  {
    kind: Type.String(),
    namespace: Type.Optional(Type.String()),
    name: Type.String(),
    uid: Type.String(),
  },
  closed,
)
export type Holder = Static<typeof Holder>

export const Condition = Type.Object(
  {
    type: Type.String(),
    status: OneOf(['True', 'False', 'Unknown']),
    reason: Type.String(),
    message: Type.String(),
    observedGeneration: Type.Optional(Type.Integer()),
    lastTransitionTime: Type.String({ format: 'date-time' }),
  },
  closed,
)
export type Condition = Static<typeof Condition>

/** What tells whether an object is ready, and why; undefined: nobody has looked at it yet. */
export const readyCondition = <C extends Pick<Condition, 'type'>>(conditions: readonly C[] | undefined): C | undefined =>
  conditions?.find(({ type }) => type === 'Ready')

export const Transition = Type.Object(
  {
    sequence: Type.Integer(),
    time: Type.String({ format: 'date-time' }),
    phase: OneOf(phases),
    reason: Type.String(),
  },
  closed,
)
export type Transition = Static<typeof Transition>

/** The status section `report`, the same for every kind; written by the workers alone. */
export const reportFields = {
  phase: Type.Optional(OneOf(phases)),
  message: Type.Optional(Type.String()),
  observedGeneration: Type.Optional(Type.Integer()),
  sequence: Type.Optional(
    Type.Integer({
      description: 'counts the changes of phase, and where a Subscription asks for changes: all also others; names the notice of each',
    }),
  ),
  conditions: Type.Optional(Type.Array(Condition, { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['type'] })),
  told: Type.Optional(Type.String({ description: 'of what was last told, where a Subscription asks for changes: all' })),
  asked: Type.Optional(
    Type.String({
      description:
        'the resourceVersion of the Subscription that was the last to begin to be told of this object: no report that was planned before that lands',
    }),
  ),
  timeline: Type.Optional(Type.Array(Transition, { maxItems: 16, description: 'the latest changes of phase, oldest first' })),
}
export const ReportStatus = Type.Object(reportFields, closed)
export type Report = Static<typeof ReportStatus>
export const reportSection = ['phase', 'message', 'observedGeneration', 'sequence', 'conditions', 'told', 'asked', 'timeline'] as const

export { closed }
