// What the agent asks of the kernel's network, whoever carries it there: the addon, or the program `ip`.
import { getSystemErrorName } from 'node:util'
import type { NetlinkAnswer, NetlinkRequest, Listed, NetlinkEvent } from '../../core/wire/netlink/netlink.ts'
import type { Refusal } from '../../core/wire/netlink/message.ts'
import type { LinkChange, LinkRef, TunFacts } from '../../core/wire/netlink/link.ts'
import type { NativeSocket } from '../native/addon.ts'

/** Where something is asked: the path of a namespace; undefined is the one that the Netlink was opened for. */
export type NetlinkNamespace = string | undefined

/** A link that a `getLink` of the first requests found; `peer` as Link has it. */
export interface NetlinkReport extends LinkRef {
  readonly peer: number
}

/** Who may open a tap beside whoever has CAP_NET_ADMIN, where one is named; else everybody may. */
export type TapChange = LinkChange & Partial<TunFacts>

/** Each part is asked only where nothing of those before was refused. */
export interface Chain {
  /** Something else that has to be done before, on a socket of its own. */
  readonly before?: { readonly socket: NativeSocket; readonly bytes: Uint8Array }
  readonly first: readonly NetlinkRequest[]
  /**
   * Asked with the links that `first` told of, in the order of its `getLink`s; numbers that are not known yet are blank: only LinkRefs may
   * be made of them.
   */
  readonly then: (answers: readonly NetlinkReport[]) => readonly NetlinkRequest[]
}

/** undefined: it was not asked. */
export interface Chained {
  readonly first: readonly NetlinkAnswer[] | undefined
  readonly then: readonly NetlinkAnswer[] | undefined
}

/**
 * Promises, tested by test/node/netlink.test.ts on both:
 * 1 a batch is asked in order, all of it, and each is answered; what the kernel refuses is an answer, never a rejection;
 * 2 a list is whole: one that changed while it was taken is taken again;
 * 3 whoever listens is woken after a change, once or more; also when so much changed that some was lost;
 * 4 another namespace is another network, and the caller's own is never left: nothing asked here changes in which the process is;
 * 5 of a chain, each part is asked only where nothing before it was refused, with the links that were told.
 */
export interface Netlink {
  /** `addon` or `ip`: for the log and for bench. */
  readonly carrier: string
  /** @throws NetnsGone; LinkRefused when the kernel cannot be asked at all */
  request(requests: readonly NetlinkRequest[], where?: NetlinkNamespace): Promise<readonly NetlinkAnswer[]>
  /** As request, after the checksum offload of `ifname` has been switched off there. */
  requestWithoutOffload(requests: readonly NetlinkRequest[], where: NetlinkNamespace, ifname: string): Promise<readonly NetlinkAnswer[]>
  /** In one turn of a thread; where it is absent, `chained` asks one part after the other. */
  chain?(chain: Chain): Promise<Chained>
  list<K extends keyof Listed>(what: K, where?: NetlinkNamespace): Promise<readonly Listed[K][]>
  /**
   * Wakes on changes of the node's own namespace until `stop` is called; with what changed, where that is known.
   *
   * @param only `gone`: of what is there nobody wants to hear, and it is not read: each ADD changes its link ten times
   */
  listen(what: readonly (keyof Listed)[], wake: NetlinkWake, only?: 'gone'): Promise<{ stop(): void }>
  /** Sends one Ethernet frame out of an interface. */
  frame(ifname: string, bytes: Uint8Array, where?: NetlinkNamespace): Promise<void>
  /**
   * A tap device, or a tun, that stays until it is dropped as any link; repeatable. By /dev/net/tun: rtnetlink makes none.
   *
   * @param more how it is before it stays, and who may open it: by the addon none is left behind that is otherwise
   * @throws NetnsGone; LinkRefused where the machine has no such device, or another link has the name
   */
  tap(ifname: string, mode: 'tap' | 'tun', where?: NetlinkNamespace, more?: TapChange): Promise<void>
  /** Each frame that passes the interface, either way, from now on. Absent: it cannot be done. */
  sniff?(ifname: string): Promise<FrameReader>
  /**
   * Each frame that an interface receives and the filter lets through, until `stop`; undefined: some are lost, or the interface is down.
   * Absent: it cannot be done.
   *
   * @param filter a program of classic BPF
   * @throws LinkRefused where there is no such interface
   */
  hear?(ifname: string, filter: Uint8Array, onFrame: (frame: Uint8Array | undefined) => void): Promise<{ stop(): void }>
  close(): Promise<void>
}

export interface FrameReader {
  /** The next frame, which is there until the next is read; undefined: none has passed. */
  read(): Uint8Array | undefined
  close(): void
}

/** undefined: something changed, look for yourself. */
export type NetlinkWake = (events?: readonly NetlinkEvent[]) => void

/** `EEXIST` and the like. */
export const refusedAs = ({ errno }: Refusal): string => getSystemErrorName(-errno)

/** For people: what the kernel called it, in its own words where it has any. */
export const refusalText = (refusal: Refusal): string =>
  refusal.words === undefined ? refusedAs(refusal) : `${refusedAs(refusal)} (${refusal.words})`
