import { Type } from 'typebox'
import { defineKind } from '../kind.ts'
import { CallbackURL, closed, Name, OneOf, reportFields } from '../meta.ts'

const time = (description: string) => Type.Optional(Type.String({ format: 'date-time', description }))

/** KEDA's ScaledObject has the same two, as scaleTargetRef and cooldownPeriod. */
export const EndpointScaler = defineKind({
  kind: 'EndpointScaler',
  plural: 'endpointscalers',
  shortNames: ['esc'],
  description:
    'A Deployment whose pods are endpoints of the NetworkService of the same name: scaled from 0 to 1 when a client waits, and back when there is none.',
  spec: Type.Object(
    {
      scaleTargetRef: Type.Object(
        {
          kind: Type.Optional(OneOf(['Deployment'], { default: 'Deployment' })),
          name: { ...Name, description: 'in this namespace; whoever names it may patch its deployments/scale' },
        },
        closed,
      ),
      cooldownSeconds: Type.Optional(
        Type.Integer({
          minimum: 10,
          maximum: 604_800,
          default: 300,
          description: 'how long there has been no client before it is scaled to 0',
        }),
      ),
      callbackURL: Type.Optional(CallbackURL),
    },
    closed,
  ),
  status: Type.Object(
    {
      ...reportFields,
      deployment: Type.Optional(Type.String({ description: 'that the following is about' })),
      activatedAt: time('when we decided to scale it up; absent: what it has is not our doing'),
      replicas: Type.Optional(Type.Integer({ description: '1 once it has been seen to have what we gave it' })),
      idleSince: time('since when it has had no client'),
      failingSince: time('since when it cannot be scaled'),
    },
    closed,
  ),
  sections: { scale: ['deployment', 'activatedAt', 'replicas', 'idleSince', 'failingSince'] },
  writers: { scale: 'workers' },
  columns: [
    { name: 'Deployment', type: 'string', path: '.spec.scaleTargetRef.name' },
    { name: 'Cooldown', type: 'integer', path: '.spec.cooldownSeconds' },
    { name: 'Idle', type: 'date', path: '.status.idleSince', wide: true },
  ],
})
