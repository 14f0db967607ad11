// The addon's face in TypeScript; agent/native/netlink/module.c says what each does.
import { createRequire } from 'node:module'
import { builtNative } from './build.ts'
import { messageOf } from '../../core/errors.ts'

declare const socketBrand: unique symbol
/** An open netlink socket; it closes when nobody has it any more, or by `close`. */
export interface NativeSocket {
  readonly [socketBrand]: true
}

/** Netlink protocol numbers (linux/netlink.h). */
export const netlinkProtocol = { route: 0, netfilter: 12, generic: 16 } as const

/** Rejections are errors with `errno` (a number above 0) and `syscall`. */
export interface Addon {
  /** @param netns a path, `/proc/self/fd/N` for an open file of ours; undefined: the namespace of this process */
  open(netns: string | undefined, protocol: number, groups: readonly number[]): Promise<NativeSocket>
  /** One at a time on a socket. No bytes: waits up to a second for answers. */
  exchange(socket: NativeSocket, bytes: Uint8Array): Promise<Buffer>
  /** @param checksumsOf the interface whose checksum offload is switched off first */
  once(netns: string | undefined, protocol: number, bytes: Uint8Array, checksumsOf: string | undefined): Promise<Buffer>
  /**
   * An exchange over each of the sockets, in one turn of a thread: each where nothing was refused before it.
   *
   * @param fills five numbers of 32 bits each (netlink/steps.c): into which exchange, where, from which sequence number, and where in that
   * @returns the answers of those that were made
   */
  chain(sockets: readonly NativeSocket[], messages: readonly Uint8Array[], fills: Uint8Array): Promise<readonly Buffer[]>
  frame(netns: string | undefined, ifname: string, bytes: Uint8Array): Promise<void>
  /** A file from which each frame that passes the interface, either way, is one read; it never blocks, and is the caller's to close. */
  sniff(netns: string | undefined, ifname: string): Promise<number>
  /**
   * Frames of an interface that a program of classic BPF lets through, for `listen`; told as lost where the interface is switched off.
   *
   * @param filter instructions of eight bytes each
   */
  ear(netns: string | undefined, ifname: string, filter: Uint8Array): Promise<NativeSocket>
  /**
   * A tap device, or a tun, that stays; one that is there is given to its owner, and left as it is.
   *
   * @param more bytes asked of rtnetlink before it is made to stay; a user and a group that may open it, -1: nobody in particular; whether
   *   it takes several queues
   */
  tap(
    netns: string | undefined,
    ifname: string,
    tun: boolean,
    ...more: readonly [bytes: Uint8Array | undefined, owner: number, group: number, queues: boolean]
  ): Promise<void>
  /** Instructions of BPF for packets at a device (BPF_PROG_TYPE_SCHED_CLS); the open file is the caller's to close. */
  program(instructions: Uint8Array): Promise<number>
  /** undefined: some was lost. */
  listen(socket: NativeSocket, call: (bytes: Buffer | undefined) => void): void
  close(socket: NativeSocket): void
}

/** The addon, if it has been built; loads at most once a process and path. */
export function loadAddon(path?: string): Addon | { readonly missing: string } {
  const built = path === undefined ? builtNative('addon') : { path }
  if ('missing' in built) return built
  try {
    return createRequire(import.meta.url)(built.path) as Addon
  } catch (error) {
    return { missing: `${built.path} does not load: ${messageOf(error)}` }
  }
}
