/** The unix socket of the redis-server that test/run.ts started; its databases are everybody's, so use keys of your own. */
export const redisSocket = process.env.MEGREZ_TEST_REDIS

/** For a suite's `skip`: false where there is a Redis. */
export const redisSkip: string | false =
  redisSocket === undefined ? 'MEGREZ_TEST_REDIS names no socket: start it by npm run test:redis' : false
