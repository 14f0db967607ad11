// Where an OVSDB server listens, as Open vSwitch writes it (ovsdb(7), "Connection Methods").
import { connect as connectSocket, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'

export type OvsdbAddress =
  { readonly kind: 'unix'; readonly path: string } | { readonly kind: 'tcp' | 'ssl'; readonly host: string; readonly l4Port: number }

/** PEM texts. The server's certificate must be of `ca`; with `cert` and `key` we show one too. */
export interface OvsdbTls {
  readonly ca: string
  readonly cert?: string
  readonly key?: string
  /**
   * What the server's certificate must be for. Absent: any of that CA, as Open vSwitch's own tools have it, whose certificates name no
   * host.
   */
  readonly serverName?: string
}

/** Undefined where the text is none of `unix:/path`, `tcp:host:6640`, `ssl:host:6640`; an IPv6 address stands in brackets. */
export function parseOvsdbAddress(text: string): OvsdbAddress | undefined {
  if (/^unix:./.test(text)) return { kind: 'unix', path: text.slice('unix:'.length) }
  const match = /^(tcp|ssl):(?:\[([0-9a-fA-F:.]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(text)
  const l4Port = Number(match?.[4])
  if (match === null || l4Port < 1 || l4Port > 65_535) return undefined
  return { kind: match[1] as 'tcp' | 'ssl', host: match[2] ?? match[3]!, l4Port }
}

/** A socket that is still connecting. */
export function dial(address: OvsdbAddress, tls?: OvsdbTls): Socket {
  if (address.kind === 'unix') return connectSocket({ path: address.path })
  const { host, l4Port } = address
  if (address.kind === 'tcp') return connectSocket({ host, port: l4Port, noDelay: true })
  const anyName = tls?.serverName === undefined ? { checkServerIdentity: () => undefined } : { servername: tls.serverName }
  return connectTls({ host, port: l4Port, ca: tls?.ca ?? '', cert: tls?.cert, key: tls?.key, ...anyName })
}

/** X.509 verification as Node names it: the chain ends at somebody that we have not been told to trust. */
const strangers = new Set([
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])

/** Why a socket has ended, for whoever has given the certificates. */
export function endOf(err: Error & { readonly code?: string }): string {
  return strangers.has(err.code ?? '') ? `its certificate is not of an authority that we were given to trust (${err.message})` : err.message
}
