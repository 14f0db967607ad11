// The pair of devices between a data plane and the kernel's routes: its port, and the router.
import { doorName, routerName } from '../../core/net/router-name.ts'
import type { NetlinkRequest } from '../../core/wire/netlink/netlink.ts'
import { linkGroup, named } from '../links/pod-namespace.ts'

/** Without its other end up a device carries nothing. @param mtu bytes, of both */
export const makePair = (vni: number, mtu: number): readonly NetlinkRequest[] => [
  {
    do: 'addLink',
    link: { ifname: doorName(vni), mtu, group: linkGroup.door, shape: { kind: 'veth', peer: { ifname: routerName(vni), mtu } } },
  },
  { do: 'setLink', of: named(routerName(vni)), change: { up: true, apart: true } },
]

/** The largest that a data plane in user space reads frames of; routes say how much a Port takes. */
export const pairMtu = 9_000
