// How long one request is tried that an API server is too busy for (API priority and fairness; a watch cache that is being filled).

/** As client-go has it: ten tries. */
const triesMax = 10
/** In all: less than an admission webhook's ten seconds, and than our callers' own patience. */
const waitMaxMs = 8_000
/** Whoever was refused at the same moment should not come back at the same moment. */
const spread = 0.25

export class RetryBudget {
  #random: () => number
  #tries = 0
  #waitedMs = 0

  constructor(random: () => number) {
    this.#random = random
  }

  /** Milliseconds until it is sent again; undefined: the answer stands. Only a 429 that says when: it has not been executed. */
  waitMs({ status, retryAfterMs }: { readonly status: number; readonly retryAfterMs: number | undefined }): number | undefined {
    this.#tries += 1
    if (status !== 429 || retryAfterMs === undefined || this.#tries >= triesMax) return undefined
    const waitMs = Math.round(retryAfterMs * (1 + spread * this.#random()))
    if (this.#waitedMs + waitMs > waitMaxMs) return undefined
    this.#waitedMs += waitMs
    return waitMs
  }
}
