import { Type } from 'typebox'
import { defineKind } from '../kind.ts'
import { closed, reportFields } from '../meta.ts'

const prefix = Type.Object(
  {
    cidr: Type.String({ maxLength: 49 }),
    subnet: Type.String({ maxLength: 317, 'x-refers-to': 'Subnet', description: 'namespace/name' }),
    uid: Type.String({ maxLength: 128, description: 'of the Subnet' }),
    leaving: Type.Optional(
      Type.String({ format: 'date-time', description: 'since when nobody wants it advertised: nobody begins to say it any more' }),
    ),
  },
  closed,
)

export const PrefixLock = defineKind({
  kind: 'PrefixLock',
  plural: 'prefixlocks',
  shortNames: ['pfl'],
  scope: 'Cluster',
  internal: true,
  description:
    'The advertised prefixes inside one IPv4 /8 or IPv6 /16, whose name it has (v4-10, v6-2001): to stand here is the right to be advertised.',
  spec: Type.Object(
    {
      prefixes: Type.Array(prefix, {
        maxItems: 4096,
        description: 'no two overlap; changed by compare-and-swap',
        'x-kubernetes-list-type': 'atomic',
      }),
    },
    closed,
  ),
  status: Type.Object(reportFields, closed),
})
