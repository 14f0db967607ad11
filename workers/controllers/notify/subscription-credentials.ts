// What is copied of the Secrets that a Subscription names, or why nothing is.
import { whyNotSent } from '../../../core/admit/object/callback-secrets.ts'
import type { Resource } from '../../../core/kinds/index.ts'
import {
  authoritiesKey,
  keepsCredentials,
  secretKeys,
  signingKey,
  subscriptionKey,
  type CopiedCredentials,
  type SubscriptionObserved,
} from '../../../core/plan/notify/subscription.ts'
import { RbacDenied } from '../../../platform/kube/answers.ts'
import type { Env } from '../../controller-env.ts'
import { lackOf } from '../../notify/send/access-token.ts'

type Subscription = Resource<'Subscription'>
type Secret = Resource<'Secret'>
interface Missing {
  readonly missing: string
}
/** Each is absent where the Subscription names none, or where the one it names is not there. */
interface CredentialSecrets {
  readonly auth: Secret | undefined
  readonly signing: Secret | undefined
}

/** Only the keys that are used are copied, and the Subscription with them. */
export async function credentialsOf(subscription: Subscription, env: Env): Promise<SubscriptionObserved['credentials']> {
  const found = await secretsOf(subscription, env).catch(unreadable)
  if ('missing' in found) return found
  const missing = whyNot(subscription, found)
  return missing === undefined ? copied(subscription, found) : { missing }
}

async function secretsOf(subscription: Subscription, { store, config }: Env): Promise<CredentialSecrets> {
  const { namespace = '' } = subscription.metadata
  const read = async (named: { readonly secret: string } | undefined, from: string): Promise<Secret | undefined> =>
    named === undefined ? undefined : store.get({ kind: 'Secret', namespace: from, name: named.secret })
  const [auth, signing] = await Promise.all([
    read(subscription.spec.auth, keepsCredentials(subscription) ? config.namespace : namespace),
    read(subscription.spec.signing, namespace),
  ])
  return { auth, signing }
}

/** In a cluster that right is given only where it is asked for: then it is said, not tried again in silence. */
function unreadable(err: unknown): Missing {
  if (err instanceof RbacDenied)
    return { missing: 'workers may not read Secrets of tenants: workers.subscriptionSecrets of the chart is off' }
  throw err
}

/** What we keep for a Subscription ourselves needs nobody's label. */
function whyNot(subscription: Subscription, { auth, signing }: CredentialSecrets): string | undefined {
  const tenants = keepsCredentials(subscription) ? [signing] : [auth, signing]
  const unasked = tenants.map((secret) => secret && whyNotSent(secret)).find((why) => why !== undefined)
  return unasked ?? lackOf(subscription, auth?.spec.data, 'auth') ?? lackOf(subscription, signing?.spec.data, 'signing')
}

function copied(
  { apiVersion, kind, metadata: { namespace = '', name, uid }, spec }: Subscription,
  found: CredentialSecrets,
): CopiedCredentials {
  const { test: _, replay: __, ...lasting } = spec
  const itself = JSON.stringify({ apiVersion, kind, metadata: { namespace, name, uid }, spec: lasting })
  return {
    ...picked(found.auth, (has) => (spec.auth === undefined ? [] : keysOf(spec.auth.type, has))),
    ...picked(found.signing, () => (spec.signing === undefined ? [] : [signingKey])),
    [subscriptionKey]: Buffer.from(itself).toString('base64'),
  }
}

function keysOf(type: keyof typeof secretKeys, found: CopiedCredentials): readonly string[] {
  const keys: readonly string[] = secretKeys[type]
  return keys.includes('tls.crt') && found[authoritiesKey] !== undefined ? [...keys, authoritiesKey] : keys
}

function picked(secret: Secret | undefined, keys: (has: CopiedCredentials) => readonly string[]): CopiedCredentials {
  const has: CopiedCredentials = secret?.spec.data ?? {}
  return Object.fromEntries(keys(has).map((key) => [key, has[key] ?? '']))
}
