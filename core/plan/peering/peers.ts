// What VpcPeerings say of one VNI, as whom the kernel of a node leads its packets to.
import type { Resource } from '../../kinds/index.ts'
import type { RoutedPeer } from '../../node/wanted.ts'

export interface FollowedPeer extends RoutedPeer {
  /** Of its Vpc. */
  readonly namespace: string
}

/** Of those that are in force, in the order of their VNIs. */
export const peersFrom = (peerings: Iterable<Resource<'VpcPeering'>>): readonly FollowedPeer[] =>
  [...peerings]
    .flatMap(({ status: { peer, blocks = [] } = {} }) =>
      peer === undefined
        ? []
        : [
            {
              vni: peer.vni,
              namespace: peer.namespace,
              own: blocks,
              blocks: peer.blocks,
              ...(peer.mtu !== undefined && { mtu: peer.mtu }),
            },
          ],
    )
    .sort((a, b) => a.vni - b.vni)
