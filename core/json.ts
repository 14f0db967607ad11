// JSON as it comes from outside: nothing is known of it yet.

/** An object of JSON. */
export type Json = Readonly<Record<string, unknown>>

/** Neither null nor a list. */
export const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
