// Where Redis is, and the two kinds of connection that a queue keeps to it.
import type { ConnectionOptions } from 'node:tls'
import { Cluster, Redis } from 'ioredis'
import type { RedisOptions } from 'ioredis'
import { ConfigInvalid } from '../../core/errors.ts'
import type { Clock } from '../clock.ts'

export type Client = Redis | Cluster

interface Login {
  readonly username?: string
  readonly password?: string
}

interface Node {
  readonly host: string
  readonly l4Port: number
}

export type RedisAddress =
  | { readonly kind: 'one'; readonly path: string }
  | { readonly kind: 'one'; readonly url: string }
  | {
      readonly kind: 'sentinel'
      readonly nodes: readonly Node[]
      readonly master: string
      readonly database: number
      readonly login: Login
      readonly tls: boolean
    }
  | { readonly kind: 'cluster'; readonly nodes: readonly Node[]; readonly login: Login; readonly tls: boolean }

const many = /^(rediss?)\+(sentinel|cluster):\/\/(?:([^:@/]*):([^@/]*)@)?([^/]+)(?:\/([^/]+)(?:\/(\d+))?)?\/?$/

/**
 * Reads a place: a unix socket's path, `redis://` or `rediss://` (TLS) with user, password and database as usual,
 * `redis+sentinel://host:26379,host:26379/master[/database]`, `redis+cluster://host:6379,host:6379`.
 *
 * @throws ConfigInvalid which never repeats what was given: it may hold a password
 */
export function readRedisAddress(given: string): RedisAddress {
  if (given.startsWith('/')) return { kind: 'one', path: given }
  if (/^rediss?:\/\//.test(given) && URL.canParse(given) && new URL(given).hostname !== '') return { kind: 'one', url: given }
  const parts = many.exec(given)
  if (parts === null) throw wrong("must be a unix socket's path, redis://, rediss://, redis+sentinel:// or redis+cluster://")
  const [, scheme, kind, username, password, hosts, master, database] = parts
  const login: Login = { ...part('username', username), ...part('password', password) }
  const tls = scheme === 'rediss'
  if (kind === 'cluster') return { kind, nodes: readNodes(hosts!, 6379), login, tls }
  if (master === undefined) throw wrong('redis+sentinel:// must end with the name of the master: /mymaster')
  return { kind: 'sentinel', nodes: readNodes(hosts!, 26379), master, database: Number(database ?? 0), login, tls }
}

const wrong = (reason: string) => new ConfigInvalid({ name: 'MEGREZ_REDIS', reason })
const part = <N extends string>(name: N, text: string | undefined) =>
  text === undefined || text === '' ? {} : ({ [name]: decodeURIComponent(text) } as Record<N, string>)

function readNodes(hosts: string, usual: number): readonly Node[] {
  return hosts.split(',').map((each) => {
    const parts = /^(\[[0-9a-fA-F:]+\]|[^:[\]]+)(?::(\d{1,5}))?$/.exec(each)
    if (parts === null) throw wrong('hosts must be host:port, separated by commas')
    return { host: parts[1]!.replace(/[[\]]/g, ''), l4Port: Number(parts[2] ?? usual) }
  })
}

// The default ceiling of 20 s leaves a queue idle long after Redis is back.
const retryStrategy = (times: number) => Math.min(1_000, 25 * 2 ** times)

/** For adds: fails at once while Redis is away, so that a request is answered and not kept hanging. */
const forAdds = {
  retryStrategy,
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  connectTimeout: 5_000,
  // A half-open connection is given up: the watchdog asks every second, so a silent connection is a dead one.
  socketTimeout: 5_000,
} satisfies RedisOptions

/** For workers: waits for as long as Redis is away. BullMQ blocks for ten seconds at most. */
const forWorkers = { retryStrategy, maxRetriesPerRequest: null, connectTimeout: 5_000, socketTimeout: 15_000 } satisfies RedisOptions

/** Connects in the background, and again whenever the connection is lost, until `end`. */
export interface Connection {
  readonly client: Client
  /**
   * Also ends the connections that BullMQ has made after its pattern, which a worker leaves behind when it is closed while Redis is away.
   */
  end(): void
}

/** @param tls more options of TLS, where the place is reached over it */
export function connect(place: RedisAddress, role: 'adds' | 'workers', tls: ConnectionOptions = {}): Connection {
  const client = make(place, role === 'adds' ? forAdds : forWorkers, tls)
  endQuietly(client)
  if (client instanceof Redis) client.on('connect', () => writeTogether(client.stream))
  const copies = new Set<Client>()
  const duplicate = client.duplicate.bind(client) as (...given: unknown[]) => Client
  const remembering = (...given: unknown[]) => {
    const copy = duplicate(...given)
    endQuietly(copy)
    copies.add(copy)
    copy.once('end', () => copies.delete(copy))
    return copy
  }
  Object.assign(client, { duplicate: remembering })
  return {
    client,
    end() {
      for (const each of [...copies, client]) each.disconnect()
    },
  }
}

/**
 * A connection that is ended while TLS is being negotiated may fail twice, where its certificate is not taken either: ioredis 6.0 listens
 * to the first error of a stream alone, and the second would end the process.
 */
function endQuietly(client: Client): void {
  if (client instanceof Cluster) {
    client.on('+node', endQuietly)
    return
  }
  const disconnect = client.disconnect.bind(client)
  const quietly: Redis['disconnect'] = (...given) => {
    const { stream } = client as { readonly stream?: Redis['stream'] }
    stream?.on('error', () => undefined)
    disconnect(...given)
  }
  Object.assign(client, { disconnect: quietly })
}

/** The first keys are added while the connection is being made: that is nothing to complain of, until it takes this long. */
const beginMs = 2_000

/** Resolves at the first connection, or when it could have been there. */
export function begun(client: Client, clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.after(beginMs, resolve)
    client.once('ready', () => {
      cancel()
      resolve()
    })
  })
}

/**
 * What is written in one turn of the event loop goes out in one system call: at some thousand commands a second each of its own would cost
 * more than what it carries.
 */
function writeTogether(stream: Redis['stream']): void {
  const write = stream.write.bind(stream)
  let corked = false
  const together = (...given: Parameters<typeof write>): boolean => {
    if (!corked) {
      corked = true
      stream.cork()
      setImmediate(() => {
        corked = false
        stream.uncork()
      })
    }
    return write(...given)
  }
  Object.assign(stream, { write: together })
}

const forClient = ({ host, l4Port }: Node) => ({ host, port: l4Port })

/** Whether what is said there is enciphered. */
export const isSecured = (place: RedisAddress): boolean =>
  place.kind === 'one' ? 'url' in place && place.url.startsWith('rediss:') : place.tls

function make(place: RedisAddress, options: typeof forAdds | typeof forWorkers, tls: ConnectionOptions): Client {
  const secured = isSecured(place) ? { tls } : {}
  switch (place.kind) {
    case 'one':
      return 'path' in place ? new Redis({ ...options, path: place.path }) : new Redis(place.url, { ...options, ...secured })
    case 'sentinel':
      return new Redis({
        ...options,
        ...place.login,
        ...secured,
        // The hosts that the place names are Sentinels: they are spoken to as the servers are.
        ...(place.tls ? { sentinelTLS: tls, enableTLSForSentinelMode: true } : {}),
        sentinels: place.nodes.map(forClient),
        name: place.master,
        db: place.database,
        sentinelRetryStrategy: retryStrategy,
      })
    case 'cluster':
      return new Cluster(place.nodes.map(forClient), {
        redisOptions: { ...options, ...place.login, ...secured },
        clusterRetryStrategy: retryStrategy,
        enableOfflineQueue: options === forWorkers,
      })
  }
}
