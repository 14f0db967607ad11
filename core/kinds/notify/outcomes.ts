// What became of a sample that was sent to a Subscription's sink, in one word for programs; the reason beside it is for people.

/** Each word, and what it stands for. */
export const outcomes = {
  accepted: 'it was taken: any 2xx',
  refused: 'it was answered, by neither 2xx nor 3xx',
  redirected: 'it was answered by 3xx, and no redirect is followed',
  forbidden: 'the sink may not be reached, as we are set up',
  'unknown-name': "the sink's name leads to no address",
  unreachable: 'no connection could be made: nobody listens, or there is no way',
  untrusted: "the sink's certificate is not one to be trusted for its name",
  'no-tls': 'the sink does not speak TLS',
  slow: 'a connection was made, and no whole answer came in time',
  broken: 'a connection was made, and what came is no answer',
  'no-token': 'there are no credentials to send it with',
  pending: 'it is not known yet',
} as const

export type Outcome = keyof typeof outcomes
export const outcomeWords = Object.keys(outcomes) as readonly Outcome[]

/** Of one that came to no answer: what was in the way. */
export type DeliveryObstacle = Extract<Outcome, 'unknown-name' | 'unreachable' | 'untrusted' | 'no-tls' | 'slow' | 'broken' | 'no-token'>

export const outcomesDescribed = outcomeWords.map((word) => `${word}: ${outcomes[word]}`).join('; ')
