// Every setting of every process, once: name, unit, default, meaning. Unknown MEGREZ_ names are refused, and all mistakes are
// told at once. docs/settings.md is generated from the table.
import { ConfigInvalid } from '../core/errors.ts'
import type { NicLimits } from '../core/admit/world.ts'

interface Setting<T> {
  readonly env: string
  readonly meaning: string
  readonly fallback: T
  /** The value, or what would be right. */
  readonly read: (text: string) => { readonly value: T } | { readonly wrong: string }
}

const text = (env: string, fallback: string, meaning: string): Setting<string> => ({ env, fallback, meaning, read: (given) => ({ value: given }) })
const optional = (env: string, meaning: string): Setting<string | undefined> => ({ env, fallback: undefined, meaning, read: (given) => ({ value: given === '' ? undefined : given }) })
const whole = (env: string, fallback: number, meaning: string, { min = 0, max = 2 ** 31 } = {}): Setting<number> => ({
  env,
  fallback,
  meaning,
  read(given) {
    const value = Number(given)
    return /^\d+$/.test(given) && value >= min && value <= max ? { value } : { wrong: `must be a whole number from ${min} to ${max}` }
  },
})
const flag = (env: string, fallback: boolean, meaning: string): Setting<boolean> => ({
  env,
  fallback,
  meaning,
  read: (given) => (given === 'true' || given === 'false' ? { value: given === 'true' } : { wrong: 'must be true or false' }),
})
const list = (env: string, fallback: readonly string[], meaning: string): Setting<readonly string[]> => ({ env, fallback, meaning, read: (given) => ({ value: given.split(',').map((part) => part.trim()).filter((part) => part !== '') }) })
const oneOf = <const V extends readonly string[]>(env: string, values: V, fallback: V[number], meaning: string): Setting<V[number]> => ({
  env,
  fallback,
  meaning,
  read: (given) => (values.includes(given) ? { value: given } : { wrong: `must be one of ${values.join(', ')}` }),
})
const nicLimits = (env: string, fallback: NicLimits, meaning: string): Setting<NicLimits> => ({
  env,
  fallback,
  meaning,
  read(given) {
    const wrong = { wrong: 'must be JSON such as {"default":8,"flavors":{"m1.large":4}}' }
    try {
      const value = JSON.parse(given) as Partial<NicLimits>
      const counts = [value.default, ...Object.values(value.flavors ?? {})]
      if (!counts.every((count) => Number.isInteger(count) && count! > 0)) return wrong
      return { value: { default: value.default!, flavors: value.flavors ?? {} } }
    } catch {
      return wrong
    }
  },
})

export const settings = {
  namespace: text('MEGREZ_NAMESPACE', 'megrez-system', 'Megrez\'s own namespace: Notices live there'),
  logLevel: oneOf('MEGREZ_LOG_LEVEL', ['trace', 'debug', 'info', 'warn', 'error', 'silent'], 'info', 'least severe line that is logged'),
  redis: optional('MEGREZ_REDIS', 'Redis as redis://host:6379 or a unix socket\'s path; absent: queues in this process'),
  redisPrefix: text('MEGREZ_REDIS_PREFIX', 'megrez', 'in front of every key in Redis'),
  nicLimits: nicLimits('MEGREZ_NIC_LIMITS', { default: 8, flavors: {} }, 'how many Nics a pod may have, by VM flavor'),
  clusterNic: oneOf('MEGREZ_CLUSTER_NIC', ['delegate', 'none'], 'delegate', 'who is eth0 where neither pod nor namespace says: the cluster\'s own NIC, or the first Nic'),
  reservationMs: whole('MEGREZ_RESERVATION_MS', 30_000, 'how long admission keeps a fixed address or a Port for a pod that is not stored yet', { min: 1_000, max: 600_000 }),
  addressRestMs: whole('MEGREZ_ADDRESS_REST_MS', 60_000, 'how long a freed address is not handed out again'),
  vniMin: whole('MEGREZ_VNI_MIN', 4_096, 'lowest VNI given to a Vpc that names none', { min: 1, max: 2 ** 24 - 1 }),
  vniMax: whole('MEGREZ_VNI_MAX', 2_097_151, 'highest VNI given to a Vpc that names none; KOS\'s MAC function ends here', { min: 1, max: 2 ** 24 - 1 }),
  concurrency: whole('MEGREZ_CONCURRENCY', 50, 'keys that one worker looks at at once', { min: 1, max: 1_000 }),
  blockerWaitMs: whole('MEGREZ_BLOCKER_WAIT_MS', 600_000, 'how long something in a terminating namespace may hold back its deletion'),
  callbackTimeoutMs: whole('MEGREZ_CALLBACK_TIMEOUT_MS', 15_000, 'how long a callback may take to answer', { min: 100, max: 120_000 }),
  callbackHorizonMs: whole('MEGREZ_CALLBACK_HORIZON_MS', 259_200_000, 'how long an unanswered notice is tried: three days'),
  callbackAllow: list('MEGREZ_CALLBACK_ALLOW', [], 'address blocks that callbacks may reach although they are private, as CIDRs'),
  callbackSecret: optional('MEGREZ_CALLBACK_SECRET', 'signs callbacks: whsec_ and base64 of 24 to 64 bytes (Standard Webhooks 1.0)'),
  callbackHttp: flag('MEGREZ_CALLBACK_HTTP', false, 'callbacks may go to http, not only https'),
} as const

export type Config = { readonly [K in keyof typeof settings]: (typeof settings)[K] extends Setting<infer T> ? T : never }

/** Names that other programs of this repository read and that are not settings of a process. */
const others = /^MEGREZ_(TEST_|TRIALS|PEERS|BENCH_|URL|TOKEN)/

/**
 * The settings from environment variables.
 *
 * @throws ConfigInvalid naming every wrong or unknown one
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>, overrides: Partial<Config> = {}): Config {
  const config: Record<string, unknown> = {}
  const wrong: string[] = []
  const known = new Set<string>()
  for (const [name, setting] of Object.entries(settings) as [string, Setting<unknown>][]) {
    known.add(setting.env)
    const given = env[setting.env]
    const read = given === undefined ? { value: setting.fallback } : setting.read(given)
    if ('wrong' in read) wrong.push(`${setting.env}: ${read.wrong}, not ${JSON.stringify(given)}`)
    else config[name] = read.value
  }
  for (const name of Object.keys(env)) if (name.startsWith('MEGREZ_') && !known.has(name) && !others.test(name)) wrong.push(`${name}: no such setting`)
  if (wrong.length > 0) throw new ConfigInvalid({ name: wrong.map((line) => line.split(':')[0]).join(', '), reason: wrong.join('; ') })
  return { ...(config as unknown as Config), ...overrides }
}
