// The table of core/linux/router-guard.ts, beside every data plane.
import { routerGuard } from '../../core/linux/router-guard.ts'
import { nftTable } from './nft.ts'
import type { NodeTable } from './with-node-table.ts'

/** @param netns the node's namespace, where it is not that of this process */
export const nftRouterGuard = (netns?: string): NodeTable => ({
  key: 'routers/guarded',
  rule: 'what VNIs send by the kernel is for others than this node',
  ...nftTable(routerGuard, netns),
})
