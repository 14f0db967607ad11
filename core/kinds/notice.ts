import { Type } from 'typebox'
import { defineKind } from './kind.ts'
import { closed, Holder, OneOf, phases, reportFields } from './meta.ts'

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
      callbackURL: Type.String(),
      object: Type.Unknown({ description: 'the whole object as it is about to be', type: 'object', 'x-kubernetes-preserve-unknown-fields': true }),
    },
    closed,
  ),
  status: Type.Object(reportFields, closed),
  immutable: ['of', 'sequence'],
  internal: true,
  columns: [
    { name: 'Of', type: 'string', path: '.spec.of.name' },
    { name: 'Sequence', type: 'integer', path: '.spec.sequence' },
    { name: 'Notice-Phase', type: 'string', path: '.spec.phase' },
  ],
})
