// Who carries one notice to whoever asked to be told.
import type { Phase } from '../kinds/meta.ts'
import type { DeliveryObstacle } from '../kinds/notify/outcomes.ts'

/** How a receiver knows us, and how we know it. Never logged. */
export interface Access {
  /** Whose allowed blocks count beside everybody's. */
  readonly namespace?: string
  /** The header Authorization. */
  readonly authorization?: string
  /** Each signs. Absent: the notifier's own do. */
  readonly secrets?: readonly Uint8Array[]
  /** Further certificate authorities, PEM. */
  readonly ca?: string
  /** Ours, PEM. */
  readonly certificate?: { readonly cert: string; readonly key: string }
}

/** One sending of one change to one receiver. */
export interface Delivery {
  /** The same over all retries and restarts: the receiver's key against doubles (Standard Webhooks 1.0, `webhook-id`). */
  readonly id: string
  readonly url: string
  readonly sequence: number
  readonly phase: Phase
  /** Sent, and signed, byte for byte. */
  readonly body: string
  /** Of the request that caused it (W3C Trace Context); absent: the delivery begins a trace of its own. */
  readonly traceparent?: string
  /** Of that trace; never alone. */
  readonly tracestate?: string
  /** Of its profile; JSON unless they say what the body is. */
  readonly headers?: Readonly<Record<string, string>>
  readonly access?: Access
}

export type Receipt =
  /** Any 2xx. */
  | { readonly kind: 'accepted'; readonly status: number }
  /** Any other answer, redirects included: none is followed. */
  | { readonly kind: 'refused'; readonly status: number; readonly retryAfterMs?: number }
  /** Nobody was connected, as the target may not be reached. */
  | { readonly kind: 'forbidden'; readonly reason: string }
  /** No connection could be made; `slow`: one was, and no whole answer came in time. */
  | { readonly kind: 'unreachable' | 'slow'; readonly reason: string; /** Absent: as `say` has it. */ readonly obstacle?: DeliveryObstacle }

/**
 * Promises, tested by test/laws/notifier.ts:
 * 1 whatever a receiver does is an answer, never an exception;
 * 2 an accepted delivery was received whole: id, sequence, phase and body;
 * 3 a signal that falls ends the sending at once;
 * 4 what one receiver does changes nothing for another.
 */
export interface Notifier {
  send(delivery: Delivery, signal: AbortSignal): Promise<Receipt>
  close(): Promise<void>
}
