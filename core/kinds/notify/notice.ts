import { Type } from 'typebox'
import { defineKind } from '../kind.ts'
import { closed, Holder, OneOf, phases, reportFields } from '../meta.ts'

export const Notice = defineKind({
  kind: 'Notice',
  plural: 'notices',
  description: 'One change of phase that somebody asked to be told: the outbox, kept until it is acknowledged.',
  spec: Type.Object(
    {
      of: Holder,
      sequence: Type.Integer({ minimum: 1 }),
      phase: OneOf(phases),
      time: Type.String({ format: 'date-time' }),
      callbackURL: Type.Optional(Type.String({ description: "the object's own; absent: only Subscriptions are told" })),
      subscriptions: Type.Optional(
        Type.Array(Type.String(), { description: 'UIDs of those that are to be told', 'x-kubernetes-list-type': 'atomic' }),
      ),
      keepUntil: Type.Optional(Type.String({ format: 'date-time', description: 'kept for pulling and replay until then' })),
      object: Type.Unknown({
        description: 'the whole object as it is about to be',
        type: 'object',
        'x-kubernetes-preserve-unknown-fields': true,
      }),
    },
    closed,
  ),
  status: Type.Object(
    {
      ...reportFields,
      taken: Type.Optional(
        Type.Array(Type.String(), {
          description: 'who has acknowledged it: UIDs of Subscriptions, and callback',
          'x-kubernetes-list-type': 'atomic',
        }),
      ),
      filed: Type.Optional(Type.String({ description: 'its resourceVersion before the first acknowledgement: its place among events' })),
    },
    closed,
  ),
  sections: { acknowledgement: ['taken', 'filed'] },
  writers: { acknowledgement: 'workers' },
  immutable: ['of', 'sequence'],
  internal: true,
  columns: [
    { name: 'Of', type: 'string', path: '.spec.of.name' },
    { name: 'Sequence', type: 'integer', path: '.spec.sequence' },
    { name: 'Notice-Phase', type: 'string', path: '.spec.phase' },
  ],
})
