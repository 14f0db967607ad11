// What a kernel can do for the Linux data plane: tried, not guessed, on devices of one's own that are taken away again. What a rival tries
// is no answer.
import { tunnelName } from '../../core/linux/linux-items.ts'
import type { NetlinkRequest } from '../../core/wire/netlink/netlink.ts'
import type { Link } from '../../core/wire/netlink/link.ts'
import { linkGroup, named } from '../links/pod-namespace.ts'
import { refusedAs, type Netlink } from '../netlink/netlink.ts'

let tried = 0

/** @returns why not */
export const canTag = (netlink: Netlink, vlans: { probe(index: number): Promise<string | undefined> }): Promise<string | undefined> =>
  onBridge(
    netlink,
    () => [],
    (link) => (link === undefined ? 'the kernel makes no bridges' : vlans.probe(link.index)),
  )

export const whyNoLearning = (netlink: Netlink): Promise<string | undefined> =>
  onBridge(
    netlink,
    (ifname) => [{ do: 'setLink', of: named(ifname), change: { learnedMax: 1 } }],
    (link) =>
      link?.learnedMax === 1
        ? undefined
        : 'this kernel does not bound what a bridge learns (Linux 6.7 does): frames for MACs behind this Port go to all nodes of the VNI',
  )

async function onBridge(
  netlink: Netlink,
  changes: (ifname: string) => readonly NetlinkRequest[],
  whyNot: (link: Link | undefined) => string | undefined | Promise<string | undefined>,
): Promise<string | undefined> {
  const ifname = `mgt${process.pid.toString(36)}${(tried++).toString(36)}`
  const answers = await netlink.request([
    { do: 'addLink', link: { ifname, group: linkGroup.removed, shape: { kind: 'bridge' } } },
    ...changes(ifname),
    { do: 'getLink', of: named(ifname) },
  ])
  const problem = await whyNot(answers.at(-1)?.link)
  await netlink.request([{ do: 'dropLink', of: named(ifname) }])
  return problem
}

export async function canTunnel(netlink: Netlink): Promise<boolean> {
  const ifname = tunnelName(0)
  const [made] = await netlink.request([
    { do: 'addLink', link: { ifname, group: linkGroup.removed, shape: { kind: 'vxlan', vni: 1, l4Port: 65_530, learning: false } } },
    { do: 'dropLink', of: named(ifname) },
  ])
  return made?.refusal === undefined || refusedAs(made.refusal) === 'EEXIST'
}
