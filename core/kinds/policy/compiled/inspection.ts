// What is asked in a connection, once it is up: HTTP's host, path and method, whole URLs, the name that TLS asks for.
import { Type, type Static } from 'typebox'
import { closed, OneOf } from '../../meta.ts'
import { PolicyPeers } from './policy-peers.ts'
import { TransportMatch } from '../transport-match.ts'

const atomic = { 'x-kubernetes-list-type': 'atomic' }
const label = '[a-zA-Z0-9_]([-a-zA-Z0-9_]{0,61}[a-zA-Z0-9_])?'
const host = `(\\*\\.)?${label}(\\.${label})*`
/** What URLs are made of, without what ends a path and without the asterisk. */
const path = "/[-a-zA-Z0-9._~%!$&'()+,;=:@/]*\\*?"

const Host = Type.String({
  minLength: 1,
  maxLength: 253,
  pattern: `^${host}$`,
  description:
    'a whole name, or *. before one for any name below it; small and capital letters are one, and a port behind it is none of it',
})
const some = { minItems: 1, maxItems: 64, ...atomic }

const HttpMatch = Type.Object(
  {
    hosts: Type.Optional(Type.Array(Host, some)),
    paths: Type.Optional(
      Type.Array(
        Type.String({
          minLength: 1,
          maxLength: 255,
          pattern: `^${path}$`,
          description: 'as it is sent, without the query; with * as its end: what begins so',
        }),
        some,
      ),
    ),
    methods: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 20, pattern: '^[A-Z][-A-Z]*$' }), some)),
  },
  { ...closed, description: 'a request that each field which is there has a member for' },
)

export const L7Match = Type.Object(
  {
    http: Type.Optional(Type.Array(HttpMatch, { minItems: 1, maxItems: 32, description: 'requests: one of these is enough', ...atomic })),
    urls: Type.Optional(
      Type.Array(Type.String({ minLength: 3, maxLength: 509, pattern: `^${host}${path}$` }), {
        minItems: 1,
        maxItems: 1024,
        description: 'requests by host and path in one, as bad.example.org/evil or *.example.org/*',
        ...atomic,
      }),
    ),
    tls: Type.Optional(
      Type.Object(
        { serverNames: Type.Array(Host, some) },
        { ...closed, description: 'connections of TLS by the name that the client asks for (SNI)' },
      ),
    ),
  },
  { ...closed, description: 'one of http, urls, tls: what is asked in the connection' },
)
export type L7Match = Static<typeof L7Match>

export const Inspection = Type.Object(
  {
    index: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 62, description: 'the place of its rule among those of its direction; absent: the default' }),
    ),
    source: Type.String({ description: 'where its rule stands: a JSON pointer into its policy' }),
    direction: OneOf(['ingress', 'egress'], { description: 'of the connections, as the subjects see them' }),
    action: OneOf(['allow', 'deny']),
    peers: Type.Optional({ ...PolicyPeers, description: 'the other end, as rules have it; absent: anyone' }),
    blocks: Type.Optional(
      Type.Array(Type.String(), { description: 'the same by addresses, as they were when it was compiled; absent: anyone', ...atomic }),
    ),
    transport: Type.Optional(
      Type.Array(TransportMatch, { description: 'absent: anything; with l7 it is TCP with ports', minItems: 1, ...atomic }),
    ),
    l7: Type.Optional({
      ...L7Match,
      description: 'absent: a connection that it is about is asked nothing by this and those behind it, and passes or not as it says',
    }),
  },
  closed,
)
/**
 * Of those of its direction the first that is about a connection is taken. With `l7`, deny: what matches is refused, anything else is asked
 * by those behind it. With `l7`, allow: what does not match is refused, and those behind it are not asked.
 */
export type Inspection = Static<typeof Inspection>

export const inspectionsMost = 512
export const Inspections = Type.Array(Inspection, {
  maxItems: inspectionsMost,
  description: 'of directions in which something is asked all rules, in their order, and the default',
  ...atomic,
})
