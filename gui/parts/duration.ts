/** Seconds, as people read the time that an answer takes; undefined: there was none. */
export const answerTime = (seconds: number | undefined): string =>
  seconds === undefined ? 'none yet' : `${(seconds * 1_000).toLocaleString('en', { maximumFractionDigits: 1 })} ms`
