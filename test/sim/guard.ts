// In the simulator's process no code takes time, chance, timers, files or sockets by itself: code of ours that does is named.
// Libraries are given the simulated ones: Fastify asks what time it is.
import childProcess from 'node:child_process'
import crypto from 'node:crypto'
import dgram from 'node:dgram'
import fs from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'
import { join, sep } from 'node:path'
import timers from 'node:timers'
import timersPromises from 'node:timers/promises'
import tls from 'node:tls'
import workerThreads from 'node:worker_threads'

/** What libraries get. */
export interface Simulated {
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** In [0, 1). */
  readonly random: () => number
  /** The answer cancels. */
  readonly after: (ms: number, call: () => void) => () => void
}

type Call = (...given: never[]) => unknown
type Holder = Record<string, unknown>

const repository = join(import.meta.dirname, '../..') + sep
const libraries = `${sep}node_modules${sep}`

/** Whose code has called, by the first frame that is neither of Node.js nor of this file; undefined: a library's, or nobody's. */
function culprit(): string | undefined {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 30
  const frames = (new Error().stack ?? '').split('\n').slice(1)
  Error.stackTraceLimit = limit
  const frame = frames.find((each) => !each.includes('node:') && !each.includes(import.meta.filename) && each.includes(sep))
  return frame === undefined || frame.includes(libraries) || !frame.includes(repository)
    ? undefined
    : frame.trim().replace('file://', '').replace(repository, '')
}

/** Code took by itself what is to be handed in. */
export class TakenByItself extends Error {
  constructor(what: string, who: string) {
    super(`${what} was taken by itself, ${who}: it is handed in (platform/clock.ts, platform/chance.ts, the contracts)`)
    this.name = 'TakenByItself'
  }
}

const files = [
  'writeFile',
  'appendFile',
  'open',
  'mkdir',
  'mkdtemp',
  'rm',
  'rmdir',
  'rename',
  'unlink',
  'copyFile',
  'cp',
  'chmod',
  'symlink',
  'link',
  'truncate',
  'utimes',
]

/** Held back from everybody: no library of ours has a reason to in a simulation. */
const outside: readonly (readonly [what: string, holder: object, names: readonly string[]])[] = [
  ['net', net, ['connect', 'createConnection']],
  ['net.Socket', net.Socket.prototype, ['connect']],
  ['net.Server', net.Server.prototype, ['listen']],
  ['tls', tls, ['connect']],
  ['http', http, ['request', 'get']],
  ['https', https, ['request', 'get']],
  ['dgram', dgram, ['createSocket']],
  ['child_process', childProcess, ['spawn', 'spawnSync', 'exec', 'execSync', 'execFile', 'execFileSync', 'fork']],
  ['worker_threads', workerThreads, ['Worker']],
  ['globalThis', globalThis, ['fetch', 'WebSocket', 'EventSource']],
  // They end in a thread of their own, whenever that is.
  [
    'crypto.subtle',
    Object.getPrototypeOf(globalThis.crypto.subtle) as object,
    ['sign', 'verify', 'digest', 'encrypt', 'decrypt', 'generateKey', 'importKey', 'deriveBits', 'deriveKey'],
  ],
]
/** Held back from our own code; libraries that clean up after themselves may. */
const ours: readonly (readonly [what: string, holder: object, names: readonly string[]])[] = [
  ['fs', fs, files.flatMap((name) => [name, `${name}Sync`])],
  ['fs', fs, ['createWriteStream', 'fsync', 'fdatasync', 'fsyncSync']],
  ['fs.promises', fs.promises, files],
  ['timers/promises', timersPromises, ['setTimeout', 'setImmediate', 'setInterval']],
]

/** Replaces them all; the answer puts them back. What the simulator needs for itself it takes before (`real.ts`). */
export function guard(simulated: Simulated): () => void {
  const undo: (() => void)[] = []
  const replace = (holder: object, name: string, by: (original: Call) => unknown): void => {
    const there = Object.getOwnPropertyDescriptor(holder, name)
    const original = (there === undefined || 'value' in there ? (holder as Holder)[name] : there.get?.call(holder)) as Call | undefined
    if (original === undefined) return
    Object.defineProperty(holder, name, { value: by(original), configurable: true, writable: true })
    undo.push(() => (there === undefined ? delete (holder as Holder)[name] : Object.defineProperty(holder, name, there)))
  }
  const refused = (what: string): void => {
    const who = culprit()
    if (who !== undefined) throw new TakenByItself(what, who)
  }
  for (const [what, holder, names] of outside) {
    for (const name of names)
      replace(
        holder,
        name,
        () =>
          function (): never {
            throw new TakenByItself(`${what}.${name}`, culprit() ?? 'by a library')
          },
      )
  }
  for (const [what, holder, names] of ours) {
    for (const name of names)
      replace(
        holder,
        name,
        (original) =>
          function (this: unknown, ...given: never[]) {
            refused(`${what}.${name}`)
            return original.apply(this, given)
          },
      )
  }
  guardTime(replace, refused, simulated)
  guardChance(replace, refused, simulated)
  guardTimers(replace, refused, simulated)
  syncBuiltinESMExports()
  return () => {
    for (const each of undo.reverse()) each()
    syncBuiltinESMExports()
  }
}

type Replace = (holder: object, name: string, by: (original: Call) => unknown) => void
type Refused = (what: string) => void

function guardTime(replace: Replace, refused: Refused, { now }: Simulated): void {
  const began = now()
  const guarded = (what: string, answer: () => unknown) => (): unknown => {
    refused(what)
    return answer()
  }
  replace(globalThis, 'Date', (original) => {
    const RealDate = original as unknown as DateConstructor
    const date = new Proxy(RealDate, {
      construct(target, given: [], newTarget) {
        if (given.length > 0) return Reflect.construct(target, given, newTarget) as object
        refused('new Date()')
        return Reflect.construct(target, [now()], newTarget) as object
      },
      get: (target, name, receiver) => (name === 'now' ? guarded('Date.now', now) : (Reflect.get(target, name, receiver) as unknown)),
    })
    return date
  })
  replace(performance, 'now', () => guarded('performance.now', () => now() - began))
  replace(process, 'hrtime', () =>
    Object.assign(
      guarded('process.hrtime', () => [Math.floor((now() - began) / 1000), ((now() - began) % 1000) * 1_000_000]),
      { bigint: guarded('process.hrtime.bigint', () => BigInt(Math.round((now() - began) * 1_000_000))) },
    ),
  )
}

function guardChance(replace: Replace, refused: Refused, { random }: Simulated): void {
  const bytes = (count: number): Buffer => Buffer.from(Array.from({ length: count }, () => Math.floor(random() * 256)))
  const fill = (into: Uint8Array): Uint8Array => {
    into.set(bytes(into.length))
    return into
  }
  const uuid = (): string =>
    bytes(16)
      .toString('hex')
      .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5')
  replace(Math, 'random', () => () => {
    refused('Math.random')
    return random()
  })
  replace(crypto, 'randomUUID', () => () => {
    refused('crypto.randomUUID')
    return uuid()
  })
  const web = Object.getPrototypeOf(globalThis.crypto) as object
  replace(web, 'randomUUID', () => () => {
    refused('globalThis.crypto.randomUUID')
    return uuid()
  })
  replace(web, 'getRandomValues', () => (into: Uint8Array) => {
    refused('globalThis.crypto.getRandomValues')
    return fill(into)
  })
  replace(crypto, 'randomBytes', () => (count: number) => {
    refused('crypto.randomBytes')
    return bytes(count)
  })
  replace(crypto, 'randomFillSync', () => (into: Uint8Array) => {
    refused('crypto.randomFillSync')
    return fill(into)
  })
  replace(crypto, 'randomInt', () => (...given: number[]) => {
    refused('crypto.randomInt')
    const [from, to] = given.length > 1 ? (given as [number, number]) : [0, given[0]!]
    return from + Math.floor(random() * (to - from))
  })
}

/** A library's timers are of the simulated clock; its turns of the event loop are real ones, which the simulator waits for anyway. */
function guardTimers(replace: Replace, refused: Refused, { after }: Simulated): void {
  interface Timer {
    readonly cancel: () => void
    ref(): Timer
    unref(): Timer
    hasRef(): boolean
    refresh(): Timer
    [Symbol.toPrimitive](): number
  }
  const timerOf = (start: () => () => void): Timer => {
    let cancel = start()
    const timer: Timer = {
      cancel: () => cancel(),
      ref: () => timer,
      unref: () => timer,
      hasRef: () => false,
      refresh() {
        cancel()
        cancel = start()
        return timer
      },
      [Symbol.toPrimitive]: () => 0,
    }
    return timer
  }
  const again = (call: () => void, ms: number): (() => void) => {
    let cancel = (): void => undefined
    const next = (): void => {
      cancel = after(ms, () => {
        next()
        call()
      })
    }
    next()
    return () => cancel()
  }
  for (const [what, holder] of [
    ['globalThis', globalThis],
    ['timers', timers],
  ] as const) {
    replace(holder, 'setTimeout', () => (call: (...given: unknown[]) => void, ms = 0, ...given: unknown[]) => {
      refused(`${what}.setTimeout`)
      return timerOf(() => after(ms, () => call(...given)))
    })
    replace(holder, 'setInterval', () => (call: (...given: unknown[]) => void, ms = 0, ...given: unknown[]) => {
      refused(`${what}.setInterval`)
      return timerOf(() => again(() => call(...given), ms))
    })
    replace(holder, 'setImmediate', (original) => (...given: never[]) => {
      refused(`${what}.setImmediate`)
      return original(...given)
    })
    for (const name of ['clearTimeout', 'clearInterval'])
      replace(
        holder,
        name,
        (original) => (timer: unknown) =>
          (timer as Timer | undefined)?.cancel === undefined ? original(timer as never) : (timer as Timer).cancel(),
      )
  }
  replace(AbortSignal, 'timeout', () => (ms: number) => {
    refused('AbortSignal.timeout')
    const controller = new AbortController()
    after(ms, () => controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError')))
    return controller.signal
  })
}
