// What a Subscription's status says, and what is done for it: its credentials are copied, its sink is checked, a sample is
// sent, and what is kept is sent anew.
import { allKinds, refOf, type Resource, type SpecOf } from '../../kinds/index.ts'
import { parseLabels } from '../../kinds/selector.ts'
import { credentialsName, derivedName, hash80 } from '../../net/names.ts'
import { subscriptionLabel } from '../../kinds/annotations.ts'
import type { Draft } from '../../contracts/store.ts'
import { isNotified } from '../../kinds/notify/notified.ts'
import { aboutOf } from './beginning.ts'
import { isGone, keepMsOf } from './subscribers.ts'
import type { Plan, Step } from '../plan.ts'

type Subscription = Resource<'Subscription'>
type Tested = NonNullable<NonNullable<Subscription['status']>['tested']>

/** The keys of a Secret that each way of authenticating uses. */
export const secretKeys = {
  basic: ['username', 'password'],
  bearer: ['token'],
  oauth2: ['clientId', 'clientSecret'],
  certificate: ['tls.crt', 'tls.key'],
  'oauth2-certificate': ['tls.crt', 'tls.key'],
} as const
/**
 * Of a Secret with a certificate: authorities beside the Subscription's own `ca`, as kubernetes.io/tls has them. SOL's body has no field
 * for any.
 */
export const authoritiesKey = 'ca.crt'
export const signingKey = 'secrets'
/** In the copy: the Subscription itself, so that it can be told of the end of objects that outlive it. */
export const subscriptionKey = 'subscription'

/**
 * Whether what it authenticates by was taken from the request that made it: then it is in Megrez's own namespace, where no tenant
 * reads. The name says whose it is, so that no other Subscription can name it.
 */
export const keepsCredentials = ({ spec, metadata }: Pick<Subscription, 'spec' | 'metadata'>): boolean =>
  spec.auth?.secret === credentialsName(metadata.namespace ?? '', metadata.name)

/** What of a Subscription makes a check of its sink worth doing again. */
export const checkedOf = ({ spec }: Subscription): string => hash80('sink', JSON.stringify([spec.sink, spec.profile, spec.auth, spec.ca]))
export const isVerified = (subscription: Subscription): boolean =>
  subscription.spec.sink !== undefined && subscription.status?.verified === checkedOf(subscription)

export interface SubscriptionDesired {
  readonly subscription: Subscription
  readonly namespace: string
  /** Its namespace is going; objects in it that it has still to be told of, at most until the bound. */
  readonly held: number | undefined
}

/** Data of a Secret of ours: values in base64. */
export type CopiedCredentials = Readonly<Record<string, string>>

export interface SubscriptionObserved {
  /** What is to be copied; a sentence where something is missing. */
  readonly credentials: CopiedCredentials | { readonly missing: string }
  /** The copies there are, by name. */
  readonly copies: readonly string[]
  /** The Secret that was taken from the request that made it, where it is going and that is still there. */
  readonly kept?: string | undefined
  /** What the sink answered to its check; undefined where none was due. */
  readonly check: { readonly passed: true } | { readonly failed: string } | undefined
  readonly tested: Tested | undefined
  /** Notices to be sent anew. */
  readonly replay: readonly Resource<'Notice'>[] | { readonly problem: string }
}

export type SubscriptionAction =
  | { readonly do: 'copyCredentials'; readonly draft: Draft<'Secret'> }
  /** Every object that it is about hears of it before it says that it tells of them. */
  | { readonly do: 'begin'; readonly subscription: Subscription }
  | { readonly do: 'forgetCopy'; readonly namespace: string; readonly name: string }
  | { readonly do: 'sendAgain'; readonly notice: Resource<'Notice'>; readonly target: string }

/** A secret may have been replaced without a word to us, and a sink that failed may be back. */
const requeueAfterMs = 300_000
const failedAgainMs = 30_000

/** Each reason for which a Subscription is in error, and the field that it is about. */
export const subscriptionErrors = {
  Refused: '/spec/filter',
  SinkGone: '/spec/sink',
  NoCredentials: '/spec/auth',
  NotVerified: '/spec/sink',
} as const
export type SubscriptionError = keyof typeof subscriptionErrors
export const isSubscriptionError = (reason: string | undefined): reason is SubscriptionError =>
  reason !== undefined && Object.hasOwn(subscriptionErrors, reason)

type SubscriptionVerdict = Pick<Plan<SubscriptionAction>, 'phase' | 'reason' | 'message'>

export function planSubscription(desired: SubscriptionDesired, observed: SubscriptionObserved): Plan<SubscriptionAction> {
  const { subscription } = desired
  if (subscription.metadata.deletionTimestamp !== undefined) return planEnd(desired, observed)
  const copy = copyOf(desired, observed.credentials)
  const verified = verifiedBy(subscription, observed.check)
  const verdict = verdictFrom(desired, observed, verified !== undefined)
  const { status = {}, spec } = subscription
  const before = { credentials: status.credentials, tested: status.tested, replayed: status.replayed }
  const begins = verdict.phase === 'ready' && status.begun !== aboutOf(subscription)
  const now = present({
    verified,
    begun: begins ? aboutOf(subscription) : begunOf(subscription),
    credentials: copy?.metadata.name,
    tested: observed.tested,
    replayed: spec.replay?.id,
  })
  const endpoint = { ...present(before), ...now }
  const steps = [...copySteps(desired, observed, copy), ...replaySteps(desired, observed), ...(begins ? [beginStep(subscription)] : [])]
  return {
    steps,
    ...verdict,
    conditions: deliveringOf(subscription),
    sections: { endpoint },
    requeueAfterMs: verdict.phase === 'error' ? failedAgainMs : requeueAfterMs,
  }
}

/** While its sink is gone nobody reports for it: it begins anew. */
const begunOf = (subscription: Subscription): string | undefined => (isGone(subscription) ? undefined : subscription.status?.begun)

const beginStep = (subscription: Subscription): Step<SubscriptionAction> => ({
  action: { do: 'begin', subscription },
  because: { rule: 'what was planned without it does not land any more', of: refOf(subscription as Resource) },
})

const verifiedBy = (subscription: Subscription, check: SubscriptionObserved['check']): string | undefined =>
  isPassed(check) || isVerified(subscription) ? checkedOf(subscription) : undefined
const isPassed = (check: SubscriptionObserved['check']): boolean => check !== undefined && 'passed' in check
const present = (fields: object): object => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

/** The first of these that holds. */
const verdicts: readonly ((desired: SubscriptionDesired, observed: SubscriptionObserved) => SubscriptionVerdict | undefined)[] = [
  ({ subscription, namespace }) => error('Refused', problemOf(subscription, namespace)),
  ({ subscription }) =>
    error('SinkGone', isGone(subscription) ? 'the sink answered 410: it is told of no more until the Subscription is changed' : undefined),
  (_, { credentials }) => error('NoCredentials', isLack(credentials) ? credentials.missing : undefined),
  ({ subscription }) =>
    subscription.spec.sink === undefined
      ? { phase: 'ready', reason: 'Pulled', message: `events are kept for ${keepMsOf(subscription) / 1_000} s` }
      : undefined,
  (_, { check }) => error('NotVerified', check !== undefined && 'failed' in check ? check.failed : undefined),
]
const error = (reason: SubscriptionError, message: string | undefined): SubscriptionVerdict | undefined =>
  message === undefined ? undefined : { phase: 'error', reason, message }
export const isLack = (found: SubscriptionObserved['credentials']): found is { readonly missing: string } =>
  typeof found['missing'] === 'string' && Object.keys(found).length === 1

function verdictFrom(desired: SubscriptionDesired, observed: SubscriptionObserved, verified: boolean): SubscriptionVerdict {
  for (const judge of verdicts) {
    const verdict = judge(desired, observed)
    if (verdict !== undefined) return verdict
  }
  if (!verified) return { phase: 'pending', reason: 'NotVerified', message: 'the sink has not been checked yet' }
  if ('problem' in observed.replay) return { phase: 'ready', reason: 'NotReplayed', message: observed.replay.problem }
  if (desired.subscription.spec.paused === true)
    return { phase: 'ready', reason: 'Paused', message: 'nothing is sent while it is paused; nothing is lost' }
  const [{ status = 'Unknown', message = '' } = {}] = deliveringOf(desired.subscription)
  if (status === 'False') return { phase: 'ready', reason: 'NotDelivering', message }
  return { phase: 'ready', reason: 'Verified', message: 'the sink is told of each change' }
}

/** Whether what is sent is also taken: an accepted Subscription alone proves nothing. */
function deliveringOf({ spec, status }: Subscription): NonNullable<Plan<never>['conditions']> {
  if (spec.sink === undefined) return []
  const type = 'Delivering'
  const { delivering } = status ?? {}
  if (delivering === undefined) return [{ type, status: 'Unknown', reason: 'NothingSent', message: 'nothing has been sent yet' }]
  if (delivering.taken)
    return [{ type, status: 'True', reason: 'Taken', message: `the sink takes what it is sent since ${delivering.since}` }]
  return [
    {
      type,
      status: 'False',
      reason: 'NotTaken',
      message: `the sink takes nothing since ${delivering.since}: ${delivering.reason ?? ''}. What happens waits for it`,
    },
  ]
}

function problemOf({ spec: { filter = {} }, metadata }: Subscription, own: string): string | undefined {
  const stranger = filter.kinds?.find((kind) => !allKinds.some((each) => each === kind && isNotified(each)))
  if (stranger !== undefined) return `${stranger} is no kind that is told of: ${allKinds.filter(isNotified).join(', ')} are`
  if (filter.labels !== undefined && parseLabels(filter.labels) === undefined)
    return `${JSON.stringify(filter.labels)} is no label selector`
  if (filter.namespaces?.some((each) => each !== metadata.namespace) === true && metadata.namespace !== own)
    return "only a Subscription in Megrez's own namespace is told of other namespaces"
  return undefined
}

function replaySteps({ subscription }: SubscriptionDesired, { replay }: SubscriptionObserved): Step<SubscriptionAction>[] {
  if ('problem' in replay) return []
  return replay.map((notice) => ({
    action: { do: 'sendAgain', notice, target: subscription.metadata.uid },
    because: { rule: 'a replay was asked for', of: refOf(notice as Resource) },
  }))
}

function copySteps(
  { namespace }: SubscriptionDesired,
  { copies }: SubscriptionObserved,
  copy: Draft<'Secret'> | undefined,
): Step<SubscriptionAction>[] {
  if (copy === undefined) return []
  const { name } = copy.metadata
  const old = copies.filter((each) => each !== name)
  return [
    ...(copies.includes(name)
      ? []
      : [
          {
            action: { do: 'copyCredentials' as const, draft: copy },
            because: { rule: 'credentials outlive the namespace they are in', of: { kind: 'Secret' as const, namespace, name } },
          },
        ]),
    ...old.map((each) => ({
      action: { do: 'forgetCopy' as const, namespace, name: each },
      because: { rule: 'credentials that were replaced', of: { kind: 'Secret' as const, namespace, name: each } },
    })),
  ]
}

/** Named by what is in it, so that it never changes: whoever knows the name knows the content. */
function copyOf(
  { subscription, namespace }: SubscriptionDesired,
  credentials: SubscriptionObserved['credentials'],
): Draft<'Secret'> | undefined {
  if (isLack(credentials) || subscription.spec.sink === undefined) return undefined
  const { uid } = subscription.metadata
  const name = derivedName(`subscription-${subscription.metadata.name}`, [
    'subscription',
    uid,
    JSON.stringify(Object.entries(credentials).sort()),
  ])
  const spec: SpecOf<'Secret'> = { type: 'Opaque', data: credentials }
  return { kind: 'Secret', metadata: { namespace, name, labels: { [subscriptionLabel]: uid } }, spec }
}

/** Its namespace's objects are told of to their end, for a bounded time; whoever only unsubscribes is told of nothing more. */
function planEnd({ subscription, namespace, held }: SubscriptionDesired, { copies, kept }: SubscriptionObserved): Plan<SubscriptionAction> {
  if (held !== undefined && held > 0)
    return {
      steps: [],
      phase: 'terminating',
      reason: 'ObjectsGoing',
      message: `waits for the end of ${held} objects in its namespace`,
      requeueAfterMs: 1_000,
    }
  const going = [...(held === undefined ? copies : []), ...(kept === undefined ? [] : [kept])]
  const steps = going.map((name): Step<SubscriptionAction> => ({
    action: { do: 'forgetCopy', namespace, name },
    because: { rule: 'nobody is told by it any more', of: refOf(subscription as Resource) },
  }))
  return { steps, phase: 'deleted', reason: 'Ended', message: held === undefined ? 'unsubscribed' : 'what waits is still sent' }
}
