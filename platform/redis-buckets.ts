// Buckets of tokens that all processes take from: one script in Redis, which fills them by its own clock.
import { hash } from 'node:crypto'
import { realClock, type Clock } from './clock.ts'
import { caFor } from './queue/ca.ts'
import { connect, readRedisAddress, type Client } from './queue/redis.ts'

/** What several processes count together. */
export interface Buckets {
  /** As many of `want` tokens of one's bucket as are left, perhaps none; undefined where nobody can be asked. */
  take(who: string, want: number): Promise<number | undefined>
  close(): void
}

export interface BucketOptions {
  readonly redis: string
  /** Path of the certificates, PEM, that a Redis over TLS is judged by. */
  readonly ca?: string | undefined
  readonly prefix: string
  readonly perSecond: number
  readonly burst: number
  readonly clock?: Clock
}

/** Longer than an answer of Redis takes, shorter than a caller would notice. */
const answerMs = 250

/** The level has a fraction: what is left over by rounding down is not lost. */
const script = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local rate, full, want = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local bucket = redis.call('HMGET', KEYS[1], 'level', 'at')
local level = math.min(full, (tonumber(bucket[1]) or full) + math.max(0, now - (tonumber(bucket[2]) or now)) * rate / 1000)
local granted = math.min(want, math.floor(level))
redis.call('HSET', KEYS[1], 'level', tostring(level - granted), 'at', tostring(now))
redis.call('PEXPIRE', KEYS[1], math.ceil(full / rate * 1000) + 1000)
return granted`
const digest = hash('sha1', script, 'hex')

/** @throws ConfigInvalid where `redis` is no place, or `ca` no file for it */
export function redisBuckets({ redis, ca, prefix, perSecond, burst, clock = realClock }: BucketOptions): Buckets {
  const place = readRedisAddress(redis)
  const connection = connect(place, 'adds', caFor(ca, place))
  const { client } = connection
  // What it would say, each failed asking says.
  client.on('error', () => undefined)
  return {
    async take(who, want) {
      const key = `${prefix}:rate:${hash('sha256', who, 'base64url').slice(0, 22)}`
      const granted = await within(run(client, key, [perSecond, burst, want]), clock).catch(() => undefined)
      return typeof granted === 'number' ? granted : undefined
    },
    close: () => connection.end(),
  }
}

async function run(client: Client, key: string, values: readonly number[]): Promise<unknown> {
  try {
    return await client.evalsha(digest, 1, key, ...values)
  } catch (err) {
    if (!(err instanceof Error) || !err.message.startsWith('NOSCRIPT')) throw err
    return client.eval(script, 1, key, ...values)
  }
}

/** Undefined where it takes too long. */
function within<T>(work: Promise<T>, clock: Clock): Promise<T | undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const cancel = clock.after(answerMs, () => resolve(undefined))
  return Promise.race([work, promise]).finally(cancel)
}
