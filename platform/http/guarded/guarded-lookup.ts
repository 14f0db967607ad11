// The one door to the network for callbacks. Users say where they go, so every address is judged at the moment of connecting,
// whatever admission, or the same name a second ago, answered.
import { lookup } from 'node:dns/promises'
import { connect as connectTcp, type LookupFunction, type Socket } from 'node:net'
import { connect as connectTls, rootCertificates } from 'node:tls'
import type { buildConnector } from 'undici'
import { addressProblem, allowedBlocks, callbackTarget, type CallbackSettings } from '../../../core/admit/object/callback-target.ts'
import { TargetForbidden } from '../../../core/errors.ts'
import type { Cidr } from '../../../core/net/cidr.ts'
import { canonicalIp } from '../../../core/net/ip.ts'
import { timeLimit, type Clock } from '../../clock.ts'

/** All addresses of a name, in order of preference. */
export type Resolve = (name: string) => Promise<readonly string[]>

export interface GuardOptions {
  readonly resolve?: Resolve
  /** For resolving, connecting and the TLS handshake together. */
  readonly timeoutMs: number
  readonly clock: Clock
  /** Further certificate authorities, PEM. */
  readonly ca?: readonly string[]
  /** Whose allowed blocks count beside everybody's. */
  readonly namespace?: string
  /** Ours, PEM. */
  readonly certificate?: { readonly cert: string; readonly key: string }
}

const resolveByHost: Resolve = async (name) => (await lookup(name, { all: true })).map(({ address }) => address)

/**
 * A connector for undici that reaches only what is allowed: literals are judged as bytes (undici asks no lookup for them), of
 * a name every address, and the connection is made to those very addresses; what the socket then says it reached is judged again.
 */
export function guardedConnector(settings: CallbackSettings, options: GuardOptions): buildConnector.connector {
  const allowed = allowedBlocks(settings, options.namespace)
  return (target, callback) => {
    const deadline = timeLimit(options.timeoutMs, options.clock)
    open(target, { settings, allowed, options, deadline }).then(
      (socket) => callback(null, socket),
      (err: unknown) => callback(deadline.aborted ? new Error(`no connection within ${options.timeoutMs} ms`) : (err as Error), null),
    )
  }
}

interface Door {
  readonly settings: CallbackSettings
  readonly allowed: readonly Cidr[]
  readonly options: GuardOptions
  readonly deadline: AbortSignal
}

async function open(target: buildConnector.Options, door: Door): Promise<Socket> {
  const origin = `${target.protocol}//${target.host ?? target.hostname}`
  const read = callbackTarget(origin, door.settings, door.options.namespace)
  if ('problem' in read) throw new TargetForbidden({ target: origin, reason: read.problem })
  const vetted = await vettedAddresses(read.host, origin, door)
  const socket = await tcp(read.host, read.l4Port, vetted, door.deadline)
  const reached = canonicalIp(socket.remoteAddress ?? '') ?? ''
  if (!vetted.includes(reached)) {
    socket.destroy()
    throw new TargetForbidden({ target: origin, reason: `it was reached at ${reached}, which it does not resolve to` })
  }
  return read.secure ? await tls(socket, read.host, door) : socket
}

async function vettedAddresses(host: string, origin: string, { options, allowed, deadline }: Door): Promise<readonly string[]> {
  const literal = canonicalIp(host)
  const found = literal === undefined ? await within(deadline, (options.resolve ?? resolveByHost)(host)) : [literal]
  const problem = found.map((address) => addressProblem(address, allowed)).find((each) => each !== undefined)
  // One bad address spoils the name: which of them a connection takes is a race.
  if (problem !== undefined) throw new TargetForbidden({ target: origin, reason: problem })
  if (found.length === 0) throw new Error(`${host} has no address`)
  return found.map((address) => canonicalIp(address)!)
}

function within<T>(deadline: AbortSignal, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    deadline.addEventListener('abort', () => reject(deadline.reason as Error), { once: true })
    promise.then(resolve, reject)
  })
}

/** To the vetted addresses and no others: Node.js tries them in turn (RFC 8305), and its lookup is ours. */
function tcp(host: string, l4Port: number, vetted: readonly string[], signal: AbortSignal): Promise<Socket> {
  const pinned: LookupFunction = (_, options, callback) => {
    const all = vetted.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    if (options.all === true) callback(null, all)
    else callback(null, all[0]!.address, all[0]!.family)
  }
  return opened(
    connectTcp({ host, port: l4Port, lookup: pinned, autoSelectFamily: true, noDelay: true, keepAlive: true }),
    'connect',
    signal,
  )
}

function tls(socket: Socket, host: string, { options, deadline }: Door): Promise<Socket> {
  // A certificate names an address without SNI (RFC 6066 section 3).
  const name = canonicalIp(host) === undefined ? { servername: host.replace(/\.$/, '') } : {}
  return opened(
    connectTls({
      socket,
      host,
      ALPNProtocols: ['http/1.1'],
      ...name,
      ...options.certificate,
      ...(options.ca === undefined ? {} : { ca: [...rootCertificates, ...options.ca] }),
    }),
    'secureConnect',
    deadline,
  )
}

function opened(socket: Socket, event: 'connect' | 'secureConnect', signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const fail = (err: Error): void => {
      socket.destroy()
      reject(err)
    }
    const late = (): void => fail(signal.reason as Error)
    // Stays on: an error before undici listens must not end the process.
    socket.on('error', fail)
    signal.addEventListener('abort', late, { once: true })
    socket.once(event, () => {
      signal.removeEventListener('abort', late)
      resolve(socket)
    })
  })
}
