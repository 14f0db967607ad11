import { Type, type Static } from 'typebox'
import { closed } from '../../meta.ts'

/** Of a PolicyIdentity. */
export const identity = Type.Integer({ minimum: 0, maximum: 16777215 })

/** Whom: identities and blocks together; at least one of the lists is not empty. */
export const PolicyPeers = Type.Object(
  {
    identities: Type.Array(identity, { 'x-kubernetes-list-type': 'atomic' }),
    blocks: Type.Array(Type.String(), { description: 'what is excepted is taken out of them', 'x-kubernetes-list-type': 'atomic' }),
  },
  closed,
)
export type PolicyPeers = Static<typeof PolicyPeers>
