// An interface that somebody else makes: waited for, moved into the pod, and given back as it was. It is never deleted by us.
import { LinkRefused, LinkTaken, NetnsGone, PortNotReady } from '../../../core/errors.ts'
import type { LocalPort } from '../../../core/node/wanted.ts'
import type { Link } from '../../../core/wire/netlink/link.ts'
import type { NetlinkRequest } from '../../../core/wire/netlink/netlink.ts'
import type { Netlink } from '../../netlink/netlink.ts'
import { settleRequests } from '../inside.ts'
import type { Inside, Plumbed } from '../links.ts'
import { aliasOf, applyInside, findLink, named, readInside, throwUnless } from '../pod-namespace.ts'

export const isAdopted = ({ attachment }: LocalPort): boolean => attachment.kind === 'vif' && attachment.plug === 'interface'

/** Where it is moved to; undefined: it stays on the node, as a TAP does that a hypervisor opens there. */
export const adoptedInto = ({ type }: Pick<LocalPort, 'type'>, { netns }: Pick<Inside, 'netns'>): string | undefined =>
  type === 'tap' ? undefined : netns

/** The name that it has on the node. */
export const theirInterface = ({ attachment }: LocalPort): string => (attachment.kind === 'vif' ? (attachment.interface ?? '') : '')

/** IFALIASZ (linux/if.h) less the end mark. */
const aliasMax = 255

/** What is ours to say of it while it is away, in one alias: whose it is, and how it was. */
const mark = ({ uid }: LocalPort, { ifname, mac = '', mtu, up, alias = '' }: Link): string =>
  [aliasOf(uid), ifname, mac, mtu, up ? 'up' : 'down', alias].join(' ')

interface Marked {
  readonly ifname: string
  readonly mac: string
  readonly mtu: number
  readonly up: boolean
  readonly alias: string
}
function markedOf({ uid }: Pick<LocalPort, 'uid'>, { alias = '' }: Link): Marked | undefined {
  const [owner, ifname = '', mac = '', mtu = '', up, ...rest] = alias.split(' ')
  if (owner !== aliasOf(uid) || ifname === '') return undefined
  return { ifname, mac, mtu: Number(mtu), up: up === 'up', alias: rest.join(' ') }
}

/**
 * Moves it into the pod once it is there, and gives it what the pod is to have; twice is once. Where there is no namespace to move it to,
 * it stays as it is.
 *
 * @throws PortNotReady where it has not come in time; LinkTaken, LinkRefused, NetnsGone
 */
export async function adopt(netlink: Netlink, port: LocalPort, inside: Inside, signal: AbortSignal | undefined): Promise<Plumbed> {
  const { ifname } = inside
  const netns = adoptedInto(port, inside)
  const mtu = inside.mtu ?? port.mtu
  const plumbed = (index: number): Plumbed => ({
    ifcName: port.ifcName,
    hostIndex: 0,
    hostMac: '',
    index,
    mac: port.mac,
    mtu,
    fresh: false,
  })
  const name = theirInterface(port)
  if (netns === undefined) return plumbed((await awaited(netlink, port, name, signal)).index)
  const before = await readInside(netlink, inside)
  if (before !== undefined && markedOf(port, before.link) === undefined) throw new LinkTaken({ ifname, where: netns })
  if (before === undefined) await move(netlink, port, { of: await awaited(netlink, port, name, signal), netns, ifname })
  const within = before ?? (await readInside(netlink, inside))
  if (within === undefined) throw new LinkRefused({ what: name, reason: 'it went away while it was moved into the pod' })
  await applyInside(netlink, inside, settleRequests(inside, within, port.mac, mtu))
  return plumbed(within.link.index)
}

/** In one message: whoever is killed before or after it leaves it where it was, or where it can be found. */
async function move(
  netlink: Netlink,
  port: LocalPort,
  { of, netns, ifname }: { readonly of: Link; readonly netns: string; readonly ifname: string },
): Promise<void> {
  const alias = mark(port, of)
  if (Buffer.byteLength(alias) > aliasMax)
    throw new LinkRefused({ what: of.ifname, reason: 'its alias is too long to be kept beside ours' })
  throwUnless(await netlink.request([{ do: 'setLink', of, change: { up: false, netns, rename: ifname, alias } }]), [])
}

/** Whoever makes it may take its time: the kernel tells when it is there. */
async function awaited(netlink: Netlink, port: LocalPort, name: string, signal: AbortSignal | undefined): Promise<Link> {
  let wake: () => void = () => undefined
  const woken = (): void => wake()
  const { stop } = await netlink.listen(['links'], woken)
  signal?.addEventListener('abort', woken)
  try {
    for (;;) {
      const changed = new Promise<void>((resolve) => (wake = resolve))
      const link = await findLink(netlink, name)
      if (link !== undefined) return link
      if (signal?.aborted !== true) await changed
      if (signal?.aborted === true) throw new PortNotReady({ port: port.of.name, reason: `nobody has made the interface ${name}` })
    }
  } finally {
    signal?.removeEventListener('abort', woken)
    stop()
  }
}

/**
 * Back to the node, under its own name and as it was; the kernel takes addresses and routes off it on the way. Gone already is success:
 * with its namespace the kernel gives back what is a device, and deletes what is made of software.
 *
 * @param home path of the node's namespace
 */
export async function giveBack(
  netlink: Netlink,
  port: Pick<LocalPort, 'uid'>,
  { netns, home }: { readonly netns: string; readonly home: string },
): Promise<void> {
  try {
    for (const link of await netlink.list('links', netns)) {
      const was = markedOf(port, link)
      if (was === undefined) continue
      const { ifname, mac, mtu, up, alias } = was
      const back: NetlinkRequest = {
        do: 'setLink',
        of: link,
        change: { up: false, mtu, ...(mac !== '' && { mac }), netns: home, rename: ifname, alias },
      }
      throwUnless(await netlink.request([back], netns), ['ENODEV'])
      if (up) throwUnless(await netlink.request([{ do: 'setLink', of: named(ifname), change: { up } }]), ['ENODEV'])
    }
  } catch (err) {
    if (!(err instanceof NetnsGone)) throw err
  }
}
