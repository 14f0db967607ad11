/** A fault of an object. */
export interface Problem {
  /** JSON pointer (RFC 6901) of the field at fault. */
  readonly at: string
  /** What is wrong and what would be right, to be read after the field's name. */
  readonly message: string
}
