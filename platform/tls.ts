// Certificates that may change while a server runs.

export interface CertificatePair {
  /** PEM. */
  readonly key: string
  /** PEM, the leaf first. */
  readonly cert: string
  /** PEM of who signs the certificates that clients must show; absent: none need to, or it is kept elsewhere. */
  readonly clientCa?: string
}

export interface CertificateSource {
  current(): CertificatePair
  /** Calls back on each change; the answer stops it. */
  on(listener: (now: CertificatePair) => void): () => void
}

/** A source whose pair is set by hand: the trunk that files and keyrings put theirs into. */
export class Certificates implements CertificateSource {
  #now: CertificatePair
  #listeners = new Set<(now: CertificatePair) => void>()

  constructor(first: CertificatePair) {
    this.#now = first
  }

  current(): CertificatePair {
    return this.#now
  }

  on(listener: (now: CertificatePair) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Says nothing where nothing changes. */
  set(next: CertificatePair): void {
    if (next.key === this.#now.key && next.cert === this.#now.cert && next.clientCa === this.#now.clientCa) return
    this.#now = next
    for (const listener of this.#listeners) listener(next)
  }
}
