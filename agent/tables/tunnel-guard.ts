// The table of core/linux/tunnel-guard.ts, on every data plane that tunnels by the node's kernel.
import { tunnelGuard } from '../../core/linux/tunnel-guard.ts'
import type { NodeTable } from './with-node-table.ts'
import { nftTable } from './nft.ts'

/** @param netns the node's namespace, where it is not that of this process */
export const nftTunnelGuard = (l4Ports: readonly number[], netns?: string): NodeTable => ({
  key: 'tunnels/this node alone',
  rule: "tunnel packets are this node's own to send",
  ...nftTable(tunnelGuard(l4Ports), netns),
})
