import { Type, type Static } from 'typebox'
import { isPlainMac, macPattern } from '../../net/mac.ts'
import { parsePlainCidr } from '../../net/cidr.ts'
import { parsePlainIp } from '../../net/ip.ts'
import { arePlainBlocks, BlockText, routedBlocksOfPortMost } from './routed-blocks.ts'
import { portFinalizer } from '../annotations.ts'
import { atProvider, atProviderFields, Vif } from './at-provider.ts'
import { defineKind } from '../kind.ts'
import { segmentFields, segmentStatus } from './segment.ts'
import { ServiceLabels } from '../services/connection.ts'
import { CallbackURL, closed, Condition, OneOf, Reference, reportFields } from '../meta.ts'

/** What a pod, a VM or a program has of a Port: an interface of the kernel, a socket, or a TAP on the node that a hypervisor opens. */
export const portTypes = ['kernel', 'dpdk', 'tap'] as const
export type PortType = (typeof portTypes)[number]

/** 0 is root, who needs no leave; (uint32) -1 is nobody. */
export const [ownerMin, ownerMax] = [1, 4_294_967_294]
const ownerID = (description: string) => Type.Optional(Type.Integer({ minimum: ownerMin, maximum: ownerMax, description }))
const Tap = Type.Object(
  {
    uid: ownerID('of a user of the node who may open it without CAP_NET_ADMIN'),
    gid: ownerID('of a group whose members may; with uid, that user alone, where in that group'),
    multiQueue: Type.Optional(Type.Boolean({ description: 'a hypervisor may open several queues of it' })),
  },
  { ...closed, description: 'of a TAP: who may open it, and how' },
)
export type TapUse = Static<typeof Tap>

const address = Type.String({ minLength: 2, maxLength: 45 })
const mac = Type.String({ minLength: 17, maxLength: 17 })

/** Who uses the Port. `until` makes it a reservation of admission: it lapses unless a worker confirms it. */
export const Claim = Type.Object(
  {
    pod: Type.String({ 'x-refers-to': 'Pod', description: "name of the pod, in the Port's namespace" }),
    nic: Type.String({ description: "which of the pod's Nics" }),
    owner: Type.String({ description: "Kind/name of the pod's controller, else Pod/name: may take over an unbound reservation" }),
    podUID: Type.String(),
    until: Type.Optional(Type.String({ format: 'date-time' })),
  },
  closed,
)
export type Claim = Static<typeof Claim>

/** What a program that was run for a Port came to (KOS). A negative exitStatus: it never really ran. */
const ExecReport = Type.Object(
  {
    command: Type.Array(Type.String(), { 'x-kubernetes-list-type': 'atomic' }),
    exitStatus: Type.Integer(),
    startTime: Type.String({ format: 'date-time' }),
    stopTime: Type.String({ format: 'date-time' }),
    stdOut: Type.String(),
    stdErr: Type.String(),
  },
  closed,
)

const other = Type.Object({ name: Type.String(), uid: Type.String() }, closed)

/** Written by Megrez alone: by it a Port is one of a pool (docs/warm-pools.md). */
const Warm = Type.Object(
  {
    for: Type.Optional({ ...other, description: 'the Port of its namespace that its port at the cloud is kept for' }),
    after: Type.Optional(
      Type.Object(
        { uid: Type.String(), came: Type.String({ description: 'when it was created' }) },
        { ...closed, description: 'the Port whose coming it was made after: its pool is sized by that, also once that is gone' },
      ),
    ),
  },
  { ...closed, description: 'made ahead for no pod: a Port that comes takes its port at the cloud, and this one goes' },
)

/** Written by Megrez alone: what its NIC is to a NetworkService, and what workers have chosen for it. */
const OfNetworkService = Type.Object(
  {
    name: Type.String({ maxLength: 507, description: 'of the NetworkService: namespace/name' }),
    as: OneOf(['client', 'endpoint']),
    labels: Type.Optional(ServiceLabels),
    endpoint: Type.Optional(Type.String({ description: 'that a client has: namespace/name' })),
    endpointPort: Type.Optional(Type.String({ description: 'of that, the Port: namespace/name' })),
    addresses: Type.Optional(Type.Array(Type.String(), { maxItems: 2, description: 'of that Port', 'x-kubernetes-list-type': 'atomic' })),
  },
  { ...closed, description: 'a client of a NetworkService, or an endpoint of it' },
)
export type OfNetworkService = Static<typeof OfNetworkService>

const spec = Type.Object(
  {
    subnet: { ...Reference, 'x-refers-to': 'Subnet', description: 'Subnet, as name or namespace/name' },
    ips: Type.Optional(
      Type.Array(address, { maxItems: 2, description: 'fixed addresses, at most one of each family', 'x-kubernetes-list-type': 'atomic' }),
    ),
    mac: Type.Optional({ ...mac, description: 'fixed MAC address' }),
    securityGroups: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 253, 'x-refers-to': 'SecurityGroup' }), {
        maxItems: 16,
        'x-kubernetes-list-type': 'atomic',
      }),
    ),
    allowedAddressPairs: Type.Optional(
      Type.Array(
        Type.Object(
          {
            ip: Type.String({ maxLength: 49 }),
            mac: Type.Optional(mac),
          },
          closed,
        ),
        {
          maxItems: 64,
          description: 'more sources that anti-spoofing lets pass',
          'x-kubernetes-list-type': 'atomic',
        },
      ),
    ),
    routedBlocks: Type.Optional(
      Type.Array(BlockText, {
        maxItems: routedBlocksOfPortMost,
        description:
          "blocks behind it, as behind a router or a firewall: its VNI leads them to it, as far as its Subnet's allowedRoutedBlocks allow, and it may send from them",
        'x-kubernetes-list-type': 'atomic',
      }),
    ),
    qosPolicy: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        description: 'in a Vpc of a cloud that has them: name or ID of one of its QoS policies, which the port there has',
      }),
    ),
    portSecurity: Type.Optional(Type.Boolean({ default: true, description: 'false switches anti-spoofing off' })),
    type: Type.Optional(
      OneOf(portTypes, {
        default: 'kernel',
        description:
          'kernel: an interface in the pod; dpdk: a socket of its program; tap: a TAP on the node, which a hypervisor opens for its VM; a Nic may say tap of a Port that was made as kernel',
      }),
    ),
    tap: Type.Optional(Tap),
    portID: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 253,
        description:
          'the name a Nic finds this Port by, unique in its Vpc; its UID when absent. In a Vpc of a cloud: name or ID of a port that is there already, which is adopted',
      }),
    ),
    claim: Type.Optional(Claim),
    podUID: Type.Optional(Type.String({ description: 'UID of the pod that has it' })),
    retain: Type.Optional(Type.Boolean({ description: 'outlives the pod it was made for' })),
    node: Type.Optional(
      Type.String({
        'x-refers-to': 'Node',
        description:
          'where it is bound; who makes a Port without a pod may name a Node whose label megrez.io/ports-without-pod takes it, and nobody changes it afterwards',
      }),
    ),
    addressed: Type.Optional(
      Type.Boolean({
        description:
          "a Port without a pod: its interface has the addresses and the Subnet's routes, in a network namespace of its own on the node, where the Node's label allows it; else it has MAC and name alone",
      }),
    ),
    migratingTo: Type.Optional(
      Type.String({
        'x-refers-to': 'Node',
        description:
          'the node that the VM of a TAP without a pod is moving to: it has a TAP there too, and is there from the first frame that its VM sends there; taken away before that, nothing is left there',
      }),
    ),
    postCreateExec: Type.Optional(
      Type.Array(Type.String({ maxLength: 1024 }), {
        maxItems: 64,
        description:
          'run once on the node when the interface of a Port without a pod is there, in its network namespace, if the node allows the program; ${ifname}, ${ipv4}, ${ipv6}, ${mac} are filled in',
        'x-kubernetes-list-type': 'atomic',
      }),
    ),
    postDeleteExec: Type.Optional(
      Type.Array(Type.String({ maxLength: 1024 }), {
        maxItems: 64,
        description: "the same in the node's own network, when the interface is gone",
        'x-kubernetes-list-type': 'atomic',
      }),
    ),
    warm: Type.Optional(Warm),
    networkService: Type.Optional(OfNetworkService),
    callbackURL: Type.Optional(CallbackURL),
  },
  closed,
)

const status = Type.Object(
  {
    ...reportFields,
    addresses: Type.Optional(Type.Array(Type.String(), { 'x-kubernetes-list-type': 'atomic' })),
    mac: Type.Optional(Type.String()),
    routedBlocks: Type.Optional(
      Type.Array(Type.String(), { description: 'those of spec.routedBlocks that lead to it', 'x-kubernetes-list-type': 'atomic' }),
    ),
    ...segmentStatus,
    ifcName: Type.Optional(Type.String({ description: 'the interface on the host' })),
    hostIP: Type.Optional(Type.String({ description: 'of the node it is bound to' })),
    ...atProvider,
    from: Type.Optional({ ...other, description: 'the Port made ahead whose port at the cloud it is taking' }),
    qosPolicy: Type.Optional(Type.String({ description: 'that its cloud has been asked for, as it was named' })),
    vif: Type.Optional({ ...Vif, description: 'how its node plugs it in, where the fabric is not ours' }),
    nextVif: Type.Optional({ ...Vif, description: 'of a VM that is to move, how the node that it moves to plugs it in' }),
    mtu: Type.Optional(Type.Integer({ description: 'as the cloud says' })),
    policy: Type.Optional(
      Type.Object(
        {
          identity: Type.Integer({ description: 'number of its PolicyIdentity' }),
          ruleSets: Type.Array(Type.String(), {
            description: 'names of the PolicyRuleSets that judge it: until its node has all of them, nothing passes',
            'x-kubernetes-list-type': 'atomic',
          }),
          unified: Type.Optional(Type.String({ description: 'the UnifiedNetworkPolicy that is in force' })),
        },
        { ...closed, description: 'who judges what passes; absent: no policy of its VNI, or of its VLAN, is in force' },
      ),
    ),
    portID: Type.Optional(Type.String({ description: 'the name a Nic finds it by' })),
    createdByUs: Type.Optional(Type.Boolean({ description: 'made for a pod and deleted with it' })),
    migration: Type.Optional(
      Type.Object(
        {
          node: Type.String({ description: 'who says so: the one that migratingTo names' }),
          generation: Type.Integer({ description: "the Port's, of which it is said" }),
          tap: Type.Optional(Type.String({ description: 'the TAP there, for a hypervisor to open' })),
          active: Type.Optional(Type.Boolean({ description: 'its VM has sent a frame there' })),
          message: Type.Optional(Type.String()),
        },
        { ...closed, description: 'of a VM that is moving, what the node says that it is moving to' },
      ),
    ),
    node: Type.Optional(
      Type.Object(
        {
          wired: Type.Optional(
            Type.Boolean({ description: 'its interface is on its node; false once that has unwired it, or is gone for good' }),
          ),
          dataplane: Type.Optional(Type.String({ description: 'what its node carries it with: ovs, bess, linux' })),
          chain: Type.Optional(
            Type.String({ description: 'of the service chains that go through it, the newest that its node has: PolicyRuleSet/round' }),
          ),
          silent: Type.Optional(
            Type.Boolean({ description: 'it has forwarded, as a function of a service chain, and does no longer: no instance of one' }),
          ),
          unreachable: Type.Optional(
            Type.Boolean({
              description:
                'it has answered its node for its address, as an endpoint of a NetworkService, and does no longer: its clients are moved',
            }),
          ),
          message: Type.Optional(Type.String()),
          tap: Type.Optional(Type.String({ description: 'the TAP on the node, for a hypervisor to open' })),
          booked: Type.Optional(
            Type.Integer({ description: "bits a second of its node's uplink that are kept for what it sends to other nodes" }),
          ),
          postCreateExecReport: Type.Optional(ExecReport),
          logged: Type.Optional(
            Type.Object(
              {
                time: Type.String({ description: 'RFC 3339' }),
                packets: Type.Integer({ description: 'since the agent began' }),
                last: Type.String(),
              },
              { ...closed, description: 'what rules that log have logged of it, once a minute at most' },
            ),
          ),
          conditions: Type.Optional(
            Type.Array(Condition, {
              description: "Unsupported: what this node's data plane does not do of what was asked",
              'x-kubernetes-list-type': 'map',
              'x-kubernetes-list-map-keys': ['type'],
            }),
          ),
        },
        closed,
      ),
    ),
  },
  closed,
)

const isMac = (text: string | undefined): boolean => text === undefined || isPlainMac(text)

export const Port = defineKind({
  kind: 'Port',
  plural: 'ports',
  finalizer: portFinalizer,
  description: 'An attachment point in a Subnet: addresses, MAC, security groups, and the node and pod it belongs to.',
  spec,
  status,
  sections: {
    address: ['addresses', 'mac', 'routedBlocks', ...segmentFields, 'ifcName', 'hostIP'],
    policy: ['policy'],
    provider: ['portID', 'createdByUs', ...atProviderFields, 'from', 'qosPolicy', 'vif', 'nextVif', 'mtu'],
    node: ['node'],
    migration: ['migration'],
  },
  // What a node has said of a move that is over workers drop: the node may be gone.
  writers: { address: 'workers', policy: 'workers', provider: 'workers', node: 'agent', migration: 'agent' },
  selectable: ['.spec.node', '.spec.migratingTo', '.spec.podUID', '.spec.subnet', '.status.vni', '.status.segment'],
  immutable: ['subnet', 'ips', 'mac', 'portID', 'type', 'tap', 'addressed', 'postCreateExec'],
  rules: [
    {
      cel: '!has(self.ips) || self.ips.all(i, isIP(i))',
      message: 'each must be an IPv4 or IPv6 address',
      at: 'spec.ips',
      holds: (s) => (s.ips ?? []).every((ip) => parsePlainIp(ip) !== undefined),
    },
    {
      cel: '!has(self.ips) || size(self.ips) < 2 || !self.ips.all(i, isIP(i)) || ip(self.ips[0]).family() != ip(self.ips[1]).family()',
      message: 'at most one address of each family',
      at: 'spec.ips',
      holds: (s) => {
        const families = (s.ips ?? []).map((ip) => parsePlainIp(ip)?.family)
        return families.includes(undefined) || new Set(families).size === families.length
      },
    },
    {
      cel: `!has(self.mac) || self.mac.matches('${macPattern}')`,
      message: 'must be a unicast MAC address such as 02:00:00:00:00:01',
      at: 'spec.mac',
      holds: (s) => isMac(s.mac),
    },
    {
      cel: `!has(self.allowedAddressPairs) || self.allowedAddressPairs.all(p, (isIP(p.ip) || (isCIDR(p.ip) && cidr(p.ip) == cidr(p.ip).masked())) && (!has(p.mac) || p.mac.matches('${macPattern}')))`,
      message: 'each needs an address, or a block whose host bits are zero, and at most a unicast MAC address',
      at: 'spec.allowedAddressPairs',
      holds: (s) => (s.allowedAddressPairs ?? []).every((p) => (parsePlainIp(p.ip) ?? parsePlainCidr(p.ip)) !== undefined && isMac(p.mac)),
    },
    {
      cel: '!has(self.routedBlocks) || self.routedBlocks.all(b, isCIDR(b) && cidr(b) == cidr(b).masked())',
      message: 'each must be a block whose host bits are zero, such as 10.9.0.0/24',
      at: 'spec.routedBlocks',
      holds: (s) => arePlainBlocks(s.routedBlocks),
    },
    {
      cel: '!has(self.qosPolicy) || !has(self.portID)',
      message: 'is not for a Port with a portID: what is adopted keeps the one it has',
      at: 'spec.qosPolicy',
      holds: (s) => s.qosPolicy === undefined || s.portID === undefined,
    },
    {
      cel: '!has(self.addressed) || !self.addressed || has(self.node)',
      message: 'is for a Port without a pod: name its node',
      at: 'spec.addressed',
      holds: (s) => s.addressed !== true || s.node !== undefined,
    },
    {
      cel: "!has(self.addressed) || !self.addressed || !has(self.type) || self.type != 'tap'",
      message: 'is not for a TAP: its VM has the addresses',
      at: 'spec.addressed',
      holds: (s) => s.addressed !== true || s.type !== 'tap',
    },
    {
      cel: "!has(self.tap) || (has(self.type) && self.type == 'tap')",
      message: 'is for a TAP: say type tap',
      at: 'spec.tap',
      holds: (s) => s.tap === undefined || s.type === 'tap',
    },
    {
      cel: "!has(self.migratingTo) || (has(self.type) && self.type == 'tap' && has(self.node))",
      message: 'is for a TAP on a node: its VM moves',
      at: 'spec.migratingTo',
      holds: (s) => s.migratingTo === undefined || (s.type === 'tap' && s.node !== undefined),
    },
    {
      cel: '!has(self.migratingTo) || !has(self.node) || self.migratingTo != self.node',
      message: 'is where it is already',
      at: 'spec.migratingTo',
      holds: (s) => s.migratingTo === undefined || s.migratingTo !== s.node,
    },
  ],
  columns: [
    { name: 'Subnet', type: 'string', path: '.spec.subnet' },
    { name: 'Addresses', type: 'string', path: '.status.addresses' },
    { name: 'MAC', type: 'string', path: '.status.mac', wide: true },
    { name: 'VLAN', type: 'integer', path: '.status.vlan.id', wide: true },
    { name: 'Pod', type: 'string', path: '.spec.claim.pod' },
    { name: 'Nic', type: 'string', path: '.spec.claim.nic' },
    { name: 'Node', type: 'string', path: '.spec.node' },
  ],
})
