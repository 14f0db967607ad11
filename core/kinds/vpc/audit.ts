import { Type, type Static } from 'typebox'
import { defineKind } from '../kind.ts'
import { closed, Name, OneOf, reportFields } from '../meta.ts'

/**
 * orphan: a cloud has something of an object that is gone; doubled: it has two of one object; missing: it has not what a status tells of;
 * elsewhere: it has bound a Port to a node that this is not on; podless: a Port of a pod that is gone; nodeless: wired on a Node that is
 * gone; portless: a pod is told that it has a Port that is gone; silent: a node that Ports are wired on does not answer; stuck: its data
 * plane does not take what it is to have. Orphan, missing, elsewhere and podless may be of a node in place of a cloud.
 */
export const findingClasses = ['orphan', 'doubled', 'missing', 'elsewhere', 'podless', 'nodeless', 'portless', 'silent', 'stuck'] as const
export type FindingClass = (typeof findingClasses)[number]

/** Of each list in a status: an object stays below the 1.5 MiB that etcd takes. */
export const findingsMax = 512
export const strangersMax = 1024

const text = (description: string) => Type.Optional(Type.String({ description }))

export const Finding = Type.Object(
  {
    class: OneOf(findingClasses),
    object: text('Kind namespace/name, where it is one of ours'),
    cloud: text('the Cloud, where something of it is meant'),
    kind: Type.Optional(OneOf(['network', 'subnet', 'port', 'group'])),
    id: text('what the cloud calls it; on a node its interface, or the UID of its Port'),
    node: text('the node, where something on it is meant'),
    message: Type.String(),
    repair: Type.Optional(OneOf(['asked', 'gone'], { description: 'asked: its repair is under way; gone: it is found no more' })),
  },
  closed,
)
export type Finding = Static<typeof Finding>

/** What an import needs to know of a thing at a cloud that is nobody's. */
export const Stranger = Type.Object(
  {
    cloud: Type.String(),
    kind: OneOf(['network', 'subnet', 'port']),
    id: Type.String(),
    name: Type.String(),
    network: text('ID of the network that it is in'),
    subnet: text('ID of the subnet that it is in'),
    blocks: Type.Optional(Type.Array(Type.String(), { description: 'of a subnet', 'x-kubernetes-list-type': 'atomic' })),
    addresses: Type.Optional(Type.Array(Type.String(), { description: 'of a port', 'x-kubernetes-list-type': 'atomic' })),
    host: text('the node that it is bound to'),
  },
  closed,
)
export type Stranger = Static<typeof Stranger>

export const Audit = defineKind({
  kind: 'Audit',
  plural: 'audits',
  scope: 'Cluster',
  description: 'What the store, its clouds, its nodes and its pods say of each other, compared once; with repair, put right.',
  spec: Type.Object(
    {
      cloud: Type.Optional({ ...Name, 'x-refers-to': 'Cloud', description: 'this Cloud alone; all when absent' }),
      repair: Type.Optional(
        Type.Boolean({
          default: false,
          description: 'what is found, and found again once no request can be under way, is put right; else nothing is changed',
        }),
      ),
      strangers: Type.Optional(
        Type.Boolean({ default: false, description: "the Cloud is also asked what it has that is nobody's: nothing is done to it" }),
      ),
    },
    closed,
  ),
  status: Type.Object(
    {
      ...reportFields,
      lookedAt: Type.Optional(Type.String({ format: 'date-time', description: 'when it was compared first' })),
      dueAt: Type.Optional(Type.String({ format: 'date-time', description: 'when it is compared again' })),
      compared: Type.Optional(Type.Integer({ description: 'things at clouds, and objects of ours' })),
      nodesAsked: Type.Optional(Type.Integer({ description: 'how many nodes were asked what they have' })),
      nodesAnswered: Type.Optional(Type.Integer({ description: 'how many of them have answered' })),
      found: Type.Optional(Type.Integer({ description: 'how many findings, those that are not listed included' })),
      left: Type.Optional(Type.Integer({ description: 'how many of them are still so' })),
      rounds: Type.Optional(Type.Integer({ description: 'how often it was compared' })),
      findings: Type.Optional(Type.Array(Finding, { 'x-kubernetes-list-type': 'atomic' })),
      strangers: Type.Optional(Type.Array(Stranger, { 'x-kubernetes-list-type': 'atomic' })),
      truncated: Type.Optional(Type.Boolean({ description: 'there are more than an object holds' })),
    },
    closed,
  ),
  sections: {
    result: [
      'lookedAt',
      'dueAt',
      'compared',
      'nodesAsked',
      'nodesAnswered',
      'found',
      'left',
      'rounds',
      'findings',
      'strangers',
      'truncated',
    ],
  },
  writers: { result: 'workers' },
  immutable: ['cloud', 'repair', 'strangers'],
  rules: [
    {
      cel: '!has(self.strangers) || !self.strangers || has(self.cloud)',
      message: 'is asked of one Cloud: name it',
      at: 'spec.strangers',
      holds: (s) => s.strangers !== true || s.cloud !== undefined,
    },
  ],
  columns: [
    { name: 'Cloud', type: 'string', path: '.spec.cloud' },
    { name: 'Repair', type: 'boolean', path: '.spec.repair' },
    { name: 'Found', type: 'integer', path: '.status.found' },
    { name: 'Left', type: 'integer', path: '.status.left' },
  ],
})
