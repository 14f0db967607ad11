import { Type, type Static } from 'typebox'
import { serviceAddressFinalizer } from '../annotations.ts'
import { defineKind } from '../kind.ts'
import { closed, Name, OneOf, reportFields } from '../meta.ts'

const L4Number = Type.Integer({ minimum: 1, maximum: 65535 })

/** As Kubernetes has them: what a Service's protocols and policies may be. */
export const serviceProtocols = ['TCP', 'UDP', 'SCTP'] as const
export const trafficPolicies = ['Cluster', 'Local'] as const

/** More are left out, and said: nodes have all of them in their kernels. */
export const mostEndpoints = 1000

const ServicePort = Type.Object(
  {
    name: Type.Optional(Type.String({ maxLength: 63 })),
    protocol: OneOf(serviceProtocols),
    port: { ...L4Number, description: 'that clients use' },
  },
  closed,
)

const Endpoint = Type.Object(
  {
    port: { ...Name, 'x-refers-to': 'Port', description: 'in this namespace' },
    node: Type.String({ maxLength: 253 }),
    addresses: Type.Array(Type.String({ maxLength: 45 }), {
      maxItems: 2,
      description: "of the Port, in families that the Service's addresses are of",
      'x-kubernetes-list-type': 'atomic',
    }),
    targetPorts: Type.Array(Type.Integer({ minimum: 0, maximum: 65535 }), {
      maxItems: 100,
      description: 'one for each of ports, in their order; 0: its pod has no such port',
      'x-kubernetes-list-type': 'atomic',
    }),
    state: OneOf(['ready', 'draining'], { description: 'draining: gets no new connections, and keeps those that it has' }),
  },
  closed,
)

export const ServiceAddressSpec = Type.Object(
  {
    subnet: Type.String({ maxLength: 317, 'x-refers-to': 'Subnet', description: 'the pool: namespace/name' }),
    vpc: Type.String({ maxLength: 317, 'x-refers-to': 'Vpc', description: 'namespace/name' }),
    vni: Type.Integer(),
    node: Type.Optional(
      Type.String({
        maxLength: 253,
        description: "no Service's: as from here this node sends on to endpoints of other nodes, where externalTrafficPolicy is Cluster",
      }),
    ),
    addresses: Type.Array(Type.String({ maxLength: 45 }), {
      maxItems: 2,
      description: 'one of a family; each an IPLock of the pool',
      'x-kubernetes-list-type': 'atomic',
    }),
    ports: Type.Array(ServicePort, { maxItems: 100, 'x-kubernetes-list-type': 'atomic' }),
    externalTrafficPolicy: OneOf(trafficPolicies, {
      description: 'of nodes with endpoints; Local: each sends to its own alone, and clients are seen as who they are',
    }),
    sessionAffinity: Type.Optional(
      Type.Object(
        { clientIPSeconds: Type.Integer({ minimum: 1, maximum: 86_400 }) },
        { ...closed, description: 'one client, one endpoint; by connection when absent' },
      ),
    ),
    endpoints: Type.Array(Endpoint, {
      maxItems: mostEndpoints,
      description: 'Ports of the pods that the Service selects, by name',
      'x-kubernetes-list-type': 'atomic',
    }),
  },
  closed,
)
export type ServiceAddressSpec = Static<typeof ServiceAddressSpec>

export const ServiceAddress = defineKind({
  kind: 'ServiceAddress',
  plural: 'serviceaddresses',
  shortNames: ['sva'],
  finalizer: serviceAddressFinalizer,
  internal: true,
  description:
    'Where clients reach one Service of type LoadBalancer, and which Ports serve it; it has the name of the Service, or names a node.',
  spec: ServiceAddressSpec,
  status: Type.Object(
    {
      ...reportFields,
      announcing: Type.Optional(
        Type.Array(Type.String({ maxLength: 253 }), {
          description: 'nodes that tell others by BGP that they have the addresses',
          'x-kubernetes-list-type': 'set',
        }),
      ),
    },
    closed,
  ),
  sections: { announcement: ['announcing'] },
  writers: { announcement: 'workers' },
  selectable: ['.spec.vni'],
  immutable: ['subnet', 'vpc', 'vni', 'node'],
  columns: [
    { name: 'Addresses', type: 'string', path: '.spec.addresses' },
    { name: 'Pool', type: 'string', path: '.spec.subnet' },
    { name: 'VNI', type: 'integer', path: '.spec.vni', wide: true },
  ],
})
