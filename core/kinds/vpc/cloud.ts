import { Type } from 'typebox'
import { cloudFinalizer } from '../annotations.ts'
import { defineKind } from '../kind.ts'
import { CallbackURL, closed, Name, NamespaceName, OneOf, reportFields } from '../meta.ts'
import { cloudProviders } from './providers.ts'

/** As Nova's own policy has it, before and since its services have a role of their own. */
const eventRoles: readonly string[] = ['admin', 'service']

/** How many Ports are made ahead for each pool: one namespace, one Subnet, one list of security groups (docs/warm-pools.md). */
const WarmPools = Type.Object(
  {
    min: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 1000, default: 0, description: 'of each pool that has been used within the last hour' }),
    ),
    max: Type.Integer({ minimum: 1, maximum: 1000, description: 'of each pool' }),
    reserve: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 100_000, default: 10, description: "of the cloud's quota of ports, so many are left free" }),
    ),
  },
  { ...closed, description: 'Ports made ahead, for pods to come; none when absent' },
)

/** Who may tell of ports, where their cloud tells what it tells Nova (docs/neutron.md). */
const Events = Type.Object(
  {
    roles: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 255 }), {
        minItems: 1,
        maxItems: 16,
        default: eventRoles,
        description: "of the cloud's own: whoever has one of them is heard",
        'x-kubernetes-list-type': 'set',
      }),
    ),
  },
  {
    ...closed,
    description: 'neutron: workers hear what it tells Nova of its ports (os-server-external-events); nobody is heard when absent',
  },
)

const Pools = Type.Object(
  {
    pools: Type.Integer({ description: 'of one namespace, Subnet and list of security groups each' }),
    ready: Type.Integer({ description: 'Ports made ahead that nobody has taken' }),
    making: Type.Integer({ description: 'Ports that are being made ahead' }),
  },
  { ...closed, description: 'as they were within the last half minute' },
)

const Quota = Type.Object(
  {
    used: Type.Integer({ description: 'ports that its project has, of ours and of others, with those that are being made' }),
    limit: Type.Integer({ description: 'that it may have' }),
  },
  { ...closed, description: 'of ports, of the project of `credentials`; absent where there is no limit, or it cannot be asked' },
)

/** Seconds. */
const timeoutMost = 50

export const Cloud = defineKind({
  kind: 'Cloud',
  plural: 'clouds',
  finalizer: cloudFinalizer,
  scope: 'Cluster',
  description: 'A VPC service that is not ours: where it is, and who may make networks in it. Vpcs name it.',
  spec: Type.Object(
    {
      provider: OneOf(cloudProviders, { description: 'what it speaks' }),
      endpoint: Type.String({
        minLength: 1,
        maxLength: 2048,
        description: 'URL of the identity service; of a cloud that asks for no credentials, of the service itself; memory: any name',
      }),
      credentials: Type.Optional({
        ...Name,
        description: "a folder of files in the workers' folder of cloud credentials, in a cluster a mounted Secret",
      }),
      bindingCredentials: Type.Optional({
        ...Name,
        description: 'of who may bind ports to nodes, where those that make ports may not; a folder beside that of credentials',
      }),
      region: Type.Optional(Type.String({ minLength: 1, maxLength: 255, description: "of the cloud's catalogue; any when absent" })),
      interface: Type.Optional(OneOf(['public', 'internal', 'admin'], { description: "of the cloud's catalogue; public when absent" })),
      timeoutSeconds: Type.Optional(
        Type.Integer({
          minimum: 5,
          maximum: timeoutMost,
          description: `how long one request may take; what was asked may land for twice as long, and ends wait for that; ${timeoutMost} when absent`,
        }),
      ),
      hostInterface: Type.Optional(
        Type.String({
          pattern: '^[A-Za-z][A-Za-z0-9_.-]{0,6}\\{portID\\}$',
          description: 'alcor: what its host agents call the interface of a port, cut to 15 characters; `veth{portID}` when absent',
        }),
      ),
      macs: Type.Optional(
        OneOf(['ours', 'cloud'], {
          default: 'ours',
          description:
            'neutron: who chooses the MACs of ports that name none; cloud, where whoever makes ports may not, as in networks that another project shares',
        }),
      ),
      namespaces: Type.Optional(
        Type.Array(NamespaceName, {
          maxItems: 1024,
          description: 'whose Vpcs may name it; those of any namespace when absent',
          'x-kubernetes-list-type': 'set',
        }),
      ),
      warmPools: Type.Optional(WarmPools),
      events: Type.Optional(Events),
      callbackURL: Type.Optional(CallbackURL),
    },
    closed,
  ),
  status: Type.Object({ ...reportFields, pools: Type.Optional(Pools), portQuota: Type.Optional(Quota) }, closed),
  sections: { pools: ['pools'], quota: ['portQuota'] },
  writers: { pools: 'workers', quota: 'workers' },
  immutable: ['provider', 'endpoint'],
  rules: [
    {
      cel: "!has(self.macs) || self.macs == 'ours' || self.provider == 'neutron'",
      message: 'cloud is for neutron: other clouds have their own way',
      at: 'spec.macs',
      holds: ({ macs = 'ours', provider }) => macs === 'ours' || provider === 'neutron',
    },
    {
      cel: "!has(self.events) || (self.provider == 'neutron' && has(self.credentials))",
      message: 'is for neutron with credentials: its Keystone is asked whose the token of an event is',
      at: 'spec.events',
      holds: ({ events, provider, credentials }) => events === undefined || (provider === 'neutron' && credentials !== undefined),
    },
    {
      cel: '!has(self.warmPools) || !has(self.warmPools.min) || self.warmPools.min <= self.warmPools.max',
      message: 'must not be more than max',
      at: 'spec.warmPools.min',
      holds: ({ warmPools }) => warmPools === undefined || (warmPools.min ?? 0) <= warmPools.max,
    },
  ],
  columns: [
    { name: 'Provider', type: 'string', path: '.spec.provider' },
    { name: 'Ahead', type: 'integer', path: '.status.pools.ready' },
    { name: 'Endpoint', type: 'string', path: '.spec.endpoint', wide: true },
  ],
})

/** How long a request to it may take, in milliseconds. */
export const timeoutMsOf = ({ spec }: { readonly spec: { readonly timeoutSeconds?: number } }): number =>
  (spec.timeoutSeconds ?? timeoutMost) * 1_000

/** Who may tell of its ports; undefined: nobody. */
export const eventRolesOf = ({
  spec: { events },
}: {
  readonly spec: { readonly events?: { readonly roles?: readonly string[] } }
}): readonly string[] | undefined => events && (events.roles ?? eventRoles)

/** Whether a namespace's Vpcs may name it. */
export const isFor = (
  { spec: { namespaces } }: { readonly spec: { readonly namespaces?: readonly string[] } },
  namespace: string,
): boolean => namespaces === undefined || namespaces.includes(namespace)
