// NSM's own programs (nsm-peer, which is made of the SDK) and ours, beside each other on loopback.
import { createHmac } from 'node:crypto'
import { spawn } from 'node:child_process'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { timestampOf } from '../../core/wire/nsm/well-known.ts'
import { realRandom, realUids } from '../../platform/chance.ts'
import { realClock } from '../../platform/clock.ts'
import { silentLog } from '../../platform/log.ts'
import type { Program } from '../../platform/nsm/roles/program.ts'
import type { Tokens } from '../../platform/nsm/tokens/token.ts'
import { until } from '../setup/until.ts'

export const nsmPeer =
  process.env.MEGREZ_TEST_NSM_PEER ?? join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'megrez-peers', 'nsm-peer')

/** One line of what nsm-peer prints. */
export interface PeerEvent {
  readonly event: string
  readonly [field: string]: unknown
}

export interface PeerProcess {
  readonly events: readonly PeerEvent[]
  /** Waits for one. */
  event(name: string, holds?: (event: PeerEvent) => boolean): Promise<PeerEvent>
  /** Resolves with its exit code once it has ended. */
  readonly ended: Promise<number | null>
  kill(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>
}

export const startPeer = (...args: readonly string[]): PeerProcess => started(nsmPeer, args)

/** In the network namespace of an open file of ours. */
export const startPeerInside = (namespace: number, ...args: readonly string[]): PeerProcess =>
  started('nsenter', ['--net=/proc/self/fd/3', nsmPeer, ...args], [namespace])

/** @param file an open one of ours, which it has as 3 */
export const startPeerWith = (file: number, ...args: readonly string[]): PeerProcess => started(nsmPeer, args, [file])

function started(program: string, args: readonly string[], files: readonly number[] = []): PeerProcess {
  const child = spawn(program, [...args, '--short-tokens'], { stdio: ['ignore', 'pipe', 'ignore', ...files] })
  const events: PeerEvent[] = []
  createInterface({ input: child.stdout! }).on('line', (line) => events.push(JSON.parse(line) as PeerEvent))
  const ended = new Promise<number | null>((resolve) => child.on('close', (code) => resolve(code)))
  return {
    events,
    ended,
    async event(name, holds = () => true) {
      const found = (): PeerEvent | undefined => events.find((each) => each.event === name && holds(each))
      await until(() => found() !== undefined, `nsm-peer ${args[0]} says ${name}; it said ${JSON.stringify(events).slice(0, 3_000)}`)
      return found()!
    },
    async kill(signal = 'SIGTERM') {
      child.kill(signal)
      await ended
    },
  }
}

export const addressOf = async (peer: PeerProcess): Promise<string> => String((await peer.event('listening'))['url'])

const base64url = (text: string): string => Buffer.from(text).toString('base64url')

/** The SDK's test tokens: HS256 by a key that everybody knows. In tests alone. */
export const testTokens = (lifetimeMs = 3_600_000): Tokens => ({
  make() {
    const ends = Date.now() + lifetimeMs
    const body = `${base64url('{"alg":"HS256","typ":"JWT"}')}.${base64url(JSON.stringify({ sub: 'spiffe://test.com/subject', exp: Math.floor(ends / 1000) }))}`
    const signature = createHmac('sha256', 'supersecret').update(body).digest('base64url')
    return Promise.resolve({ token: `${body}.${signature}`, expires: timestampOf(ends) })
  },
})

export const programOf = (name: string, tokens = testTokens()): Program => ({
  name,
  tokens,
  clock: realClock,
  random: realRandom,
  newId: realUids,
  log: silentLog(),
})
