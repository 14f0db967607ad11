// Nodes of the Linux data plane whose kernel routes, with the tables that stand beside each data plane.
import assert from 'node:assert/strict'
import type { KernelRouting } from '../../agent/routing/kernel-routing.ts'
import { openRouting } from '../../agent/routing/open.ts'
import { withKernelRoutes } from '../../agent/routing/with-kernel-routes.ts'
import { openNetlink } from '../../agent/netlink/addon.ts'
import { nftTable } from '../../agent/tables/nft.ts'
import { nftRouterGuard } from '../../agent/tables/router-guard.ts'
import { withNodeTable } from '../../agent/tables/with-node-table.ts'
import type { Dataplane } from '../../core/contracts/dataplane.ts'
import { ownConntrack } from '../../core/linux/own-conntrack.ts'
import type { LinuxItem } from '../../core/linux/linux-items.ts'
import { builtAddon, type Spaces } from './kernel.ts'
import type { Namespace } from '../../lab/namespaces.ts'
import { want, withNodes, type Node, type Pod } from './linux-nodes.ts'

export interface L3Nodes {
  readonly spaces: Spaces
  readonly nodes: readonly [Node, Node]
  /** How often one of them was told that something has been taken away. */
  woken(): number
}

export const withL3Nodes = (run: (lab: L3Nodes) => Promise<void>): Promise<void> =>
  withNodes(async (spaces, plain) => {
    const addon = await builtAddon()
    const opened: KernelRouting[] = []
    let woken = 0
    const beside = async (node: Node): Promise<Node> => {
      const { path, namespace } = node.space
      await namespace.exec('sysctl', '-qw', 'net.ipv4.ip_forward=1', 'net.ipv6.conf.all.forwarding=1')
      const routing = openRouting({ addon, netlink: await openNetlink(addon, path), netns: path })
      opened.push(routing)
      await routing.follow(() => void woken++)
      const plane = withNodeTable(
        withNodeTable(withKernelRoutes(node.plane, { open: () => Promise.resolve(routing) }), nftRouterGuard(path)),
        { key: 'apart', rule: 'frames of Ports are not tracked', ...nftTable(ownConntrack(['up0']), path) },
      )
      const routed: Node = { ...node, plane: plane as Dataplane<LinuxItem>, items: new Map() }
      await want(routed, 'base', routed.plane.renderer.base())
      return routed
    }
    try {
      await run({ spaces, nodes: [await beside(plain[0]), await beside(plain[1])], woken: () => woken })
    } finally {
      for (const routing of opened) await routing.close()
    }
  })

export async function ipOn({ space }: Node, ...args: readonly string[]): Promise<void> {
  const { code, stderr } = await space.namespace.ip(...args)
  assert.equal(code, 0, stderr)
}

/** As kube-proxy does (kubernetes#94861): what of a connection the node's kernel has not seen the beginning of. */
export async function dropInvalid(namespace: Namespace): Promise<void> {
  const ruleset = 'table inet proxy { chain forward { type filter hook forward priority 0; ct state invalid drop; }; }'
  const { code, stderr } = await namespace.exec('nft', ruleset)
  assert.equal(code, 0, stderr)
}

const counted = (text: string): number => Number(/TX:[^\n]*\n\s*\d+\s+(\d+)/.exec(text)?.[1] ?? Number.NaN)
export const sent = async ({ space }: Node, ifname: string): Promise<number> =>
  counted((await space.namespace.ip('-s', 'link', 'show', 'dev', ifname)).stdout)
/** Packets that came to a pod. */
export const received = (node: Node, { port }: Pod): Promise<number> => sent(node, port.ifcName)
