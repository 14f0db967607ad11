// One gNMI target: Capabilities asked before anything else, Get, Set, and a subscription that comes back by itself.
import { backoffMs, backoffs } from '../../../core/backoff.ts'
import { PeerRefused, SwitchRefused } from '../../../core/errors.ts'
import {
  CapabilityRequest,
  CapabilityResponse,
  dataTypes,
  encodings,
  GetRequest,
  GetResponse,
  onChange,
  parsePath,
  SetRequest,
  SetResponse,
  stream,
  SubscribeRequest,
  SubscribeResponse,
} from '../../../core/wire/gnmi/gnmi.ts'
import { treeAt } from '../../../core/wire/gnmi/tree.ts'
import type { Clock } from '../../../platform/clock.ts'
import { openChannel, type Peer } from '../../../platform/grpc/channel.ts'
import { method } from '../../../platform/grpc/method.ts'
import type { SetDraft } from './gnmi-set.ts'

const capabilities = method('gnmi.gNMI', 'Capabilities', CapabilityRequest, CapabilityResponse)
const get = method('gnmi.gNMI', 'Get', GetRequest, GetResponse)
const set = method('gnmi.gNMI', 'Set', SetRequest, SetResponse)
const subscribe = method('gnmi.gNMI', 'Subscribe', SubscribeRequest, SubscribeResponse)

const neededModels = ['openconfig-interfaces', 'openconfig-vlan', 'openconfig-network-instance'] as const

export interface Capable {
  readonly encoding: number
}
export interface GnmiSession {
  readonly target: string
  /** Asked once a session. @throws SwitchRefused where it lacks a model or speaks no JSON */
  capabilities(signal: AbortSignal): Promise<Capable>
  /** The configuration at a path, as JSON; undefined where there is none. */
  get(path: string, signal: AbortSignal): Promise<unknown>
  /** Whether anything stands at a path, configuration or state. */
  has(path: string, signal: AbortSignal): Promise<boolean>
  /** All of it or nothing. */
  set(draft: SetDraft, signal: AbortSignal): Promise<void>
  /** Calls back on every change below these paths; where the target does not offer that, never. The answer ends it. */
  subscribe(paths: readonly string[], wake: () => void): () => void
  close(): void
}

export interface SessionOptions extends Peer {
  readonly clock: Clock
  readonly random: () => number
}

export function openSession(options: SessionOptions): GnmiSession {
  const channel = openChannel(options)
  const { target, clock, random } = options
  let pending: Promise<Capable> | undefined
  const closing = new AbortController()

  const capable = (signal: AbortSignal): Promise<Capable> => {
    pending ??= channel.unary(capabilities, {}, { signal }).then(({ supportedEncodings, supportedModels }) => {
      const lacking = neededModels.filter((model) => !supportedModels.some(({ name }) => name === model))
      if (lacking.length > 0) throw new SwitchRefused({ target, reason: `it does not know the models ${lacking.join(', ')}` })
      const encoding = [encodings.JSON_IETF, encodings.JSON].find((each) => supportedEncodings.includes(each))
      if (encoding === undefined) throw new SwitchRefused({ target, reason: 'it speaks neither JSON_IETF nor JSON' })
      return { encoding }
    })
    // Another answer may come of another session: the software of a switch is changed while it is away.
    return pending.catch((err: unknown) => {
      pending = undefined
      throw err
    })
  }

  const got = async (text: string, type: number, signal: AbortSignal): Promise<unknown> => {
    const { encoding } = await capable(signal)
    const path = parsePath(text)
    try {
      const { notification } = await channel.unary(get, { path: [path], type, encoding }, { signal })
      return treeAt(path, notification)
    } catch (err) {
      if (err instanceof PeerRefused && /NOT_FOUND/.test(err.message)) return undefined
      pending = undefined
      throw err
    }
  }

  const follow = async (paths: readonly string[], wake: () => void, signal: AbortSignal): Promise<void> => {
    const { encoding } = await capable(signal)
    const exchange = channel.bidi(subscribe, { signal })
    await exchange.send({
      subscribe: { subscription: paths.map((path) => ({ path: parsePath(path), mode: onChange })), mode: stream, encoding },
    })
    let synced = false
    for await (const answer of exchange.answers) {
      if (answer.syncResponse === true) synced = true
      else if (synced) wake()
    }
  }

  return {
    target,
    capabilities: capable,
    get: (path, signal) => got(path, dataTypes.CONFIG, signal),
    has: async (path, signal) => (await got(path, dataTypes.ALL, signal)) !== undefined,
    async set(draft, signal) {
      await channel.unary(set, draft, { signal, timeoutMs: 30_000 })
    },
    subscribe(paths, wake) {
      const ended = new AbortController()
      const signal = AbortSignal.any([ended.signal, closing.signal])
      void keepUp({ paths, wake, signal, follow, clock, random })
      return () => ended.abort()
    },
    close() {
      closing.abort()
      channel.close()
    },
  }
}

interface KeepUp {
  readonly paths: readonly string[]
  readonly wake: () => void
  readonly signal: AbortSignal
  readonly follow: (paths: readonly string[], wake: () => void, signal: AbortSignal) => Promise<void>
  readonly clock: Clock
  readonly random: () => number
}

/** What changed while nobody listened is found by whoever is woken after each new beginning. */
async function keepUp({ paths, wake, signal, follow, clock, random }: KeepUp): Promise<void> {
  for (let attempt = 1; !signal.aborted; attempt++) {
    try {
      await follow(paths, wake, signal)
      attempt = 1
    } catch (err) {
      // Whoever does not offer it is looked at now and then instead.
      if (err instanceof PeerRefused && /UNIMPLEMENTED|INVALID_ARGUMENT/.test(err.message)) return
    }
    if (signal.aborted) return
    await new Promise<void>((resolve) => {
      const stop = clock.after(backoffMs(attempt, random(), backoffs.fabricSwitch), done)
      function done(): void {
        stop()
        signal.removeEventListener('abort', done)
        resolve()
      }
      signal.addEventListener('abort', done)
    })
    if (!signal.aborted) wake()
  }
}
