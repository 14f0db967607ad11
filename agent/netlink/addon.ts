// Netlink over the addon: one system call a batch, off the event loop.
import { closeSync, openSync, readSync } from 'node:fs'
import { LinkRefused, NetnsGone } from '../../core/errors.ts'
import {
  Answers,
  encodeRequests,
  encodeDump,
  groups,
  readEvent,
  marksEnd,
  type NetlinkAnswer,
  type NetlinkRequest,
  type Listed,
} from '../../core/wire/netlink/netlink.ts'
import { messages } from '../../core/wire/netlink/message.ts'
import { netlinkProtocol, type Addon, type NativeSocket } from '../native/addon.ts'
import { chainOver } from './chain.ts'
import type { Chain, Chained, FrameReader, Netlink, NetlinkWake, NetlinkNamespace, TapChange } from './netlink.ts'
import { refusal } from './refusal.ts'

/** Requests that travel together; their answers fit the socket's buffer of 4 MiB many times over. */
const batchMax = 500
/** A list that changes each time it is taken is given up after so many. */
const listsMax = 20
/** Looks for the rest of an answer, a second each. */
const patience = 5

/** With offload a veth pair passes frames of 64 KiB. */
const frameMax = 2 ** 17

function frameIn(file: number, buffer: Buffer): Uint8Array | undefined {
  try {
    return buffer.subarray(0, readSync(file, buffer))
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code === 'EAGAIN') return undefined
    throw err
  }
}

/** @param netns the node's namespace, where it is not that of this process */
export async function openNetlink(addon: Addon, netns?: string): Promise<Netlink> {
  const socket = await addon.open(netns, netlinkProtocol.route, []).catch(refusal(netns))
  return new AddonNetlink(addon, socket, netns)
}

class AddonNetlink implements Netlink {
  readonly carrier = 'addon'
  readonly #addon: Addon
  readonly #socket: NativeSocket
  readonly #home: string | undefined
  #sequence = 1
  #last: Promise<unknown> = Promise.resolve()

  constructor(addon: Addon, socket: NativeSocket, home: string | undefined) {
    this.#addon = addon
    this.#socket = socket
    this.#home = home
  }

  request(requests: readonly NetlinkRequest[], where?: NetlinkNamespace): Promise<readonly NetlinkAnswer[]> {
    return this.#request(requests, where)
  }

  requestWithoutOffload(requests: readonly NetlinkRequest[], where: NetlinkNamespace, ifname: string): Promise<readonly NetlinkAnswer[]> {
    return this.#request(requests, where, ifname)
  }

  async #request(requests: readonly NetlinkRequest[], where: NetlinkNamespace, ifname?: string): Promise<readonly NetlinkAnswer[]> {
    const answers: NetlinkAnswer[] = []
    for (let at = 0; at < requests.length; at += batchMax) {
      const sequence = this.#take(batchMax)
      const part = requests.slice(at, at + batchMax)
      const last = (sequence + part.length - 1) >>> 0
      const got = await withNamespaces(part, (fdOf) =>
        this.#exchange(encodeRequests(part, sequence, fdOf), last, where, at === 0 ? ifname : undefined),
      )
      answers.push(...part.map((_, i) => got.answer((sequence + i) >>> 0)))
    }
    return answers
  }

  chain(chain: Chain): Promise<Chained> {
    const sequence = this.#take(batchMax)
    return withNamespaces(chain.first, (fdOf) => this.#inOrder(() => chainOver(this.#addon, this.#socket, chain, { sequence, fdOf })))
  }

  async list<K extends keyof Listed>(what: K, where?: NetlinkNamespace): Promise<readonly Listed[K][]> {
    for (let times = 0; times < listsMax; times++) {
      const sequence = this.#take(1)
      const got = (await this.#exchange(encodeDump(what, sequence), sequence, where)).listed(what, sequence)
      if (got.refusal !== undefined) throw new LinkRefused({ what: `a list of ${what}`, reason: `errno ${got.refusal.errno}` })
      if (got.again !== true) return got.items
    }
    throw new LinkRefused({ what: `a list of ${what}`, reason: `it changed ${listsMax} times while it was taken` })
  }

  async listen(what: readonly (keyof Listed)[], wake: NetlinkWake, only?: 'gone'): Promise<{ stop(): void }> {
    const socket = await this.#addon
      .open(this.#home, netlinkProtocol.route, [...new Set(what.flatMap((each) => groups[each]))])
      .catch(refusal(this.#home))
    this.#addon.listen(socket, (bytes) => {
      const events = bytes && (only === undefined ? messages(bytes) : messages(bytes).filter(marksEnd))
      if (only === undefined || events?.length !== 0) wake(events?.map(readEvent).filter((each) => each !== undefined))
    })
    return { stop: () => this.#addon.close(socket) }
  }

  async frame(ifname: string, bytes: Uint8Array, where?: NetlinkNamespace): Promise<void> {
    await this.#addon.frame(where ?? this.#home, ifname, bytes).catch(refusal(where))
  }

  async sniff(ifname: string): Promise<FrameReader> {
    const file = await this.#addon.sniff(this.#home, ifname).catch(refusal(this.#home))
    const buffer = Buffer.alloc(frameMax)
    return { read: () => frameIn(file, buffer), close: () => closeSync(file) }
  }

  async hear(ifname: string, filter: Uint8Array, onFrame: (frame: Uint8Array | undefined) => void): Promise<{ stop(): void }> {
    const socket = await this.#addon.ear(this.#home, ifname, filter).catch(refusal(this.#home))
    let isStopped = false
    // What is on its way when it is stopped is not wanted any more.
    this.#addon.listen(socket, (bytes) => isStopped || onFrame(bytes))
    return {
      stop: () => {
        isStopped = true
        this.#addon.close(socket)
      },
    }
  }

  async tap(ifname: string, mode: 'tap' | 'tun', where?: NetlinkNamespace, more?: TapChange): Promise<void> {
    const { owner = -1, ownerGroup = -1, multiQueue = false } = more ?? {}
    const requests = more && encodeRequests([{ do: 'setLink', of: { index: 0, ifname }, change: more }], 1, openNamespace)
    await this.#addon.tap(where ?? this.#home, ifname, mode === 'tun', requests, owner, ownerGroup, multiQueue).catch(refusal(where))
  }

  async close(): Promise<void> {
    await this.#last.catch(() => undefined)
    this.#addon.close(this.#socket)
  }

  #take(count: number): number {
    const first = this.#sequence
    this.#sequence = (this.#sequence + count) % 0xf000_0000
    return first
  }

  /** One after the other on the node's own socket, so that answers cannot be mistaken; elsewhere each has a socket of its own. */
  #exchange(bytes: Uint8Array, last: number, where: NetlinkNamespace, ifname?: string): Promise<Answers> {
    if (where !== undefined || ifname !== undefined) return this.#once(bytes, last, { where: where ?? this.#home, ifname })
    return this.#inOrder(() => this.#exchangeHere(bytes, last))
  }

  #inOrder<T>(run: () => Promise<T>): Promise<T> {
    const exchanged = this.#last.then(run, run)
    this.#last = exchanged
    return exchanged
  }

  async #exchangeHere(bytes: Uint8Array, last: number): Promise<Answers> {
    const answers = new Answers()
    let more = bytes
    for (let reads = 0; reads < patience && !answers.ended(last); reads++) {
      answers.take(await this.#addon.exchange(this.#socket, more).catch(refusal(this.#home)))
      more = new Uint8Array()
    }
    return whole(answers, last)
  }

  async #once(
    bytes: Uint8Array,
    last: number,
    { where, ifname }: { readonly where: NetlinkNamespace; readonly ifname: string | undefined },
  ): Promise<Answers> {
    const answers = new Answers()
    answers.take(await this.#addon.once(where, netlinkProtocol.route, bytes, ifname).catch(refusal(where)))
    return whole(answers, last)
  }
}

function whole(answers: Answers, last: number): Answers {
  if (!answers.ended(last)) throw new LinkRefused({ what: 'an answer', reason: 'the kernel did not end it' })
  return answers
}

/** Namespaces that requests speak of travel as open descriptors. */
async function withNamespaces<T>(requests: readonly NetlinkRequest[], run: (fdOf: (netns: string) => number) => Promise<T>): Promise<T> {
  const open = new Map<string, number>()
  try {
    for (const netns of requests.flatMap(namespacesOf)) if (!open.has(netns)) open.set(netns, openNamespace(netns))
    return await run((netns) => open.get(netns)!)
  } finally {
    for (const fd of open.values()) closeSync(fd)
  }
}

function namespacesOf(request: NetlinkRequest): readonly string[] {
  const named =
    request.do === 'addLink'
      ? [request.link.netns, request.link.shape.kind === 'veth' ? request.link.shape.peer.netns : undefined]
      : request.do === 'setLink'
        ? [request.change.netns]
        : []
  return named.filter((each) => each !== undefined)
}

function openNamespace(netns: string): number {
  try {
    return openSync(netns, 'r')
  } catch (cause) {
    throw new NetnsGone({ netns, cause })
  }
}
