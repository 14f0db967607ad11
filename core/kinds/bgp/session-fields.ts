// What a session is told, and what a route is compared with: in a BGPSessionGroup as it is asked for, in a BGPSpeaker as it is resolved.
import { Type, type Static } from 'typebox'
import { closed, OneOf } from '../meta.ts'

/** 16 and 32 bits in decimal digits, none more. */
const sixteen = '(0|[1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])'
const thirtyTwo = [
  '(0|[1-9][0-9]{0,8}|[1-3][0-9]{9}|4[01][0-9]{8}|42[0-8][0-9]{7}|429[0-3][0-9]{6}|4294[0-8][0-9]{5}|42949[0-5][0-9]{4}',
  '429496[0-6][0-9]{3}|4294967[01][0-9]{2}|42949672[0-8][0-9]|429496729[0-5])',
].join('|')

/** RFC 1997, RFC 8092; graceful-shutdown is 65535:0 (RFC 8326). */
export const Community = Type.String({
  maxLength: 32,
  pattern: `^(graceful-shutdown|${sixteen}:${sixteen}|${thirtyTwo}:${thirtyTwo}:${thirtyTwo})$`,
})
export const Communities = Type.Array(Community, {
  maxItems: 16,
  description: '64512:100, or a large one, 64512:1:2, or graceful-shutdown',
  'x-kubernetes-list-type': 'set',
})

/** 4 bytes (RFC 6793). */
export const AutonomousSystem = Type.Integer({ minimum: 1, maximum: 4294967294 })

const length = Type.Integer({ minimum: 0, maximum: 128 })
const filterFields = {
  prefix: Type.String({ minLength: 3, maxLength: 49, description: 'host bits are zero: 192.0.2.0/24' }),
  ge: Type.Optional({
    ...length,
    description: 'prefixes inside it of this length or longer; the prefix alone where neither ge nor le is given',
  }),
  le: Type.Optional({ ...length, description: 'prefixes inside it of this length or shorter' }),
}
export const PrefixFilter = Type.Object(filterFields, closed)
export type PrefixFilter = Static<typeof PrefixFilter>
export const PrefixRule = Type.Object(
  {
    ...filterFields,
    action: OneOf(['accept', 'reject']),
    communities: Type.Optional({ ...Communities, description: 'added to what is accepted' }),
  },
  closed,
)
export type PrefixRule = Static<typeof PrefixRule>
export const PrefixRules = (description: string) =>
  Type.Array(PrefixRule, { maxItems: 64, description, 'x-kubernetes-list-type': 'atomic' })
export const PrefixFilters = (description: string) =>
  Type.Array(PrefixFilter, { maxItems: 64, description, 'x-kubernetes-list-type': 'atomic' })

export const SecretKey = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 253, pattern: '^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$' }),
    key: Type.String({ minLength: 1, maxLength: 253, pattern: '^[-._a-zA-Z0-9]+$' }),
  },
  { ...closed, description: "the password (TCP MD5, RFC 2385): a key of a Secret in Megrez's own namespace" },
)
export const DetectionTimes = Type.Object(
  {
    intervalMilliseconds: Type.Integer({ minimum: 10, maximum: 60_000 }),
    multiplier: Type.Integer({ minimum: 2, maximum: 50, description: 'so many intervals without a word, and the session ends' }),
  },
  { ...closed, description: 'BFD (RFC 5880), both ways; none when absent' },
)
const many = Type.Integer({ minimum: 1, maximum: 10_000_000 })
export const MaximumPrefixes = Type.Object(
  { ipv4: Type.Optional(many), ipv6: Type.Optional(many) },
  { ...closed, description: 'one more, and the session is closed and its routes are gone' },
)
export const Hops = Type.Integer({ minimum: 1, maximum: 255 })
export const L4Port = Type.Integer({ minimum: 1, maximum: 65535 })
