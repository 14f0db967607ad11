// The kinds of settings: how each is read from an environment variable, and what a refusal says it must be.
import { isIP } from 'node:net'
import type { NicLimits } from '../core/admit/network-view.ts'
import { isObject } from '../core/json.ts'
import { parseCidr } from '../core/net/cidr.ts'

export interface Setting<T> {
  readonly env: string
  readonly meaning: string
  readonly fallback: T
  /** What a value must be, for the page and for the refusal: "must be …". */
  readonly takes: string
  /** Undefined: not that. */
  readonly read: (given: string) => { readonly value: T } | undefined
}

const when = <T>(right: boolean, value: T): { readonly value: T } | undefined => (right ? { value } : undefined)

export const text = (env: string, fallback: string, meaning: string): Setting<string> => ({
  env,
  fallback,
  meaning,
  takes: 'text, not empty',
  read: (given) => when(given.trim() !== '', given),
})
export const optional = (env: string, meaning: string): Setting<string | undefined> => ({
  env,
  fallback: undefined,
  meaning,
  takes: 'text',
  read: (given) => ({ value: given === '' ? undefined : given }),
})
const partsOf = (given: string): string[] =>
  given
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
/** Where names are asked for: an IPv6 address with a port stands in brackets (RFC 3986 section 3.2.2). */
export const nameServers = (env: string, meaning: string): Setting<readonly string[]> => ({
  env,
  fallback: [],
  meaning,
  takes: 'ADDRESS, ADDRESS:PORT or [IPV6]:PORT, with commas between',
  read(given) {
    const parts = partsOf(given)
    return when(
      parts.every((part) => isIP(part) !== 0 || isIP(/^\[?([^\]]+)\]?:\d{1,5}$/.exec(part)?.[1] ?? '') !== 0),
      parts,
    )
  },
})
export const whole = (env: string, fallback: number, meaning: string, { min = 0, max = 2 ** 31 } = {}): Setting<number> => ({
  env,
  fallback,
  meaning,
  takes: `a whole number from ${min} to ${max}`,
  read: (given) => when(/^\d+$/.test(given) && Number(given) >= min && Number(given) <= max, Number(given)),
})
export const l4Port = (env: string, fallback: number, meaning: string): Setting<number> =>
  whole(env, fallback, `${meaning}; 0: a free TCP port`, { max: 65_535 })
export const optionalL4Port = (env: string, meaning: string): Setting<number | undefined> => ({
  env,
  fallback: undefined,
  meaning: `${meaning}; 0: a free TCP port`,
  takes: 'a whole number from 0 to 65535',
  read: (given) => when(given === '' || (/^\d+$/.test(given) && Number(given) <= 65_535), given === '' ? undefined : Number(given)),
})
export const flag = (env: string, fallback: boolean, meaning: string): Setting<boolean> => ({
  env,
  fallback,
  meaning,
  takes: 'true or false',
  read: (given) => when(given === 'true' || given === 'false', given === 'true'),
})
export const blocks = (env: string, meaning: string): Setting<readonly string[]> => ({
  env,
  fallback: [],
  meaning,
  takes: 'blocks of addresses whose host bits are zero, with commas between',
  read(given) {
    const parts = partsOf(given)
    return when(
      parts.every((part) => parseCidr(part) !== undefined),
      parts,
    )
  },
})
export const oneOf = <const V extends readonly string[]>(
  env: string,
  values: V,
  fallback: V[number],
  meaning: string,
): Setting<V[number]> => ({
  env,
  fallback,
  meaning,
  takes: `one of ${values.join(', ')}`,
  read: (given) => when(values.includes(given), given),
})
/** Without the slash at its end, so that paths can be put behind it. */
export const webUrl = (env: string, meaning: string): Setting<string | undefined> => ({
  env,
  fallback: undefined,
  meaning,
  takes: 'a URL such as https://megrez.example.org, of http or https, without user, query or fragment',
  read(given) {
    if (given === '') return { value: undefined }
    const { protocol, username, password, search, hash, origin, pathname } = URL.parse(given) ?? { protocol: '' }
    return when(
      (protocol === 'https:' || protocol === 'http:') && `${username}${password}${search}${hash}` === '',
      `${origin}${pathname}`.replace(/\/+$/, ''),
    )
  },
})
/** Marks by name: DSCPs of RFC 2474. */
export const classes = (env: string, meaning: string): Setting<Readonly<Record<string, number>>> => ({
  env,
  fallback: {},
  meaning,
  takes: 'JSON such as {"gold":46,"silver":26}: names, and numbers from 0 to 63',
  read(given) {
    const fields = fieldsOf(given)
    const right =
      fields !== undefined &&
      Object.entries(fields).every(
        ([name, dscp]) =>
          /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(name) && Number.isInteger(dscp) && Number(dscp) >= 0 && Number(dscp) < 64,
      )
    return right ? { value: fields as Readonly<Record<string, number>> } : undefined
  },
})
export const list = (env: string, meaning: string): Setting<readonly string[]> => ({
  env,
  fallback: [],
  meaning,
  takes: 'texts with commas between',
  read: (given) => ({ value: partsOf(given) }),
})
export const nicLimits = (env: string, fallback: NicLimits, meaning: string): Setting<NicLimits> => ({
  env,
  fallback,
  meaning,
  takes: 'JSON such as {"default":8,"flavors":{"m1.large":4}}, each 1 or more',
  read(given) {
    const { default: usual, flavors = {}, ...more } = fieldsOf(given) ?? {}
    const right = isCount(usual) && isObject(flavors) && Object.values(flavors).every(isCount) && Object.keys(more).length === 0
    return right ? { value: { default: usual, flavors: flavors as NicLimits['flavors'] } } : undefined
  },
})
export const blocksByName = (env: string, meaning: string): Setting<Readonly<Record<string, readonly string[]>>> => ({
  env,
  fallback: {},
  meaning,
  takes: 'JSON such as {"nfvo":["10.1.0.0/16"]}: namespaces, and blocks of addresses whose host bits are zero',
  read(given) {
    const fields = fieldsOf(given)
    const right =
      fields !== undefined &&
      Object.values(fields).every(
        (each) => Array.isArray(each) && each.every((block) => typeof block === 'string' && parseCidr(block) !== undefined),
      )
    return right ? { value: fields as Readonly<Record<string, readonly string[]>> } : undefined
  },
})
export const namesByName = (env: string, meaning: string): Setting<Readonly<Record<string, string>>> => ({
  env,
  fallback: {},
  meaning,
  takes: 'JSON such as {"physnet1":"eth1"}',
  read(given) {
    const fields = fieldsOf(given)
    const right = fields !== undefined && Object.values(fields).every((each) => typeof each === 'string' && each !== '')
    return right ? { value: fields as Readonly<Record<string, string>> } : undefined
  },
})
/** Whose tokens are taken: see `tokenIssuers`. */
export interface TokenIssuer {
  readonly issuer: string
  readonly audience: string
  readonly keysUrl?: string
  readonly algorithms?: readonly string[]
  readonly rolesClaim?: string
}
/** Signatures with a key that only the issuer has: never HMAC, never none. */
const signatures = ['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519', 'RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512']
export const issuers = (env: string, meaning: string): Setting<readonly TokenIssuer[]> => ({
  env,
  fallback: [],
  meaning,
  takes:
    'JSON such as [{"issuer":"https://issuer.example.org","audience":"megrez"}], with keysUrl, algorithms and rolesClaim where they are needed',
  read(given) {
    const value = given === '' ? [] : jsonOf(given)
    return Array.isArray(value) && value.every(isIssuer) && new Set(value.map(({ issuer }) => issuer)).size === value.length
      ? { value }
      : undefined
  },
})

function isIssuer(value: unknown): value is TokenIssuer {
  if (!isObject(value)) return false
  const { issuer, audience, keysUrl, algorithms, rolesClaim, ...more } = value
  const texts = [issuer, audience, keysUrl ?? 'x', rolesClaim ?? 'x'].every((each) => typeof each === 'string' && each !== '')
  return (
    texts &&
    Object.keys(more).length === 0 &&
    (algorithms === undefined ||
      (Array.isArray(algorithms) && algorithms.length > 0 && algorithms.every((each) => signatures.includes(String(each)))))
  )
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

function fieldsOf(json: string): Readonly<Record<string, unknown>> | undefined {
  const value = jsonOf(json)
  return isObject(value) ? value : undefined
}
