// The OpenID provider of a cluster, from its settings.
import { ConfigInvalid } from '../../../core/errors.ts'
import type { Clock } from '../../../platform/clock.ts'
import { settings, type Config } from '../../../platform/config.ts'
import type { Trust } from '../../plugins/auth.ts'
import { OpenIdProvider } from './provider.ts'

type OpenIdSettings = Pick<Config, 'openidIssuer' | 'openidClient' | 'openidSecretFile' | 'openidScopes' | 'publicUrl'>

interface Around {
  readonly clock: Clock
  /** A file as text. */
  readonly read: (file: string) => Promise<string>
}

/**
 * @returns undefined where none is set
 * @throws ConfigInvalid where half of it is set, or REST would take none of its tokens
 */
export async function openIdOf(
  config: OpenIdSettings,
  trusts: readonly Trust[],
  { clock, read }: Around,
): Promise<OpenIdProvider | undefined> {
  const { openidIssuer: issuer, openidClient: client, openidSecretFile: secretFile, openidScopes: scopes, publicUrl } = config
  if (issuer === undefined) {
    if (client !== undefined || secretFile !== undefined || scopes.length > 0)
      throw new ConfigInvalid({ name: settings.openidIssuer.env, reason: 'is not set, and other settings of the OpenID provider are' })
    return undefined
  }
  if (client === undefined) throw missing(settings.openidClient.env)
  if (publicUrl === undefined) throw missing(settings.publicUrl.env)
  const trust = trusts.find((each) => each.issuer === issuer)
  if (trust === undefined)
    throw new ConfigInvalid({
      name: settings.openidIssuer.env,
      reason: `names ${issuer}, which neither ${settings.tokenIssuer.env} nor ${settings.tokenIssuers.env} does: REST would take none of its tokens`,
    })
  if (secretFile !== undefined) await holdReadable(secretFile, read)
  const { algorithms, keys } = trust
  return new OpenIdProvider(
    { issuer, client, scopes, publicUrl, algorithms, keys, ...(secretFile !== undefined && { secret: () => read(secretFile) }) },
    clock,
  )
}

const missing = (name: string): Error => new ConfigInvalid({ name, reason: `is not set, and ${settings.openidIssuer.env} is` })

async function holdReadable(file: string, read: Around['read']): Promise<void> {
  const text = await read(file).catch(() => '')
  if (text.trim() === '') throw new ConfigInvalid({ name: settings.openidSecretFile.env, reason: `${file} cannot be read, or is empty` })
}
