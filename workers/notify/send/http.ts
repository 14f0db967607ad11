// A notice as one signed POST; of an answer only its status counts.
import type { Delivery, Notifier, Receipt } from '../../../core/contracts/notifier.ts'
import type { Random } from '../../../platform/chance.ts'
import type { NamespaceSecrets } from '../../../platform/signing.ts'
import { Outgoing, type OutgoingOptions } from '../../../platform/http/guarded/outgoing.ts'
import { retryAfterMs } from '../pace/retry-after.ts'
import { signatures } from './sign.ts'

export interface HttpNotifierOptions extends OutgoingOptions {
  /** Each namespace's own sign what has none of its own. */
  readonly secrets: NamespaceSecrets
  readonly random: Random
}

export class HttpNotifier implements Notifier {
  readonly #options: HttpNotifierOptions
  readonly #outgoing: Outgoing

  /** @param outgoing whose connections are shared; closed by whoever made them */
  constructor(options: HttpNotifierOptions, outgoing?: Outgoing) {
    this.#options = options
    this.#outgoing = outgoing ?? new Outgoing(options)
  }

  async send(delivery: Delivery, signal: AbortSignal): Promise<Receipt> {
    const { url, body, access } = delivery
    const answer = await this.#outgoing.ask(
      { method: 'POST', url, body, headers: this.#headers(delivery), ...(access === undefined ? {} : { access }) },
      signal,
    )
    if ('kind' in answer) return answer
    const { status, headers } = answer
    if (status >= 200 && status < 300) return { kind: 'accepted', status }
    const after = status === 429 || status === 503 ? retryAfterMs(headers['retry-after'], this.#options.clock.now()) : undefined
    return { kind: 'refused', status, ...(after === undefined ? {} : { retryAfterMs: after }) }
  }

  close(): Promise<void> {
    return this.#outgoing.close()
  }

  #headers({ id, body, sequence, phase, headers, access, ...cause }: Delivery): Record<string, string> {
    const timestamp = Math.floor(this.#options.clock.now() / 1000)
    const signature = signatures(access?.secrets ?? this.#options.secrets.signing(access?.namespace ?? ''), id, timestamp, body)
    return {
      'content-type': 'application/json',
      'user-agent': 'megrez',
      ...headers,
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      ...(signature === '' ? {} : { 'webhook-signature': signature }),
      ...traceOf(id, cause, this.#options.random),
      'megrez-sequence': String(sequence),
      'megrez-phase': phase,
      ...(access?.authorization === undefined ? {} : { authorization: access.authorization }),
    }
  }
}

function traceOf(
  id: string,
  { traceparent, tracestate }: Pick<Delivery, 'traceparent' | 'tracestate'>,
  random: Random,
): Readonly<Record<string, string>> {
  if (traceparent === undefined) return { traceparent: spanOf(ownTraceOf(id), random) }
  return { traceparent: spanOf(traceparent, random), ...(tracestate !== undefined && { tracestate }) }
}

/** Where no request has said which trace it is part of, all tries of one notice are one. */
const ownTraceOf = (id: string): string => `00-${Buffer.from(id.slice(-16).padStart(16, '0')).toString('hex')}-0000000000000001-01`

/** W3C Trace Context, level 1: each try is a span of its own within the trace. */
function spanOf(traceparent: string, random: Random): string {
  const half = (): string =>
    Math.floor(1 + random() * 0xffff_fffe)
      .toString(16)
      .padStart(8, '0')
  return `${traceparent.slice(0, 36)}${half()}${half()}${traceparent.slice(52)}`
}
