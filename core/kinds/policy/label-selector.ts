import { Type, type Static } from 'typebox'
import { closed, OneOf } from '../meta.ts'

/** Kubernetes' own (labels and selectors, syntax and character set). */
const key = Type.String({
  minLength: 1,
  maxLength: 317,
  pattern: '^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$',
})
const value = Type.String({ maxLength: 63, pattern: '^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$' })

/** As in Kubernetes (meta/v1): all that is said holds together; what says nothing selects everything. */
export const LabelSelector = Type.Object(
  {
    matchLabels: Type.Optional(Type.Record(Type.String(), value, { maxProperties: 32 })),
    matchExpressions: Type.Optional(
      Type.Array(
        Type.Object(
          {
            key,
            operator: OneOf(['In', 'NotIn', 'Exists', 'DoesNotExist']),
            values: Type.Optional(Type.Array(value, { maxItems: 32, 'x-kubernetes-list-type': 'atomic' })),
          },
          closed,
        ),
        { maxItems: 32, 'x-kubernetes-list-type': 'atomic' },
      ),
    ),
  },
  closed,
)
export type LabelSelector = Static<typeof LabelSelector>
