// Who is judged, and with whom it may talk: what nftables lets pass between interfaces of a bridge.
import type { PeerAccess } from '../kinds/policy/access.ts'
import type { Item } from '../node/item.ts'
import type { LocalPort } from '../node/wanted.ts'
import { items } from './items.ts'
import type { LinuxItem } from './linux-items.ts'

/** A Port that is judged, as much of it as matters. */
export type JudgedPort = Pick<LocalPort, 'ifcName' | 'of'>

export const judgementItems = (
  ports: readonly JudgedPort[],
  { vni, access }: { readonly vni: number; readonly access: readonly PeerAccess[] },
): readonly Item<LinuxItem>[] =>
  ports.flatMap(({ ifcName: ifname, of }) => items({ rule: 'whom policies let it talk to', of }, [{ kind: 'judged', ifname, vni, access }]))
