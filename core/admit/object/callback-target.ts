// Whether a callback may be sent to a URL at all, as far as its text tells. Names are judged again when they are resolved,
// at each connect (platform/http/guarded/guarded-lookup.ts): what a name answered at admission says nothing about later.
import { parseCidr, type Cidr } from '../../net/cidr.ts'
import { forbiddenUse } from '../../net/forbidden.ts'
import { parseIp, printIp } from '../../net/ip.ts'

export interface CallbackSettings {
  /** Blocks that may be reached although they are not global unicast. */
  readonly callbackAllow: readonly string[]
  /** And those that only callbacks of one namespace may reach. */
  readonly callbackAllowIn?: Readonly<Record<string, readonly string[]>>
  /** Whether http is taken beside https. */
  readonly callbackHttp: boolean
}

/** Where a callback goes, taken apart as the WHATWG URL standard does: so `0x7f.1` and `①.1.1.1` are the addresses they mean. */
export interface CallbackTarget {
  readonly url: URL
  readonly secure: boolean
  /** A name, or an address without brackets. */
  readonly host: string
  readonly l4Port: number
}

/** Other programs' well-known numbers (RFC 6335) are no web servers: a POST to them may still be read as a command. */
const wellKnownMax = 1023
const webPorts = [80, 443]
/** Resolves to loopback everywhere (RFC 6761 section 6.3), whatever a resolver says. */
const localNames = /(^|\.)localhost\.?$/

/** @param namespace of whose object or Subscription it is */
export function allowedBlocks({ callbackAllow, callbackAllowIn = {} }: CallbackSettings, namespace?: string): readonly Cidr[] {
  const own = namespace !== undefined && Object.hasOwn(callbackAllowIn, namespace) ? callbackAllowIn[namespace]! : []
  return [...callbackAllow, ...own].flatMap((text) => parseCidr(text) ?? [])
}

/** The target, or in words why it is none. */
export function callbackTarget(
  given: string,
  settings: CallbackSettings,
  namespace?: string,
): CallbackTarget | { readonly problem: string } {
  if (!URL.canParse(given)) return { problem: 'it is not a URL' }
  const url = new URL(given)
  const secure = url.protocol === 'https:'
  const problem = schemeProblem(url, settings) ?? shapeProblem(url)
  if (problem !== undefined) return { problem }
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const hostProblem = literalProblem(host, allowedBlocks(settings, namespace))
  if (hostProblem !== undefined) return { problem: hostProblem }
  return { url, secure, host, l4Port: url.port === '' ? (secure ? 443 : 80) : Number(url.port) }
}

/** Why a callback to this URL is refused already now, for admission and REST; undefined when it may be tried. */
export function callbackProblem(given: string, settings: CallbackSettings, namespace?: string): string | undefined {
  const target = callbackTarget(given, settings, namespace)
  return 'problem' in target ? target.problem : undefined
}

/** In words why an address may not be reached, or undefined. */
export function addressProblem(address: string, allowed: readonly Cidr[]): string | undefined {
  const ip = parseIp(address)
  if (ip === undefined) return `${address} is not an address`
  const use = forbiddenUse(ip, allowed)
  return use === undefined ? undefined : `${printIp(ip)} is ${use}`
}

function schemeProblem({ protocol }: URL, { callbackHttp }: CallbackSettings): string | undefined {
  return protocol === 'https:' || (callbackHttp && protocol === 'http:') ? undefined : `${protocol.slice(0, -1)} is not https`
}

function shapeProblem(url: URL): string | undefined {
  if (url.username !== '' || url.password !== '') return 'it carries a user or password'
  if (url.hostname === '') return 'it names no host'
  const l4Port = Number(url.port)
  if (url.port !== '' && l4Port <= wellKnownMax && !webPorts.includes(l4Port)) return `port ${l4Port} is not a web server's`
  return undefined
}

function literalProblem(host: string, allowed: readonly Cidr[]): string | undefined {
  if (parseIp(host) !== undefined) return addressProblem(host, allowed)
  if (localNames.test(host)) return addressProblem('127.0.0.1', allowed)
  return undefined
}
