// The keys of an issuer elsewhere: found by OpenID Connect Discovery 1.0 or at an address of their own (RFC 7517), kept for ten
// minutes, and asked for again at most every 30 s, whoever asks and however the last asking went.
import { createLocalJWKSet, errors, type FlattenedJWSInput, type JSONWebKeySet, type JWSHeaderParameters, type JWTVerifyGetKey } from 'jose'
import { IssuerUnavailable } from '../../core/errors.ts'
import { isObject } from '../../core/json.ts'
import type { Clock } from '../../platform/clock.ts'
import { HttpClient } from '../../platform/http/client.ts'

export interface KeySource {
  readonly issuer: string
  /** Absent: discovered. */
  readonly keysUrl?: string
}

const freshMs = 600_000
/** An unknown key id may be a new key, or a flood. */
const cooldownMs = 30_000
/** An issuer that is down takes nobody with it for a day. */
const keptMs = 24 * 3600_000
const timeoutMs = 5_000
const answerMaxBytes = 256 * 1024

export type Read = (url: string) => Promise<unknown>

/** @param read how an address is read as JSON */
export function remoteKeys(source: KeySource, clock: Clock, read: Read = readsJson(clock)): JWTVerifyGetKey {
  let held: { readonly keys: JWTVerifyGetKey; readonly at: number } | undefined
  let triedAt = Number.NEGATIVE_INFINITY
  let pending: Promise<void> | undefined

  const fetchKeys = async (): Promise<void> => {
    try {
      held = {
        keys: createLocalJWKSet((await read(source.keysUrl ?? keysUrlIn(await discovered(source.issuer, read)))) as JSONWebKeySet),
        at: clock.elapsed(),
      }
    } catch {
      // What is held serves on; where nothing is, the caller is told.
    } finally {
      pending = undefined
    }
  }
  /** At most one asking in 30 s; those who come meanwhile wait for the same. */
  const fetchAgain = async (): Promise<void> => {
    if (pending === undefined) {
      if (clock.elapsed() - triedAt < cooldownMs) return
      triedAt = clock.elapsed()
      pending = fetchKeys()
    }
    await pending
  }
  const keysNow = (): JWTVerifyGetKey => {
    if (held === undefined || clock.elapsed() - held.at > keptMs) throw new IssuerUnavailable({ issuer: source.issuer })
    return held.keys
  }
  return async (header: JWSHeaderParameters, token: FlattenedJWSInput) => {
    if (held === undefined || clock.elapsed() - held.at > freshMs) await fetchAgain()
    const before = keysNow()
    try {
      return await before(header as Parameters<JWTVerifyGetKey>[0], token)
    } catch (err) {
      if (!(err instanceof errors.JWKSNoMatchingKey)) throw err
      await fetchAgain()
      const now = keysNow()
      if (now === before) throw err
      return now(header as Parameters<JWTVerifyGetKey>[0], token)
    }
  }
}

export type Discovery = Readonly<Record<string, unknown>>

/** What an issuer says of itself. @throws TypeError where it is another */
export async function discovered(issuer: string, read: Read): Promise<Discovery> {
  const discovery = await read(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`)
  // Discovery 4.3: it must be the issuer that was asked for, else one issuer could speak for another.
  if (!isObject(discovery) || discovery['issuer'] !== issuer) throw new TypeError('the discovered issuer is another')
  return discovery
}

function keysUrlIn({ jwks_uri: url }: Discovery): string {
  if (typeof url !== 'string') throw new TypeError('the discovered issuer has no keys')
  return url
}

export function readsJson(clock: Clock): Read {
  const http = new HttpClient({ clock, timeoutMs, answerMaxBytes })
  return async (url) => {
    const { status, body } = await http.ask({ method: 'GET', url, headers: { accept: 'application/json' } })
    if (status < 200 || status > 299) throw new TypeError(`${status}`)
    return body
  }
}
