// The metadata of objects as schemas; core/kinds/meta.ts has it as types, and test/openapi holds the two equal.
import type { Schema } from './render.ts'

const text: Schema = { type: 'string' }
const texts: Schema = { type: 'object', additionalProperties: text }
const time: Schema = { type: 'string', format: 'date-time' }

const owner: Schema = {
  type: 'object',
  required: ['apiVersion', 'kind', 'name', 'uid'],
  properties: {
    apiVersion: text,
    kind: text,
    name: text,
    uid: text,
    controller: { type: 'boolean' },
    blockOwnerDeletion: { type: 'boolean' },
  },
  additionalProperties: false,
}

const properties = {
  name: { type: 'string', maxLength: 253 },
  namespace: { type: 'string', maxLength: 63, description: 'absent for cluster kinds' },
  generateName: { type: 'string', description: 'in place of a name: five characters are put behind it' },
  uid: text,
  resourceVersion: { type: 'string', description: 'opaque; also the ETag, in quotes' },
  generation: { type: 'integer', description: 'counts changes of the spec' },
  creationTimestamp: time,
  deletionTimestamp: { ...time, description: 'set while finalizers keep it' },
  deletionGracePeriodSeconds: { type: 'integer', description: 'as an API server says it of what is being deleted' },
  finalizers: { type: 'array', items: text },
  labels: texts,
  annotations: texts,
  ownerReferences: { type: 'array', items: { $ref: '#/components/schemas/OwnerReference' } },
}

export const metaSchemas: Readonly<Record<string, Schema>> = {
  OwnerReference: owner,
  Meta: {
    type: 'object',
    required: ['name', 'uid', 'resourceVersion', 'generation', 'creationTimestamp'],
    properties,
    additionalProperties: false,
  },
  MetaDraft: {
    type: 'object',
    description: 'name or generateName; what only we set is not looked at',
    properties,
    additionalProperties: false,
  },
  ListMeta: {
    type: 'object',
    required: ['resourceVersion'],
    properties: {
      resourceVersion: { type: 'string', description: 'where a watch goes on from' },
      continue: { type: 'string', description: 'opaque; gets the next page' },
    },
    additionalProperties: false,
  },
}
