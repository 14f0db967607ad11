/**
 * How often this process was thrown something, or had something rejected, that nobody hears: the first ends it (run.ts), and its metrics
 * tell until then.
 */
export const unhandledErrors = { count: 0 }
