// Whose tokens are taken in a cluster, from its settings.
import { ConfigInvalid } from '../../core/errors.ts'
import type { Clock } from '../../platform/clock.ts'
import { settings, type Config, type TokenIssuer } from '../../platform/config.ts'
import type { Trust } from './auth.ts'
import { remoteKeys } from './keys.ts'

const { tokenIssuer, tokenAudience, tokenIssuers, kubeTokens, clientCa } = settings
/** Any of these makes somebody known. */
export const restSettings: readonly string[] = [tokenIssuer, tokenIssuers, kubeTokens, clientCa].map(({ env }) => env)

const algorithms = ['ES256', 'RS256', 'EdDSA']

type Trusting = Pick<Config, 'tokenIssuer' | 'tokenAudience' | 'tokenKeysUrl' | 'tokenIssuers'>

/** @throws ConfigInvalid where half of an issuer is set, or one twice */
export function trustsOf(config: Trusting, clock: Clock): readonly Trust[] {
  const all = [...firstOf(config), ...config.tokenIssuers]
  const twice = all.find(({ issuer }, i) => all.findIndex((each) => each.issuer === issuer) !== i)
  if (twice !== undefined) throw new ConfigInvalid({ name: tokenIssuers.env, reason: `names ${twice.issuer}, which ${tokenIssuer.env} is` })
  return all.map((given) => ({ algorithms, ...given, keys: remoteKeys(given, clock) }))
}

function firstOf({ tokenIssuer: issuer, tokenAudience: audience, tokenKeysUrl: keysUrl }: Trusting): readonly TokenIssuer[] {
  if (issuer !== undefined && audience !== undefined) return [{ issuer, audience, ...(keysUrl !== undefined && { keysUrl }) }]
  if (issuer === undefined && audience === undefined && keysUrl === undefined) return []
  const missing = issuer === undefined ? tokenIssuer : tokenAudience
  throw new ConfigInvalid({ name: missing.env, reason: `is not set: ${tokenIssuer.env} and ${tokenAudience.env} are set together` })
}
