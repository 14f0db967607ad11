// Our own issuer, on one machine.
import { existsSync } from 'node:fs'
import { mkdir, open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { createLocalJWKSet, exportJWK, generateKeyPair, importJWK, SignJWT, type JWK } from 'jose'
import { ConfigInvalid } from '../../core/errors.ts'
import { realUids, type Uids } from '../../platform/chance.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Trust } from './auth.ts'

const algorithm = 'ES256'
const typ = 'at+jwt' // RFC 9068: keeps other tokens that the same key may have signed from being taken for ours
const name = 'megrez'
/** One that leads nowhere but to a file's name. */
const idForm = /^[-0-9a-zA-Z]{1,64}$/

export interface LocalIssuer {
  readonly trust: Trust
  /** @param claims `scope`: roles, apart by spaces; `node`: an agent's */
  issue(
    claims: { readonly subject: string; readonly scope: string; readonly namespaces?: readonly string[]; readonly node?: string },
    lifeSeconds: number,
  ): Promise<string>
}

/** The issuer whose key pair lies in a folder; made at the first start, so tokens outlive a restart. */
export async function openLocalIssuer(folder: string, clock: Clock, uids: Uids = realUids): Promise<LocalIssuer> {
  const jwk = await readOrMakeKey(join(folder, 'token-key.json'), uids)
  const { d: _private, ...shared } = jwk
  const key = await importJWK(jwk, algorithm)
  return {
    trust: {
      issuer: name,
      audience: name,
      algorithms: [algorithm],
      typ,
      keys: createLocalJWKSet({ keys: [{ ...shared, alg: algorithm, use: 'sig' }] }),
      isRevoked: (id) => idForm.test(id) && existsSync(join(folder, 'tokens', `${id}.revoked`)),
    },
    issue({ subject, scope, namespaces, node }, lifeSeconds) {
      const now = Math.floor(clock.now() / 1000)
      return new SignJWT({ scope, ...(namespaces && { namespaces }), ...(node !== undefined && { node }) })
        .setProtectedHeader({ alg: algorithm, typ, kid: String(jwk.kid) })
        .setIssuer(name)
        .setAudience(name)
        .setSubject(subject)
        .setJti(uids())
        .setIssuedAt(now)
        .setExpirationTime(now + lifeSeconds)
        .sign(key)
    },
  }
}

async function readOrMakeKey(file: string, uids: Uids): Promise<JWK> {
  const there = await readFile(file, 'utf8').catch((err: NodeJS.ErrnoException) => {
    if (err.code === 'ENOENT') return undefined
    throw err
  })
  if (there !== undefined) return readKey(file, there)
  const { privateKey } = await generateKeyPair(algorithm, { extractable: true })
  const jwk = { ...(await exportJWK(privateKey)), kid: uids() }
  await mkdir(join(file, '..'), { recursive: true })
  // Written aside and moved, so that a key is there whole or not at all.
  const aside = `${file}.${process.pid}`
  const handle = await open(aside, 'w', 0o600)
  try {
    await handle.writeFile(JSON.stringify(jwk))
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(aside, file)
  return jwk
}

function readKey(file: string, text: string): JWK {
  try {
    const jwk = JSON.parse(text) as JWK
    if (jwk.kty === 'EC' && jwk.crv === 'P-256' && typeof jwk.d === 'string' && typeof jwk.kid === 'string') return jwk
  } catch {
    // told below
  }
  throw new ConfigInvalid({ name: file, reason: 'holds no ES256 key of ours; remove it and a new one is made, which ends all tokens' })
}
