// What the agent asks of a node's links: one veth pair a Port, its host end named LocalPort.ifcName, its other end in the pod.
// Data planes join the host end to a switch; nothing here knows them.
import type { Captured, CaptureLimits, PortCounters } from '../../core/kinds/node/inquiry.ts'
import type { LocalPort } from '../../core/node/wanted.ts'

/** One route beyond those that the addresses bring with them. */
export interface InsideRoute {
  /** A block; `0.0.0.0/0` and `::/0` are default routes. */
  readonly to: string
  /** Absent: on the link itself. One outside every block of the interface (169.254.1.1, fe80::1) is reached on the link all the same. */
  readonly via?: string
}

/** The end that a pod sees. */
export interface Inside {
  /**
   * As CNI_NETNS has it: `/var/run/netns/…`, `/proc/PID/ns/net`. Absent: the node's own namespace, for Ports without a pod: no addresses
   * there, and none of the kernel's making.
   */
  readonly netns?: string
  /** The namespace is this Port's own: made with its interface, and deleted with it. */
  readonly own?: true
  /** As CNI_IFNAME has it; for a Port without a pod KOS's `kos…`. */
  readonly ifname: string
  /** With prefix length: `10.0.0.5/24`, `2001:db8::5/64`. Usable at once: no duplicate address detection. */
  readonly addresses: readonly string[]
  readonly routes: readonly InsideRoute[]
  /** Bytes; that of the Port where absent. */
  readonly mtu?: number
  /** Offloaded checksums are switched off inside: a switch in user space would never fill them in (OVS netdev, BESS AF_PACKET). */
  readonly checksumsInSoftware?: boolean
  /** The interface of the node that a macvlan in bridge mode is put on, in place of a veth pair: there is no host end then. */
  readonly macvlanOn?: string
}

/** What is there after `ensure`, for the CNI result and the ledger. */
export interface Plumbed {
  readonly ifcName: string
  /** Of the host end, in the node's namespace; 0 for a macvlan, which has none. */
  readonly hostIndex: number
  /** Of the host end; empty for a macvlan. */
  readonly hostMac: string
  /** In the pod's namespace. */
  readonly index: number
  readonly mac: string
  readonly mtu: number
  /** It was not there before: what a data plane had on one of its name is on nothing now. */
  readonly fresh: boolean
}

/** One host end of ours. */
export interface OurLink {
  readonly ifcName: string
  readonly index: number
  /** Of the Port. Absent: the maker was killed before it could say; the name is a function of the UID all the same. */
  readonly uid?: string
  readonly up: boolean
  readonly mtu: number
}

/**
 * Promises, tested by test/node/links.test.ts on the addon and on `ip`:
 * 1 `ensure` twice is once; what differs is put right (MTU, MAC, addresses and routes added and taken away); a host end whose
 *   other end is not where it is wanted (a second sandbox of the pod) is made anew;
 * 2 killed between any two messages, `ensure` again, or `remove`, or the next `reap` leaves what an undisturbed one leaves;
 * 3 a host interface of that name that is not ours is never touched: LinkTaken. An interface of that name inside that is not
 *   ours: LinkTaken too (CNI: an existing CNI_IFNAME is an error);
 * 4 `remove` takes the host end down and out of its bridge and returns; the pair is deleted soon after, many at once. No frame
 *   passes after `remove` has returned. Gone already is success, and so is a namespace that is gone;
 * 5 a name may be used again at once after `remove`;
 * 6 what `list` shows is ours: made by us (by link group), and not removed;
 * 7 a TAP is made in the node's namespace in place of the pair where the Port is plugged in by one; it is marked before it stays;
 * 8 an interface that somebody else makes is waited for until the signal, moved into the namespace inside, never deleted, and given back
 *   by `giveBack` with its name, MAC, MTU and alias;
 * 9 in the node's own namespace an interface gets no address that `inside` does not name: none of its own making, none of a router's.
 */
export interface Links {
  /**
   * Makes the pair, both ends up, addresses and routes inside, loopback up.
   *
   * @param joinable called once the host end is there, while the inside is still being made: a data plane may take it in meanwhile
   * @param signal ends the wait for what somebody else makes
   * @throws LinkTaken when somebody else has the name; NetnsGone when there is no such namespace; LinkRefused with the kernel's words
   */
  ensure(port: LocalPort, inside: Inside, joinable?: () => void, signal?: AbortSignal): Promise<Plumbed>
  /**
   * By LocalPort.ifcName; the namespace that is its own goes too. A macvlan needs to be told where it is. Answers within 3 ms; see promise
   * 4.
   */
  remove(ifcName: string, macvlan?: { readonly netns: string; readonly ifname: string }): Promise<void>
  /** An interface of somebody else's that a Port had: back to the node, as it was. Gone already is success. */
  giveBack(port: LocalPort, netns: string): Promise<void>
  /**
   * What differs inside from what `ensure` would leave, as sentences for CNI CHECK: "net1 has no address 10.0.0.5/24". None: all is well.
   * Routes are looked for, more of them are nobody's fault.
   */
  check(port: LocalPort, inside: Inside): Promise<readonly string[]>
  list(): Promise<readonly OurLink[]>
  /**
   * Takes the addresses and routes that `inside` names off an interface, and leaves everything else; nothing where there is no interface.
   */
  strip(inside: Inside): Promise<void>
  /** Whether the namespace of a Port's own is there, as `ensure` made it. */
  hasOwn(ifcName: string): Promise<boolean>
  /**
   * Tells the neighbours where the addresses are now: a gratuitous ARP (RFC 5227 section 3) or unsolicited neighbour advertisement (RFC
   * 4861 section 7.2.6) each.
   */
  announce(port: LocalPort, inside: Inside): Promise<void>
  /** Of a host end. Absent: nothing is counted. */
  counters?(ifcName: string): Promise<PortCounters | undefined>
  /** What passes a host end, as far as the limits and captureBytesMax allow; nothing is held up by it. Absent: it cannot be read. */
  capture?(ifcName: string, limits: CaptureLimits, signal: AbortSignal): Promise<Captured>
  /**
   * What a guest asks for at its TAP, until `stop`; undefined: some is lost, or the TAP is down. Absent: guests are not answered.
   *
   * @throws LinkRefused where there is no such TAP
   */
  hear?(ifcName: string, filter: Uint8Array, onFrame: (frame: Uint8Array | undefined) => void): Promise<{ stop(): void }>
  /** One frame to the guest at a TAP. */
  tell?(ifcName: string, frame: Uint8Array): Promise<void>
  /** Deletes what has been removed, also by an earlier process; `remove` sees to it by itself. */
  reap(): Promise<void>
  /** Reaps, and closes its sockets. Links of Ports stay: traffic goes on without us. */
  close(): Promise<void>
}
