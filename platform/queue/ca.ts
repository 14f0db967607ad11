import { readFileSync } from 'node:fs'
import { ConfigInvalid } from '../../core/errors.ts'
import { isSecured, type RedisAddress } from './redis.ts'

/**
 * What a Redis over TLS is judged by, as an option of TLS.
 *
 * @param path of certificates, PEM; undefined: those that Node.js comes with
 * @throws ConfigInvalid where the place has no TLS, or the file cannot be read
 */
export function caFor(path: string | undefined, place: RedisAddress): { readonly ca?: string } {
  if (path === undefined) return {}
  if (!isSecured(place))
    throw new ConfigInvalid({ name: 'MEGREZ_REDIS_CA', reason: 'is for rediss://, rediss+sentinel:// and rediss+cluster:// alone' })
  try {
    return { ca: readFileSync(path, 'utf8') }
  } catch (cause) {
    throw new ConfigInvalid({ name: 'MEGREZ_REDIS_CA', reason: (cause as Error).message, cause })
  }
}
