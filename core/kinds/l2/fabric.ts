import { Type, type Static } from 'typebox'
import { switchesFinalizer } from '../annotations.ts'
import { defineKind } from '../kind.ts'
import { CallbackURL, closed, Name, NamespaceName, OneOf, reportFields } from '../meta.ts'

/** A line of workers/drivers/fabric/index.ts each. */
export const fabricDrivers = ['ovsdb', 'gnmi', 'neutron-trunk', 'memory'] as const

/** Those that make VRFs. */
const vrfDrivers: readonly (typeof fabricDrivers)[number][] = ['gnmi', 'memory']
export const makesVrfs = (driver: string): boolean => vrfDrivers.some((each) => each === driver)

const switchPort = Type.String({ minLength: 1, maxLength: 253 })
const fabricSwitch = Type.Object(
  {
    name: Name,
    driver: OneOf(fabricDrivers),
    address: Type.String({
      minLength: 1,
      maxLength: 2048,
      description: 'ovsdb: tcp:192.0.2.1:6640, ssl:… or unix:/path; gnmi: 192.0.2.1:9339; neutron-trunk: the URL of the networking API',
    }),
    credentials: Type.Optional({
      ...Name,
      description:
        "a folder of files in the workers' credentials folder, in a cluster a mounted Secret: username, password, ca.crt, tls.crt, tls.key",
    }),
    plaintext: Type.Optional(Type.Boolean({ description: 'gnmi: no TLS' })),
    bridge: Type.Optional(
      Type.String({ minLength: 1, maxLength: 253, description: 'ovsdb: only ports of this bridge; any of the switch when absent' }),
    ),
    networkInstance: Type.Optional(Type.String({ minLength: 1, maxLength: 253, description: 'gnmi: whose VLANs; `default` when absent' })),
    physicalNetwork: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'neutron-trunk: the provider:physical_network whose VLANs are meant; needed where networks of two have one number',
      }),
    ),
    identity: Type.Optional(
      Type.Object(
        {
          url: Type.String({ minLength: 1, maxLength: 2048 }),
          project: Type.String({ minLength: 1, maxLength: 255 }),
          domain: Type.Optional(Type.String({ minLength: 1, maxLength: 255, description: '`Default` when absent' })),
        },
        { ...closed, description: 'neutron-trunk: where tokens come from (Keystone v3)' },
      ),
    ),
    onUnrestricted: Type.Optional(
      OneOf(['restrict', 'refuse'], {
        default: 'restrict',
        description:
          'what to do with a port that carries every VLAN (an empty trunk list): restrict it to those that are wanted, or refuse to touch it',
      }),
    ),
  },
  closed,
)
export type FabricSwitch = Static<typeof fabricSwitch>

const link = Type.Object(
  {
    node: { ...Name, 'x-refers-to': 'Node' },
    interface: Type.String({ minLength: 1, maxLength: 63 }),
    switch: Name,
    switchPort,
  },
  closed,
)
/** As routers take it: without spaces, and without what would end it in a path. */
export const VrfName = Type.String({ minLength: 1, maxLength: 63, pattern: '^[A-Za-z0-9][A-Za-z0-9_.:-]*$' })
const vrf = Type.Object(
  {
    name: VrfName,
    namespaces: Type.Array(NamespaceName, {
      minItems: 1,
      maxItems: 1024,
      description: 'whose L2Services may name it',
      'x-kubernetes-list-type': 'set',
    }),
  },
  closed,
)
const router = Type.Object(
  {
    switch: { ...Name, description: 'its name among the switches, of driver gnmi' },
    port: { ...switchPort, description: 'of the router: where it is plugged into switchPort; VLANs are subinterfaces of it' },
    vrfs: Type.Array(vrf, {
      minItems: 1,
      maxItems: 256,
      description: 'made by Megrez while an L2Service is in them; one of the same name that is there already is left alone and refused',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
    }),
  },
  { ...closed, description: 'the gateway itself, where its VRFs are ours to make' },
)
const gateway = Type.Object(
  {
    physicalNetwork: Name,
    switch: Name,
    switchPort,
    router: Type.Optional(router),
  },
  closed,
)
export type FabricGateway = Static<typeof gateway>
export type GatewayRouter = Static<typeof router>

export const Fabric = defineKind({
  kind: 'Fabric',
  plural: 'fabrics',
  finalizer: switchesFinalizer,
  shortNames: ['fab'],
  scope: 'Cluster',
  description: 'The switches of a data centre that are ours to configure, and what is plugged in where.',
  spec: Type.Object(
    {
      switches: Type.Array(fabricSwitch, { maxItems: 512, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] }),
      links: Type.Optional(
        Type.Array(link, {
          maxItems: 16384,
          description: 'which interface of which node is on which switch port',
          'x-kubernetes-list-type': 'atomic',
        }),
      ),
      gateways: Type.Optional(
        Type.Array(gateway, {
          maxItems: 256,
          description: 'the switch ports that face the data-centre gateway, by physical network',
          'x-kubernetes-list-type': 'atomic',
        }),
      ),
      dryRun: Type.Optional(Type.Boolean({ description: 'say what would be opened and closed, and change nothing' })),
      callbackURL: Type.Optional(CallbackURL),
    },
    closed,
  ),
  status: Type.Object(
    {
      ...reportFields,
      switches: Type.Optional(
        Type.Array(
          Type.Object(
            {
              name: Type.String(),
              state: OneOf(['reachable', 'unreachable']),
              message: Type.Optional(Type.String()),
              missing: Type.Optional(Type.Integer({ description: 'VLANs that should be open and are not' })),
              dangling: Type.Optional(Type.Integer({ description: 'VLANs of ours that nobody wants' })),
              wrong: Type.Optional(Type.Integer({ description: 'ports in a state that VLANs cannot be opened in' })),
              foreign: Type.Optional(Type.Integer({ description: 'VLANs that others have opened: left alone' })),
            },
            closed,
          ),
          { 'x-kubernetes-list-type': 'atomic' },
        ),
      ),
    },
    closed,
  ),
  sections: { audit: ['switches'] },
  writers: { audit: 'workers' },
  // That links and gateways name a switch of this Fabric is asked in core/admit/object/by-view.ts: in CEL it would be far beyond an API
  // server's budget.
})
