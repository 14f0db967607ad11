import { Type, type Static } from 'typebox'
import { subscriptionFinalizer } from '../annotations.ts'
import { defineKind } from '../kind.ts'
import { CallbackURL, closed, Name, OneOf, phases, reportFields } from '../meta.ts'
import { outcomesDescribed } from './outcomes.ts'
import { NfvFilter } from './nfv.ts'

export const profiles = ['eno', 'sol', 'cloudevents'] as const
export type Profile = (typeof profiles)[number]

const list = { maxItems: 64, 'x-kubernetes-list-type': 'set' } as const

/** All given parts must hold; nothing given is everything that the Subscription may see. */
const Filter = Type.Object(
  {
    kinds: Type.Optional(
      Type.Array(Type.String({ maxLength: 63, pattern: '^[A-Z][A-Za-z0-9]*$' }), { ...list, description: 'kinds, as Port' }),
    ),
    namespaces: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 63 }), {
        ...list,
        description: "only in Megrez's own namespace: elsewhere it is the Subscription's",
      }),
    ),
    names: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 253 }), list)),
    labels: Type.Optional(Type.String({ maxLength: 1024, description: 'a label selector, as a=b,c!=d' })),
    phases: Type.Optional(Type.Array(OneOf(phases), list)),
    nfv: Type.Optional(NfvFilter),
  },
  closed,
)

const Auth = Type.Object(
  {
    type: OneOf(['basic', 'bearer', 'oauth2', 'certificate', 'oauth2-certificate'], {
      description:
        "by the Secret's username and password; token; clientId and clientSecret; tls.crt and tls.key; tls.crt and tls.key, at the token endpoint too (RFC 8705)",
    }),
    secret: { ...Name, description: "the Secret's name, in the Subscription's namespace" },
    tokenEndpoint: Type.Optional({ ...CallbackURL, description: 'where a token is had for client credentials (RFC 6749 section 4.4)' }),
    clientId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 4096,
        description: 'of oauth2-certificate: who we are at the token endpoint (RFC 8705 section 2)',
      }),
    ),
    thumbprint: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9_-]{43}$',
        description: 'of oauth2-certificate: the certificate must have it; x5t#S256, base64url (RFC 7515 section 4.1.8)',
      }),
    ),
  },
  closed,
)

/** Of secrets that still sign beside the newest, so many: each signs every notice. */
export const previousMost = 4
/** How long a secret that was replaced goes on to sign. */
export const overlapSeconds = { usual: 86_400, most: 604_800 } as const
const Rotation = Type.Object(
  {
    id: Type.String({ pattern: '^[A-Za-z0-9-]{1,63}$', description: 'the secret that signs is derived from it, and from the UID' }),
    previous: Type.Optional(
      Type.Array(
        Type.Object(
          {
            id: Type.Optional(
              Type.String({ pattern: '^[A-Za-z0-9-]{1,63}$', description: 'absent: what signed before the first was replaced' }),
            ),
            until: Type.String({ format: 'date-time' }),
          },
          closed,
        ),
        { maxItems: previousMost, 'x-kubernetes-list-type': 'atomic', description: 'those before it, that sign too until then' },
      ),
    ),
  },
  { ...closed, description: 'signs in place of `signing`; written when the secret is replaced over REST' },
)

const spec = Type.Object(
  {
    sink: Type.Optional({ ...CallbackURL, description: 'who is told; absent: events are pulled' }),
    profile: Type.Optional(
      OneOf(profiles, { default: 'eno', description: 'what is sent: the whole object, an ETSI SOL notification, or a CloudEvent' }),
    ),
    changes: Type.Optional(
      OneOf(['phase', 'all'], {
        default: 'phase',
        description: 'what counts as a change: only the phase, or also wiring, addresses, VLANs, Unsupported, and the reason of an error',
      }),
    ),
    mode: Type.Optional(OneOf(['structured', 'binary'], { default: 'structured', description: 'of a CloudEvent' })),
    verbosity: Type.Optional(
      OneOf(['FULL', 'SHORT'], { default: 'FULL', description: 'of a SOL notification: with or without the object' }),
    ),
    filter: Type.Optional(Filter),
    auth: Type.Optional(Auth),
    signing: Type.Optional(
      Type.Object(
        {
          secret: {
            ...Name,
            description: 'the Secret whose key secrets signs: whsec_ and base64; two, apart by a space, while one is replaced',
          },
        },
        closed,
      ),
    ),
    rotation: Type.Optional(Rotation),
    ca: Type.Optional(
      Type.String({
        maxLength: 65536,
        pattern: '^\\s*-----BEGIN CERTIFICATE-----',
        description: 'further certificate authorities of the sink, PEM',
      }),
    ),
    paused: Type.Optional(Type.Boolean({ description: 'nothing is sent; what happens meanwhile waits' })),
    merge: Type.Optional(
      Type.Boolean({ description: 'of changes that wait only the newest is sent, and never without the last, deleted' }),
    ),
    keepSeconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 604800,
        description: 'how long events can be pulled and replayed; without a sink 3600 unless given',
      }),
    ),
    test: Type.Optional(Type.String({ minLength: 1, maxLength: 63, description: 'a new word sends a sample' })),
    replay: Type.Optional(
      Type.Object(
        {
          id: Type.String({ minLength: 1, maxLength: 63 }),
          after: Type.Optional(Type.String({ maxLength: 512 })),
        },
        { ...closed, description: 'a new id sends anew what is kept since a cursor' },
      ),
    ),
  },
  closed,
)

const Parked = Type.Object(
  {
    kind: Type.String(),
    namespace: Type.Optional(Type.String()),
    name: Type.String(),
    uid: Type.String(),
    sequence: Type.Integer(),
    since: Type.String(),
    reason: Type.String(),
  },
  closed,
)
export type Parked = Static<typeof Parked>
/** Of the parked objects, so many are named. */
export const parkedMax = 16

const Tested = Type.Object(
  {
    id: Type.String(),
    time: Type.String(),
    // No enumeration: what an earlier version has stored stays valid.
    outcome: Type.String({ description: outcomesDescribed }),
    code: Type.Optional(Type.Integer({ description: 'of the answer, where there was one' })),
    reason: Type.Optional(Type.String({ description: 'why it was not taken, in words' })),
  },
  { ...closed, description: 'what became of the sample that was asked for last' },
)

const status = Type.Object(
  {
    ...reportFields,
    verified: Type.Optional(Type.String({ description: 'what of the sink was checked' })),
    begun: Type.Optional(Type.String({ description: 'of what it is about, once every object of that has heard of it' })),
    credentials: Type.Optional(Type.String({ description: "the Secret of Megrez's own that holds a copy" })),
    tested: Type.Optional(Tested),
    replayed: Type.Optional(Type.String({ description: 'id of the last replay' })),
    delivering: Type.Optional(
      Type.Object(
        {
          taken: Type.Boolean(),
          since: Type.String({ format: 'date-time' }),
          reason: Type.Optional(Type.String()),
        },
        { ...closed, description: 'whether the sink takes what it is sent, since when, and why not; absent: nothing has been sent yet' },
      ),
    ),
    circuit: Type.Optional(OneOf(['open', 'closed'], { description: 'open: the sink does not answer, and is tried ever more seldom' })),
    parkedCount: Type.Optional(Type.Integer({ description: 'objects whose next notice is refused again and again' })),
    parked: Type.Optional(Type.Array(Parked, { maxItems: parkedMax, 'x-kubernetes-list-type': 'atomic' })),
    givenUp: Type.Optional(Type.Integer({ description: 'notices that the sink has not taken within the horizon' })),
    goneAt: Type.Optional(Type.Integer({ description: 'the generation whose sink answered 410: it is told of no more' })),
  },
  closed,
)

interface SubscriptionRequest {
  readonly sink?: string
  readonly profile?: string
  readonly merge?: boolean
  readonly auth?: { readonly type: string; readonly tokenEndpoint?: string; readonly clientId?: string; readonly thumbprint?: string }
}
const withToken: readonly string[] = ['oauth2', 'oauth2-certificate']

export const Subscription = defineKind({
  kind: 'Subscription',
  plural: 'subscriptions',
  finalizer: subscriptionFinalizer,
  description: "Who is told of which objects' changes, in which form; without a sink events are pulled.",
  spec,
  status,
  sections: {
    endpoint: ['verified', 'begun', 'credentials', 'tested', 'replayed'],
    delivery: ['delivering', 'circuit', 'parkedCount', 'parked', 'givenUp', 'goneAt'],
  },
  writers: { endpoint: 'workers', delivery: 'workers' },
  rules: [
    {
      cel: '!has(self.merge) || !self.merge || !has(self.profile) || self.profile == "eno"',
      message: 'only the profile eno merges',
      at: 'spec.merge',
      holds: (s: SubscriptionRequest) => s.merge !== true || s.profile === undefined || s.profile === 'eno',
    },
    {
      cel: 'has(self.sink) || !has(self.auth)',
      message: 'without a sink there is nobody to authenticate to',
      at: 'spec.auth',
      holds: (s: SubscriptionRequest) => s.sink !== undefined || s.auth === undefined,
    },
    {
      cel: '!has(self.auth) || (self.auth.type in ["oauth2", "oauth2-certificate"]) == has(self.auth.tokenEndpoint)',
      message: 'oauth2 and oauth2-certificate need a tokenEndpoint, and nothing else takes one',
      at: 'spec.auth.tokenEndpoint',
      holds: ({ auth }: SubscriptionRequest) => auth === undefined || withToken.includes(auth.type) === (auth.tokenEndpoint !== undefined),
    },
    {
      cel: '!has(self.auth) || (self.auth.type == "oauth2-certificate") == has(self.auth.clientId)',
      message: 'oauth2-certificate needs a clientId, and nothing else takes one',
      at: 'spec.auth.clientId',
      holds: ({ auth }: SubscriptionRequest) =>
        auth === undefined || (auth.type === 'oauth2-certificate') === (auth.clientId !== undefined),
    },
    {
      cel: '!has(self.auth) || !has(self.auth.thumbprint) || self.auth.type == "oauth2-certificate"',
      message: 'only oauth2-certificate takes a thumbprint',
      at: 'spec.auth.thumbprint',
      holds: ({ auth }: SubscriptionRequest) => auth?.thumbprint === undefined || auth.type === 'oauth2-certificate',
    },
  ],
  columns: [
    { name: 'Sink', type: 'string', path: '.spec.sink' },
    { name: 'Profile', type: 'string', path: '.spec.profile' },
    { name: 'Delivering', type: 'boolean', path: '.status.delivering.taken' },
    { name: 'Circuit', type: 'string', path: '.status.circuit', wide: true },
    { name: 'Parked', type: 'integer', path: '.status.parkedCount' },
  ],
})
