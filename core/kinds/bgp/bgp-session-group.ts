import { Type } from 'typebox'
import { bgpFinalizer } from '../annotations.ts'
import { defineKind } from '../kind.ts'
import { closed, reportFields } from '../meta.ts'
import { sessionStateFields } from './bgp-speaker.ts'
import { sessionGroupRules } from './session-group-rules.ts'
import { SessionGroupSpec } from './session-group-spec.ts'

const session = Type.Object({ name: Type.String(), ...sessionStateFields }, closed)
const speakingNode = Type.Object(
  {
    node: Type.String(),
    addresses: Type.Array(Type.String(), { description: 'that its sessions come from', 'x-kubernetes-list-type': 'atomic' }),
    problem: Type.Optional(Type.String({ description: 'why it does not speak, or not as it is told' })),
    sessions: Type.Array(session, { 'x-kubernetes-list-type': 'atomic' }),
  },
  closed,
)

export const BGPSessionGroup = defineKind({
  kind: 'BGPSessionGroup',
  plural: 'bgpsessiongroups',
  finalizer: bgpFinalizer,
  shortNames: ['bsg'],
  scope: 'Cluster',
  description: 'Which nodes speak BGP, with whom, what they advertise, and into which Vpcs routes come.',
  spec: SessionGroupSpec,
  status: Type.Object(
    {
      ...reportFields,
      nodes: Type.Optional(
        Type.Array(speakingNode, {
          description: 'as long as there is room, those with a session that is down first; a BGPSpeaker has all of its node',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['node'],
        }),
      ),
      established: Type.Optional(Type.Integer({ description: 'sessions that are up; one between two nodes is one of each' })),
      configured: Type.Optional(Type.Integer({ description: 'sessions that there should be' })),
      refused: Type.Optional(
        Type.Array(
          Type.Object({ what: Type.String({ description: 'Subnet a/blue, Vpc a/v, or node n1' }), message: Type.String() }, closed),
          { description: 'what is asked for and is not done', 'x-kubernetes-list-type': 'atomic' },
        ),
      ),
    },
    closed,
  ),
  sections: { sessions: ['nodes', 'established', 'configured', 'refused'] },
  writers: { sessions: 'workers' },
  rules: sessionGroupRules,
  columns: [
    { name: 'AS', type: 'integer', path: '.spec.as' },
    { name: 'Established', type: 'integer', path: '.status.established' },
    { name: 'Configured', type: 'integer', path: '.status.configured' },
  ],
})
