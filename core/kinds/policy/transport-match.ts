import { Type, type Static } from 'typebox'
import { closed } from '../meta.ts'

const l4Port = Type.Integer({ minimum: 0, maximum: 65535 })

/** What of a connection's first packet: a protocol, and of that destination ports, or type and code. */
export const TransportMatch = Type.Object(
  {
    protocol: Type.Integer({ minimum: 0, maximum: 255, description: "IP's number of it: 1, 6, 17, 58, 132, or another" }),
    first: Type.Optional(l4Port),
    last: Type.Optional(l4Port),
    icmpType: Type.Optional(Type.Integer({ minimum: 0, maximum: 255 })),
    icmpCode: Type.Optional(Type.Integer({ minimum: 0, maximum: 255 })),
  },
  closed,
)
export type TransportMatch = Static<typeof TransportMatch>
