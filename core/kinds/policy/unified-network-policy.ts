import { Type, type Static } from 'typebox'
import { defineKind } from '../kind.ts'
import { CallbackURL, closed, OneOf, reportFields } from '../meta.ts'
import { LabelSelector } from './label-selector.ts'
import { unifiedRules } from './unified-rules.ts'
import { UnifiedChains } from './unified-chain.ts'
import { UnifiedRule } from './unified-rule.ts'

const bitsPerSecond = Type.String({ maxLength: 20, pattern: '^[1-9][0-9]{0,14}[kMGT]?$', description: 'bits a second, as 25G' })
const timeOfDay = Type.String({ minLength: 5, maxLength: 5, pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$' })
const rulesOf = (direction: string) =>
  Type.Optional(
    Type.Array(UnifiedRule, {
      maxItems: 63,
      description: `what ${direction}: the first rule that matches decides`,
      'x-kubernetes-list-type': 'atomic',
    }),
  )

const scheduleState = Type.Object(
  {
    inForce: Type.Boolean(),
    since: Type.String({ description: 'RFC 3339' }),
    until: Type.String({ description: 'when that may be otherwise, RFC 3339' }),
  },
  { ...closed, description: 'of one with a schedule' },
)

const KnownName = Type.Object(
  {
    name: Type.String(),
    addresses: Type.Array(Type.Object({ address: Type.String(), keptUntil: Type.String({ description: 'RFC 3339' }) }, closed), {
      'x-kubernetes-list-type': 'atomic',
    }),
    problem: Type.Optional(Type.String({ description: 'why there was no answer' })),
  },
  closed,
)

const spec = Type.Object(
  {
    podSelector: { ...LabelSelector, description: 'pods of this namespace, and Ports without one by their own labels; {} is all' },
    priority: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 1000,
        default: 0,
        description: 'of several that select a pod the highest is in force, then the oldest, then the first by name',
      }),
    ),
    mode: Type.Optional(
      OneOf(['enforce', 'audit'], { default: 'enforce', description: 'audit: what it would deny passes, and is counted' }),
    ),
    defaults: Type.Optional(
      Type.Object(
        {
          ingress: Type.Optional(OneOf(['allow', 'deny'], { default: 'allow' })),
          egress: Type.Optional(OneOf(['allow', 'deny'], { default: 'allow' })),
        },
        { ...closed, default: {}, description: 'what happens to what no rule matches' },
      ),
    ),
    ingress: rulesOf('comes in'),
    egress: rulesOf('goes out'),
    chains: Type.Optional(UnifiedChains),
    bandwidth: Type.Optional(
      Type.Object(
        {
          max: Type.Optional(
            Type.Object(
              { ingress: Type.Optional(bitsPerSecond), egress: Type.Optional(bitsPerSecond) },
              {
                ...closed,
                description: 'of each Port of a pod; more is dropped',
              },
            ),
          ),
          min: Type.Optional({
            ...bitsPerSecond,
            description:
              'of each Port of a pod, what it sends to other nodes, bits a second as 25G: booked on its node, or refused by name',
          }),
        },
        closed,
      ),
    ),
    dscp: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 63, description: 'what its pods send is marked so, where no rule says otherwise' }),
    ),
    class: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 63,
        description: 'of traffic: what its pods send is marked as the operator has it for this class, unless dscp says otherwise',
      }),
    ),
    network: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 317,
        description:
          'of the one NIC of a pod whose annotation megrez.io/network is policy: a Vpc of this namespace or shared with it, as name or namespace/name, vni:NUMBER, or vlan:NETWORK/NUMBER; another one moves the pod, address included',
      }),
    ),
    schedule: Type.Optional(
      Type.Array(
        Type.Object(
          {
            days: Type.Optional(
              Type.Array(OneOf(['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']), { maxItems: 7, 'x-kubernetes-list-type': 'set' }),
            ),
            from: timeOfDay,
            to: timeOfDay,
          },
          closed,
        ),
        {
          maxItems: 16,
          description: 'UTC: when it is in force; to may be on the next day. Absent: always; at other times it is as if it were not there',
          'x-kubernetes-list-type': 'atomic',
        },
      ),
    ),
    onUnsupported: Type.Optional(
      OneOf(['deny', 'allow'], {
        default: 'deny',
        description:
          'where a rule says what is not done: deny takes it for one that allows nothing, or denies everything; allow leaves it out. A Port of a cloud, where none of it is done: deny closes it there, allow leaves it to the groups of its cloud',
      }),
    ),
    callbackURL: Type.Optional(CallbackURL),
  },
  closed,
)
/** A name outside that rules are about. */
export type KnownName = Static<typeof KnownName>
export type UnifiedSpec = Static<typeof spec>

export const UnifiedNetworkPolicy = defineKind({
  kind: 'UnifiedNetworkPolicy',
  plural: 'unifiednetworkpolicies',
  shortNames: ['unp'],
  description: 'Who may talk to the pods that it selects, and whom they may talk to; at most one is in force on a pod.',
  spec,
  status: Type.Object(
    {
      ...reportFields,
      schedule: Type.Optional(scheduleState),
      names: Type.Optional(
        Type.Array(KnownName, { description: 'names outside that its rules are about', 'x-kubernetes-list-type': 'atomic' }),
      ),
    },
    closed,
  ),
  sections: { schedule: ['schedule'], names: ['names'] },
  writers: { schedule: 'workers', names: 'workers' },
  rules: unifiedRules,
  columns: [
    { name: 'Priority', type: 'integer', path: '.spec.priority' },
    { name: 'Mode', type: 'string', path: '.spec.mode' },
  ],
})
