// A subscription as SOL003 and SOL005 have it ↔ our Subscription.
import { allKinds, type Resource, type SpecOf } from '../../kinds/index.ts'
import { phases, type Phase } from '../../kinds/meta.ts'
import {
  kindNotifiedBy,
  notificationTypeOf,
  operationStates,
  operationTypes,
  solOperations,
  SolSubscriptionRequest,
  type SolAuthentication,
  type SolFilter,
  type SolSubscription,
} from '../../kinds/notify/sol.ts'
import { isNotified } from '../../kinds/notify/notified.ts'
import { meaninglessIn, nfvProblemsOf, nfvOf, solNfvOf } from './nfv.ts'
import type { Problem } from '../problem.ts'
import { schemaValidator } from '../object/schema-validator.ts'
import type { JsonSchema } from '../object/strict.ts'

type Spec = SpecOf<'Subscription'>
type Filter = NonNullable<Spec['filter']>
type Auth = NonNullable<Spec['auth']>

/**
 * The Secret of the Subscription's namespace that TLS_CERT and OAUTH2_CLIENT_CERT are done with: SOL has no field for what is the
 * producer's own.
 */
export const solCertificateName = 'sol-client-certificate'

/** How we are known, where the body says it. */
export interface SolAuth extends Pick<Auth, 'type' | 'tokenEndpoint' | 'clientId' | 'thumbprint'> {
  /** To be kept by reference; absent: they are in a Secret that is there already. */
  readonly credentials?: Readonly<Record<string, string>>
}
export interface SolSubscriptionSpec {
  readonly spec: Omit<Spec, 'auth'>
  readonly auth: SolAuth | undefined
}

const form = schemaValidator(SolSubscriptionRequest as unknown as JsonSchema)

/** The Subscription that a client's request asks for; or each problem of the request, with its pointer into the body. */
export function fromSol(body: unknown): SolSubscriptionSpec | { readonly problems: readonly Problem[] } {
  const without = meaninglessIn(body)
  const problems = [...without, ...form.problems(body, '').filter(({ at }) => !without.some((each) => each.at === at))]
  if (problems.length > 0) return { problems }
  const { callbackUri, filter = {}, authentication, verbosity } = body as SolSubscriptionRequest
  const invalid = [...problemsOf(filter), ...(authentication === undefined ? [] : problemsIn(authentication))]
  if (invalid.length > 0) return { problems: invalid }
  const ours = filterOf(filter)
  const spec = {
    sink: callbackUri,
    profile: 'sol' as const,
    ...(verbosity !== undefined && { verbosity }),
    ...(Object.keys(ours).length > 0 && { filter: ours }),
  }
  return { spec, auth: authentication === undefined ? undefined : authOf(authentication) }
}

const notifiedKinds = allKinds.filter(isNotified)

function problemsOf(filter: SolFilter): Problem[] {
  const strangers = (filter.notificationTypes ?? []).flatMap((type, i) =>
    notifiedKinds.some((kind) => kind === kindNotifiedBy(type))
      ? []
      : [
          {
            at: `/filter/notificationTypes/${i}`,
            message: `is not sent here: there are ${notifiedKinds.map(notificationTypeOf).join(', ')}`,
          },
        ],
  )
  const none =
    phasesOf(filter).length === 0
      ? [{ at: '/filter', message: 'lets nothing through: no operation of these types gets to these states' }]
      : []
  return [...strangers, ...none, ...nfvProblemsOf(filter)]
}

/** The phases that types, states and phases leave together. */
const phasesOf = ({ operationTypes: types, operationStates: states, resourcePhases }: SolFilter): readonly Phase[] =>
  phases.filter(
    (phase) => has(types, solOperations[phase].operation) && has(states, solOperations[phase].operationState) && has(resourcePhases, phase),
  )

const has = (wanted: readonly string[] | undefined, is: string): boolean => wanted === undefined || wanted.includes(is)

const sorted = (texts: readonly string[]): string[] => [...texts].sort()

/** In one order, so that the same filter is found again however it was written. */
function filterOf(filter: SolFilter): Filter {
  const left = phasesOf(filter)
  const { notificationTypes, resourceNames, resourceNamespaces, resourceLabels } = filter
  const nfv = nfvOf(filter)
  return {
    ...(notificationTypes !== undefined && { kinds: sorted(notificationTypes.map((type) => kindNotifiedBy(type) ?? type)) }),
    ...(resourceNamespaces !== undefined && { namespaces: sorted(resourceNamespaces) }),
    ...(resourceNames !== undefined && { names: sorted(resourceNames) }),
    ...(resourceLabels !== undefined && { labels: resourceLabels }),
    ...(left.length < phases.length && { phases: [...left] }),
    ...(nfv !== undefined && { nfv }),
  }
}

/** Each way of being known: what it takes, undefined where that is not given. */
const ways: Readonly<Record<SolAuthentication['authType'][number], (given: SolAuthentication) => SolAuth | undefined>> = {
  BASIC: ({ paramsBasic: given }) => given && { type: 'basic', credentials: { username: given.userName, password: given.password } },
  OAUTH2_CLIENT_CREDENTIALS: ({ paramsOauth2ClientCredentials: given }) =>
    given && {
      type: 'oauth2',
      tokenEndpoint: given.tokenEndpoint,
      credentials: { clientId: given.clientId, clientSecret: given.clientPassword },
    },
  OAUTH2_CLIENT_CERT: ({ paramsOauth2ClientCert: given }) =>
    given && {
      type: 'oauth2-certificate',
      tokenEndpoint: given.tokenEndpoint,
      clientId: given.clientId,
      thumbprint: given.certificateRef.value,
    },
  TLS_CERT: () => ({ type: 'certificate' }),
}

function authOf(given: SolAuthentication): SolAuth | undefined {
  for (const type of given.authType) {
    const auth = ways[type](given)
    if (auth !== undefined) return auth
  }
  return undefined
}

const needs =
  'BASIC with paramsBasic, OAUTH2_CLIENT_CREDENTIALS with paramsOauth2ClientCredentials, OAUTH2_CLIENT_CERT with paramsOauth2ClientCert, or TLS_CERT'
const problemsIn = (given: SolAuthentication): Problem[] =>
  authOf(given) === undefined ? [{ at: '/authentication/authType', message: `none of these can be done: ${needs} can` }] : []

/** Where in a client's body the fault is that is told of our Subscription. @param how by which it is to be known */
export function solPointer(at: string, how?: SolAuth['type']): string {
  if (how === 'oauth2-certificate' && at.startsWith('/spec/auth/')) return byCertificate[at] ?? '/authentication'
  for (const [ours, theirs] of pointers) if (at === ours || at.startsWith(`${ours}/`)) return theirs
  return ''
}
const byCertificate: Readonly<Record<string, string>> = {
  '/spec/auth/tokenEndpoint': '/authentication/paramsOauth2ClientCert/tokenEndpoint',
  '/spec/auth/clientId': '/authentication/paramsOauth2ClientCert/clientId',
  '/spec/auth/thumbprint': '/authentication/paramsOauth2ClientCert/certificateRef/value',
}
const pointers = [
  ['/spec/sink', '/callbackUri'],
  ['/spec/verbosity', '/verbosity'],
  ['/spec/filter/kinds', '/filter/notificationTypes'],
  ['/spec/filter/names', '/filter/resourceNames'],
  ['/spec/filter/namespaces', '/filter/resourceNamespaces'],
  ['/spec/filter/labels', '/filter/resourceLabels'],
  ['/spec/filter', '/filter'],
  ['/spec/auth/tokenEndpoint', '/authentication/paramsOauth2ClientCredentials/tokenEndpoint'],
  ['/spec/auth', '/authentication'],
] as const

/** A Subscription as such a client reads it: all but how we are known. */
export function solViewOf({ metadata, spec }: Resource<'Subscription'>, href: string): SolSubscription {
  const filter = solFilterOf(spec.filter ?? {})
  return {
    id: metadata.uid,
    ...(Object.keys(filter).length > 0 && { filter }),
    callbackUri: spec.sink ?? '',
    verbosity: spec.verbosity ?? 'FULL',
    _links: { self: { href } },
  }
}

const solFilterOf = ({ kinds, names, namespaces, labels, phases: wanted, nfv }: Filter): SolFilter => ({
  ...(kinds !== undefined && { notificationTypes: kinds.map(notificationTypeOf) }),
  ...(wanted !== undefined && criteriaFor(wanted)),
  ...(names !== undefined && { resourceNames: names }),
  ...(namespaces !== undefined && { resourceNamespaces: namespaces }),
  ...(labels !== undefined && { resourceLabels: labels }),
  ...solNfvOf(nfv),
})

type SolCriteria = Pick<SolFilter, 'operationTypes' | 'operationStates' | 'resourcePhases'>
const subsets = <T>(of: readonly T[]): T[][] => of.reduce<T[][]>((all, each) => [...all, ...all.map((some) => [...some, each])], [[]])
/** Every way of naming types and states, the shortest first. */
const criteria: readonly SolCriteria[] = subsets(operationTypes)
  .flatMap((types) =>
    subsets(operationStates).map((states) => ({
      ...(types.length > 0 && { operationTypes: types }),
      ...(states.length > 0 && { operationStates: states }),
    })),
  )
  .sort((a, b) => JSON.stringify(a).length - JSON.stringify(b).length)

function criteriaFor(wanted: readonly Phase[]): SolCriteria {
  const same = criteria.find((each) => sorted(phasesOf(each)).join() === sorted(wanted).join())
  return same ?? { resourcePhases: [...wanted] }
}
