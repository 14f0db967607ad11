import { Type, type Static } from 'typebox'
import { defineKind } from '../kind.ts'
import { closed, Name, reportFields } from '../meta.ts'

/** Whom clients had before, latest last: more are forgotten. */
export const movesMost = 8

/** In place of the name of a SecurityGroup, of a client that has no endpoint: none is called so, and nothing passes. */
export const noEndpoint = '(no endpoint)'
export const isNoEndpoint = (group: string): boolean => group.endsWith(`/${noEndpoint}`)

/** A client's labels, or an endpoint's: by them an endpoint is chosen. */
export const ServiceLabels = Type.Record(Type.String({ maxLength: 253 }), Type.String({ maxLength: 1024 }), { maxProperties: 64 })

const endpointKey = Type.String({ description: 'the NetworkServiceEndpoint, as namespace/name' })

const Move = Type.Object(
  {
    time: Type.String({ format: 'date-time' }),
    from: Type.Optional(Type.String({ description: 'absent: it had none' })),
    to: Type.Optional(Type.String({ description: 'absent: there was none' })),
    reason: Type.String({ description: 'why: CamelCase' }),
  },
  closed,
)
export type Move = Static<typeof Move>

export const Connection = defineKind({
  kind: 'Connection',
  plural: 'connections',
  shortNames: ['cxn'],
  internal: true,
  description: 'A pod that is a client of a NetworkService, and the endpoint that it has; it has the name of the Port of its NIC.',
  spec: Type.Object(
    {
      networkService: Type.String({ maxLength: 507, description: 'namespace/name' }),
      port: { ...Name, 'x-refers-to': 'Port', description: "the client's, in this namespace" },
      portUID: Type.String(),
      labels: Type.Optional(ServiceLabels),
    },
    closed,
  ),
  status: Type.Object(
    {
      ...reportFields,
      endpoint: Type.Optional(endpointKey),
      endpointPort: Type.Optional(Type.String({ 'x-refers-to': 'Port', description: 'namespace/name' })),
      addresses: Type.Optional(
        Type.Array(Type.String(), { description: 'that the client reaches it at', 'x-kubernetes-list-type': 'atomic' }),
      ),
      moves: Type.Optional(
        Type.Array(Move, {
          maxItems: movesMost,
          description: 'from endpoint to endpoint, latest last',
          'x-kubernetes-list-type': 'atomic',
        }),
      ),
    },
    closed,
  ),
  sections: { endpoint: ['endpoint', 'endpointPort', 'addresses', 'moves'] },
  writers: { endpoint: 'workers' },
  selectable: ['.spec.networkService', '.spec.port'],
  immutable: ['networkService', 'port', 'portUID', 'labels'],
  columns: [
    { name: 'Service', type: 'string', path: '.spec.networkService' },
    { name: 'Endpoint', type: 'string', path: '.status.endpoint' },
    { name: 'Addresses', type: 'string', path: '.status.addresses' },
  ],
})
