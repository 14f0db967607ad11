// Whether frames pass between ports of a bridge, tried rather than guessed: where br_netfilter shows them to the node's packet filter, any
// table there may drop them, and whose it is and why cannot be read from its rules.
import { readFile } from 'node:fs/promises'
import { LinkRefused } from '../../core/errors.ts'
import { checksum } from '../../core/net/checksum.ts'
import { parseIp } from '../../core/net/ip.ts'
import { ipBytes, macBytes } from '../../core/wire/netlink/bytes.ts'
import type { NetlinkRequest } from '../../core/wire/netlink/netlink.ts'
import { pause, type Clock } from '../../platform/clock.ts'
import { run } from '../../platform/programs/run.ts'
import { linkGroup, named } from '../links/pod-namespace.ts'
import { refusalText, type Netlink } from '../netlink/netlink.ts'

/** Which of the families get through. */
export interface PassageResult {
  readonly v4: boolean
  readonly v6: boolean
}

/** Documentation's own (RFC 5737, RFC 3849), and a protocol for experiments (RFC 3692): what a filter lets through by name is not tried. */
const ends = { v4: ['192.0.2.1', '192.0.2.2'], v6: ['2001:db8::1', '2001:db8::2'] } as const
const protocol = 253
const macs = { v4: '02:4d:67:74:00:04', v6: '02:4d:67:74:00:06', nobody: '02:4d:67:74:00:ff' } as const
/**
 * The kernel lets a port of a bridge forward up to a second after its link is up (net/core/link_watch.c, Linux 6.18): frames are sent
 * again.
 */
const [attemptsMost, pollMs] = [25, 50]
/** Devices to be removed may be removed by whoever removes such, while it is tried. */
const triesMost = 3
let tried = 0

/** Whether frames of bridges are shown to the node's packet filter at all: /proc/sys/net/bridge is not there without br_netfilter. */
export async function isFilterShown(netns?: string): Promise<boolean> {
  const files = ['iptables', 'ip6tables'].map((each) => `/proc/sys/net/bridge/bridge-nf-call-${each}`)
  const texts =
    netns === undefined
      ? await Promise.all(files.map((file) => readFile(file, 'utf8').catch(() => '')))
      : [(await run('nsenter', [`--net=${netns}`, '--', 'cat', ...files])).stdout]
  return texts.some((text) => /[1-9]/.test(text))
}

/**
 * Two bridges with a pair between them, of which one floods what the other learns the source of.
 *
 * @throws LinkRefused where the kernel makes none of these
 */
export async function tryPassage(netlink: Netlink, clock: Clock): Promise<PassageResult> {
  for (let times = 1; ; times++) {
    try {
      return await tryOnce(netlink, clock)
    } catch (err) {
      if (times >= triesMost) throw err
    }
  }
}

async function tryOnce(netlink: Netlink, clock: Clock): Promise<PassageResult> {
  const mark = `${process.pid.toString(36)}${(tried++ % 36).toString(36)}`
  const [near, far] = [`mgbrt${mark}`, `mgbru${mark}`]
  const [out, into, across, heard] = ['s', 't', 'u', 'v'].map((each) => `mgz${each}${mark}`) as [string, string, string, string]
  const group = linkGroup.removed
  try {
    const [a, b] = await requested(
      netlink,
      [near, far].flatMap((ifname): NetlinkRequest[] => [
        { do: 'addLink', link: { ifname, up: true, group, shape: { kind: 'bridge' } } },
        { do: 'getLink', of: named(ifname) },
      ]),
    )
    if (a === undefined || b === undefined)
      throw new LinkRefused({ what: 'a try of the way through a bridge', reason: 'its bridges have gone' })
    await requested(netlink, [
      { do: 'addLink', link: { ifname: into, master: a, group, shape: { kind: 'veth', peer: { ifname: out } } } },
      { do: 'addLink', link: { ifname: across, master: a, group, shape: { kind: 'veth', peer: { ifname: heard } } } },
      { do: 'setLink', of: named(heard), change: { master: b, up: true } },
      ...[out, into, across].map((ifname): NetlinkRequest => ({ do: 'setLink', of: named(ifname), change: { up: true } })),
    ])
    return await sendUntilHeard(netlink, { out, bridge: b }, clock)
  } finally {
    await netlink.request([near, far, out, across].map((ifname): NetlinkRequest => ({ do: 'dropLink', of: named(ifname) })))
  }
}

/** @returns indexes of the links that were asked for */
async function requested(netlink: Netlink, requests: readonly NetlinkRequest[]): Promise<readonly number[]> {
  const answers = await netlink.request(requests)
  const refused = answers.find(({ refusal }) => refusal !== undefined)?.refusal
  if (refused !== undefined) throw new LinkRefused({ what: 'a try of the way through a bridge', reason: refusalText(refused) })
  return answers.flatMap(({ link }) => (link === undefined ? [] : [link.index]))
}

async function sendUntilHeard(
  netlink: Netlink,
  { out, bridge }: { readonly out: string; readonly bridge: number },
  clock: Clock,
): Promise<PassageResult> {
  for (let attempt = 1; ; attempt++) {
    for (const family of ['v4', 'v6'] as const) await netlink.frame(out, frameOf(family))
    const learned = new Set(
      (await netlink.list('fdb')).flatMap((each) => (each.kind === 'fdb' && each.master === bridge ? [each.mac] : [])),
    )
    const passed = { v4: learned.has(macs.v4), v6: learned.has(macs.v6) }
    if ((passed.v4 && passed.v6) || attempt >= attemptsMost) return passed
    await pause(pollMs, clock)
  }
}

function frameOf(family: keyof typeof ends): Uint8Array {
  const [from, to] = ends[family].map((each) => ipBytes(parseIp(each)!)) as [Uint8Array, Uint8Array]
  const type = family === 'v4' ? [8, 0] : [0x86, 0xdd]
  const head = family === 'v4' ? headV4(from, to) : [0x60, 0, 0, 0, 0, payload.length, protocol, 64, ...from, ...to]
  return Uint8Array.of(...macBytes(macs.nobody), ...macBytes(macs[family]), ...type, ...head, ...payload)
}

/** As long as the shortest frame of Ethernet wants it. */
const payload = new Uint8Array(32)

function headV4(from: Uint8Array, to: Uint8Array): readonly number[] {
  const head = Uint8Array.of(0x45, 0, 0, 20 + payload.length, 0, 0, 0, 0, 64, protocol, 0, 0, ...from, ...to)
  const sum = checksum(head)
  return [...head.subarray(0, 10), sum >> 8, sum & 255, ...head.subarray(12)]
}
