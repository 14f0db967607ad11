// What a client of ETSI NFV-SOL 003, 005 and 013 says and reads. Its subscription is our Subscription in other words.
import { Type, type Static } from 'typebox'
import { CallbackURL, closed, OneOf, phases, type Phase } from '../meta.ts'
import { nfvLabels, nfvListMax, NfvWords, productLabels } from './nfv.ts'

/** The version of the notification's form, in the header Version (SOL013, 9.2). */
export const solVersion = '1.0.0'
/** Versions of their own that clients of SOL003 2.x and 3.x name: both have the same subscription. */
export const solVersions = [solVersion, '2.0.0'] as const

export const operationTypes = ['CREATE', 'DELETE'] as const
export const operationStates = ['PROCESSING', 'COMPLETED', 'FAILED_TEMP'] as const
/** What SOL003 (5.6.2.2) and SOL005 know besides; nothing of ours gets there, so a filter may name them and hears of none. */
export const otherStates = ['STARTING', 'ROLLING_BACK', 'FAILED', 'ROLLED_BACK', 'PARTIALLY_COMPLETED'] as const

export interface SolOperation {
  readonly operation: (typeof operationTypes)[number]
  readonly operationState: (typeof operationStates)[number]
}
/** A phase as an operation's state (SOL003, 5.6.2.2). `error` may still become ready: FAILED_TEMP. */
export const solOperations: Readonly<Record<Phase, SolOperation>> = {
  pending: { operation: 'CREATE', operationState: 'PROCESSING' },
  ready: { operation: 'CREATE', operationState: 'COMPLETED' },
  error: { operation: 'CREATE', operationState: 'FAILED_TEMP' },
  terminating: { operation: 'DELETE', operationState: 'PROCESSING' },
  deleted: { operation: 'DELETE', operationState: 'COMPLETED' },
}

const suffix = 'StateChangeNotification'
/** Of the notifications about a kind. */
export const notificationTypeOf = (kind: string): string => `${kind}${suffix}`
/** Undefined where it is none of ours. */
export const kindNotifiedBy = (type: string): string | undefined => (type.endsWith(suffix) ? type.slice(0, -suffix.length) : undefined)

const word = Type.String({ minLength: 1, maxLength: 253 })
const branches = { minItems: 1, maxItems: nfvListMax, 'x-kubernetes-list-type': 'atomic' } as const
const Version = Type.Object(
  {
    vnfSoftwareVersion: word,
    vnfdVersions: Type.Optional(NfvWords),
  },
  closed,
)
const Product = Type.Object(
  {
    vnfProductName: word,
    versions: Type.Optional(Type.Array(Version, branches)),
  },
  closed,
)
const Provider = Type.Object(
  {
    vnfProvider: word,
    vnfProducts: Type.Optional(Type.Array(Product, branches)),
  },
  closed,
)
export type SolProvider = Static<typeof Provider>

/** SOL003, 4.4.1.5, and SOL005's of the same name. */
const VnfInstances = Type.Object(
  {
    vnfdIds: Type.Optional(NfvWords),
    vnfProductsFromProviders: Type.Optional(Type.Array(Provider, branches)),
    vnfInstanceIds: Type.Optional(NfvWords),
    vnfInstanceNames: Type.Optional(NfvWords),
  },
  {
    ...closed,
    description: `which VNF an object is part of, by its labels or annotations ${[nfvLabels.vnfdIds, nfvLabels.vnfInstanceIds, nfvLabels.vnfInstanceNames, ...Object.values(productLabels)].join(', ')}`,
  },
)
/** SOL005, 5.5.3.2 and following. */
const NsInstances = Type.Object(
  {
    nsdIds: Type.Optional(NfvWords),
    vnfdIds: Type.Optional(NfvWords),
    nsInstanceIds: Type.Optional(NfvWords),
    nsInstanceNames: Type.Optional(NfvWords),
  },
  {
    ...closed,
    description: `which network service an object is part of, by its labels or annotations ${[nfvLabels.nsdIds, nfvLabels.nsInstanceIds, nfvLabels.nsInstanceNames].join(', ')}`,
  },
)

const list = { minItems: 1, maxItems: 64, 'x-kubernetes-list-type': 'set' } as const

export const SolFilter = Type.Object(
  {
    notificationTypes: Type.Optional(
      Type.Array(Type.String({ maxLength: 128 }), { ...list, description: 'as PortStateChangeNotification' }),
    ),
    operationTypes: Type.Optional(Type.Array(OneOf(operationTypes), list)),
    operationStates: Type.Optional(
      Type.Array(OneOf([...operationStates, ...otherStates]), { ...list, description: `nothing here gets to ${otherStates.join(', ')}` }),
    ),
    vnfInstanceSubscriptionFilter: Type.Optional(VnfInstances),
    nsInstanceSubscriptionFilter: Type.Optional(NsInstances),
    resourcePhases: Type.Optional(
      Type.Array(OneOf(phases), { ...list, description: 'the same in our own words, where types and states cannot say it' }),
    ),
    resourceNames: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 253 }), list)),
    resourceNamespaces: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 63 }), { ...list, description: "only in Megrez's own namespace" }),
    ),
    resourceLabels: Type.Optional(Type.String({ minLength: 1, maxLength: 1024, description: 'a label selector, as a=b,c!=d' })),
  },
  { ...closed, description: 'all given parts must hold' },
)
export type SolFilter = Static<typeof SolFilter>

const secret = Type.String({ minLength: 1, maxLength: 4096 })

/** The RFC has S256, SOL013 (8.3.4) had 256. */
const CertificateRef = Type.Object(
  {
    type: OneOf(['x5t#S256', 'x5t#256']),
    value: Type.String({
      pattern: '^[A-Za-z0-9_-]{43}$',
      description: 'SHA-256 of our certificate in DER, base64url (RFC 7515 section 4.1.8)',
    }),
  },
  closed,
)

export const SolAuthentication = Type.Object(
  {
    authType: Type.Array(OneOf(['BASIC', 'OAUTH2_CLIENT_CREDENTIALS', 'OAUTH2_CLIENT_CERT', 'TLS_CERT']), {
      ...list,
      description: 'what the client takes: the first that can be done is done',
    }),
    paramsBasic: Type.Optional(
      Type.Object(
        {
          userName: secret,
          password: secret,
        },
        closed,
      ),
    ),
    paramsOauth2ClientCredentials: Type.Optional(
      Type.Object(
        {
          clientId: secret,
          clientPassword: secret,
          tokenEndpoint: CallbackURL,
        },
        closed,
      ),
    ),
    paramsOauth2ClientCert: Type.Optional(
      Type.Object(
        {
          clientId: secret,
          certificateRef: CertificateRef,
          tokenEndpoint: CallbackURL,
        },
        { ...closed, description: 'known by our certificate at the token endpoint and at the callbackUri (RFC 8705)' },
      ),
    ),
  },
  { ...closed, description: 'how the callbackUri knows us; never shown again' },
)
export type SolAuthentication = Static<typeof SolAuthentication>

const callbackUri = { ...CallbackURL, description: 'who is told; answers GET with 204 before it is' }
const verbosity = OneOf(['FULL', 'SHORT'], { description: 'with or without the object; FULL unless given' })

export const SolSubscriptionRequest = Type.Object(
  {
    callbackUri,
    filter: Type.Optional(SolFilter),
    authentication: Type.Optional(SolAuthentication),
    verbosity: Type.Optional(verbosity),
  },
  closed,
)
export type SolSubscriptionRequest = Static<typeof SolSubscriptionRequest>

export const SolSubscription = Type.Object(
  {
    id: Type.String({ description: 'as notifications have it in subscriptionId' }),
    filter: Type.Optional(SolFilter),
    callbackUri,
    verbosity,
    _links: Type.Object({ self: Type.Object({ href: Type.String() }, closed) }, closed),
  },
  closed,
)
export type SolSubscription = Static<typeof SolSubscription>
