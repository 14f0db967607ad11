/** A TAP that is listened at, for a VM that may come. */
export interface Arrival {
  readonly tap: string
  stop: () => void
  hasSpoken: boolean
  /** Of the Port, as it was seen last. */
  generation: number
}
