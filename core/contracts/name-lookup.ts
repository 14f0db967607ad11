// Who answers what addresses a name outside has.
export interface ResolvedAddress {
  readonly address: string
  /** How long it may be kept, as the answer says. */
  readonly ttlSeconds: number
}

export interface NameLookup {
  /**
   * Addresses of both families; none of a name that is not there, or has none.
   *
   * @throws where nobody answers, or whoever answers cannot say
   */
  resolve(name: string): Promise<readonly ResolvedAddress[]>
}
