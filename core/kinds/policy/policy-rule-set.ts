import { Type, type Static } from 'typebox'
import { tierNames } from './tiers.ts'
import { defineKind } from '../kind.ts'
import { closed, OneOf, reportFields } from '../meta.ts'
import { PolicyChains } from './chain.ts'
import { Inspections } from './compiled/inspection.ts'
import { identity, PolicyPeers } from './compiled/policy-peers.ts'
import { TransportMatch } from './transport-match.ts'

const dscp = Type.Integer({ minimum: 0, maximum: 63 })
const bitsPerSecond = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })

/** How much, and marked how: of each Port by itself, whatever its rules say. */
export const PolicyTraffic = Type.Object(
  {
    maxIngress: Type.Optional({ ...bitsPerSecond, description: 'bits a second that it gets; more is dropped' }),
    maxEgress: Type.Optional({ ...bitsPerSecond, description: 'bits a second that it sends; more is dropped' }),
    minEgress: Type.Optional({ ...bitsPerSecond, description: 'bits a second that its node books for what it sends to other nodes' }),
    dscp: Type.Optional({ ...dscp, description: 'what it sends is marked so, where no rule says otherwise' }),
  },
  closed,
)
export type PolicyTraffic = Static<typeof PolicyTraffic>

/** In Open vSwitch alone, which sees frames. */
const FrameMatch = Type.Object(
  {
    peerMac: Type.Optional(Type.String({ description: 'of the other end: the source of what comes in, the destination of what goes out' })),
    etherType: Type.Optional(
      Type.Integer({ minimum: 1536, maximum: 65535, description: 'of frames that are no IP; absent: of IP too, and then of all' }),
    ),
    vlan: Type.Optional(Type.Integer({ minimum: 1, maximum: 4094, description: 'that the frame is in, or its interface' })),
    families: Type.Optional(Type.Array(Type.Integer(), { description: '4, 6; absent: both', 'x-kubernetes-list-type': 'atomic' })),
  },
  {
    ...closed,
    description:
      "its families are the rule's; those beside it are none where the rule allows, so that who does not know of it allows nothing by it",
  },
)

export const CompiledRule = Type.Object(
  {
    index: Type.Integer({ minimum: 0, maximum: 255, description: 'its number in its policy: with the number of the set it names flows' }),
    source: Type.String({ description: 'where it stands: a JSON pointer into its policy' }),
    direction: OneOf(['ingress', 'egress']),
    level: Type.Integer({
      minimum: 0,
      maximum: 63,
      description: 'rules of an ordered tier: the lowest is asked first; of one level the order is no matter',
    }),
    action: OneOf(['allow', 'deny', 'pass']),
    final: Type.Optional(Type.Boolean({ description: 'no later tier is asked' })),
    audit: Type.Optional(Type.Boolean({ description: 'what it would deny passes, and is counted' })),
    dscp: Type.Optional({ ...dscp, description: 'what its subjects send in connections that it allows is marked so' }),
    max: Type.Optional({ ...bitsPerSecond, description: 'of what it allows, both ways, on each node; more is dropped' }),
    log: Type.Optional(Type.Boolean({ description: 'packets that it decides are told to the agent, some of them a second' })),
    subjects: Type.Optional(
      Type.Array(identity, {
        description: "those of the set's subjects that it is for: those whose named port is this one; absent: all",
        minItems: 1,
        'x-kubernetes-list-type': 'atomic',
      }),
    ),
    peers: Type.Optional({ ...PolicyPeers, description: 'absent: anyone' }),
    transport: Type.Optional(
      Type.Array(TransportMatch, { description: 'absent: anything', minItems: 1, 'x-kubernetes-list-type': 'atomic' }),
    ),
    families: Type.Optional(Type.Array(Type.Integer(), { description: '4, 6; absent: both', 'x-kubernetes-list-type': 'atomic' })),
    frame: Type.Optional(FrameMatch),
  },
  closed,
)
export type CompiledRule = Static<typeof CompiledRule>

/** Undefined: both. */
export const familiesOf = ({ frame, families }: CompiledRule): readonly number[] | undefined =>
  frame === undefined ? families : frame.families

export const PolicyRuleSet = defineKind({
  kind: 'PolicyRuleSet',
  plural: 'policyrulesets',
  shortNames: ['prs'],
  description: 'The rules of one policy in one VNI, compiled: what nodes enforce. Its name is `vni-` with VNI and number.',
  spec: Type.Object(
    {
      vni: Type.Integer(),
      number: Type.Integer({ minimum: 1, maximum: 16777215, description: 'unique in the VNI' }),
      tier: OneOf(tierNames),
      policy: Type.Object(
        {
          kind: Type.String(),
          namespace: Type.Optional(Type.String()),
          name: Type.String(),
          uid: Type.String(),
          generation: Type.Optional(Type.Integer()),
        },
        closed,
      ),
      priority: Type.Integer({
        minimum: 0,
        maximum: 1000,
        description: 'between the policies of an ordered tier: the lowest is asked first',
      }),
      audit: Type.Optional(Type.Boolean({ description: 'what it would deny passes, and is counted' })),
      onUnsupported: Type.Optional(
        OneOf(['deny', 'allow'], {
          description:
            'what its subjects get on a node that cannot do all of it: nothing (deny, and where it is absent), or what the others let pass',
        }),
      ),
      subjects: Type.Array(identity, { description: 'whose connections it judges', 'x-kubernetes-list-type': 'atomic' }),
      isolates: Type.Array(OneOf(['ingress', 'egress']), {
        description: 'directions in which its subjects get nothing but what a rule of the tier allows',
        'x-kubernetes-list-type': 'atomic',
      }),
      traffic: Type.Optional({ ...PolicyTraffic, description: 'of each Port that it judges' }),
      chains: Type.Optional({ ...PolicyChains, description: 'Ports that packets of the subjects go through' }),
      inspections: Type.Optional(Inspections),
      rules: Type.Array(CompiledRule, { maxItems: 256, 'x-kubernetes-list-type': 'atomic' }),
    },
    closed,
  ),
  status: Type.Object(reportFields, closed),
  selectable: ['.spec.vni', '.spec.policy.uid'],
  immutable: ['vni', 'number', 'tier'],
  internal: true,
  columns: [
    { name: 'VNI', type: 'integer', path: '.spec.vni' },
    { name: 'Tier', type: 'string', path: '.spec.tier' },
    { name: 'Kind', type: 'string', path: '.spec.policy.kind' },
    { name: 'Policy', type: 'string', path: '.spec.policy.name' },
  ],
})
export type RuleSetSpec = Static<typeof PolicyRuleSet.spec>

/** `Kind namespace/name` of the policy that a set was compiled from. */
export const policyText = ({ policy: { kind, namespace, name } }: Pick<RuleSetSpec, 'policy'>): string =>
  `${kind} ${namespace === undefined ? name : `${namespace}/${name}`}`

/** Of a set, unique in a cluster, as VNIs are. */
export const ruleSetName = ({ vni, number }: Pick<RuleSetSpec, 'vni' | 'number'>): string => `vni-${vni}-${number}`
