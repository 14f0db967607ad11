// Whether a sink wants events at all, asked before anything is sent: no receiver is flooded by a Subscription that others have made.
import { callbackProblem } from '../../../core/admit/object/callback-target.ts'
import type { Access, Notifier } from '../../../core/contracts/notifier.ts'
import type { Resource } from '../../../core/kinds/index.ts'
import { hash80 } from '../../../core/net/names.ts'
import { rendererOf } from '../../../core/plan/notify/profiles/index.ts'
import { solVersion } from '../../../core/kinds/notify/sol.ts'
import { notifiedStateOf } from '../../../core/plan/notify/notices.ts'
import type { CopiedCredentials } from '../../../core/plan/notify/subscription.ts'
import type { Random } from '../../../platform/chance.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Config } from '../../../platform/config.ts'
import { AccessMaker } from './access-token.ts'
import { HttpNotifier } from './http.ts'
import { Outgoing } from '../../../platform/http/guarded/outgoing.ts'
import { NamespaceSecrets, readSecrets } from '../../../platform/signing.ts'
import { outcomeOf, reasonOf } from './error-text.ts'

type Subscription = Resource<'Subscription'>
export type EndpointCheck = { readonly passed: true } | { readonly failed: string }
type Tested = NonNullable<NonNullable<Subscription['status']>['tested']>
export type EndpointConfig = Pick<
  Config,
  | 'callbackTimeoutMs'
  | 'callbackAllow'
  | 'callbackAllowIn'
  | 'callbackHttp'
  | 'callbackSecret'
  | 'callbackSharedSignature'
  | 'callbackOrigin'
  | 'publicUrl'
>

export class Endpoints {
  readonly #config: EndpointConfig
  readonly #clock: Clock
  readonly #outgoing: Outgoing
  readonly #notifier: Notifier
  readonly #access: AccessMaker

  constructor(config: EndpointConfig, clock: Clock, random: Random) {
    this.#config = config
    this.#clock = clock
    const options = { settings: config, timeoutMs: config.callbackTimeoutMs, clock }
    this.#outgoing = new Outgoing(options)
    const secrets = new NamespaceSecrets(readSecrets(config.callbackSecret), config.callbackSharedSignature)
    this.#access = new AccessMaker(this.#outgoing, clock, secrets)
    this.#notifier = new HttpNotifier({ ...options, random, secrets }, this.#outgoing)
  }

  close(): Promise<void> {
    return this.#outgoing.close()
  }

  /** Asks the sink as its profile has it: SOL by GET, answered 204; CloudEvents by OPTIONS, answered with our origin. */
  async check(subscription: Subscription, copied: CopiedCredentials, signal: AbortSignal): Promise<EndpointCheck> {
    const { sink = '', profile } = subscription.spec
    const problem = callbackProblem(sink, this.#config, subscription.metadata.namespace)
    if (problem !== undefined) return { failed: `the sink may not be reached: ${problem}` }
    if (profile !== 'sol' && profile !== 'cloudevents') return { passed: true }
    const had = await this.#accessOf(subscription, copied, signal)
    if ('failed' in had) return had
    return profile === 'sol' ? this.#checkSol(sink, had.access, signal) : this.#checkCloudEvents(sink, had.access, signal)
  }

  /** Sends a sample: the Subscription itself, in its profile, signed. */
  async test(subscription: Subscription, copied: CopiedCredentials, id: string, signal: AbortSignal): Promise<Tested> {
    const time = new Date(this.#clock.now()).toISOString()
    const had = await this.#accessOf(subscription, copied, signal)
    if ('failed' in had) return { id, time, outcome: 'no-token', reason: had.failed }
    const { status: _, ...bare } = subscription
    const request = {
      eventId: `test-${id}`,
      sequence: 0,
      phase: 'ready' as const,
      time,
      object: notifiedStateOf(bare, 'ready'),
      root: this.#config.publicUrl,
    }
    const rendered = rendererOf(subscription)(request, subscription)
    const receipt = await this.#notifier.send(
      {
        id: `msg_${hash80('test', subscription.metadata.uid, id)}`,
        url: subscription.spec.sink ?? '',
        sequence: 0,
        phase: 'ready',
        ...rendered,
        access: had.access,
      },
      signal,
    )
    const reason = reasonOf(receipt)
    return {
      id,
      time,
      outcome: outcomeOf(receipt),
      ...('status' in receipt ? { code: receipt.status } : {}),
      ...(reason === undefined ? {} : { reason }),
    }
  }

  async #accessOf(
    subscription: Subscription,
    copied: CopiedCredentials,
    signal: AbortSignal,
  ): Promise<{ readonly access: Access } | { readonly failed: string }> {
    const had = await this.#access.of(subscription, copied, `${subscription.metadata.uid} ${hash80(JSON.stringify(copied))}`, signal)
    return 'access' in had ? had : { failed: `no token: ${'reason' in had.receipt ? had.receipt.reason : had.receipt.kind}` }
  }

  /** SOL003, 5.4.18.3.1: the producer tests the endpoint, and takes 204 alone. */
  async #checkSol(url: string, access: Access, signal: AbortSignal): Promise<EndpointCheck> {
    const answer = await this.#outgoing.ask(
      { method: 'GET', url, access, headers: { ...authorized(access), accept: 'application/json', version: solVersion } },
      signal,
    )
    if ('kind' in answer) return { failed: `the sink does not answer GET: ${answer.reason}` }
    return answer.status === 204 ? { passed: true } : { failed: `the sink answered GET with ${answer.status}, not 204` }
  }

  /** HTTP 1.1 Web Hooks for Event Delivery 1.0, section 4: abuse protection. */
  async #checkCloudEvents(url: string, access: Access, signal: AbortSignal): Promise<EndpointCheck> {
    const origin = this.#config.callbackOrigin
    const answer = await this.#outgoing.ask(
      { method: 'OPTIONS', url, access, headers: { ...authorized(access), 'webhook-request-origin': origin } },
      signal,
    )
    if ('kind' in answer) return { failed: `the sink does not answer OPTIONS: ${answer.reason}` }
    const allowed = String(answer.headers['webhook-allowed-origin'] ?? '').trim()
    if (answer.status >= 200 && answer.status < 300 && (allowed === '*' || allowed.toLowerCase() === origin.toLowerCase()))
      return { passed: true }
    return {
      failed: `the sink answered OPTIONS with ${answer.status} and WebHook-Allowed-Origin ${JSON.stringify(allowed.slice(0, 100))}, not ${origin}`,
    }
  }
}

const authorized = ({ authorization }: Access): Readonly<Record<string, string>> => (authorization === undefined ? {} : { authorization })
