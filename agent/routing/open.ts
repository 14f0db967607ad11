// What a node's kernel routes and translates, in its namespace.
import type { Kernel } from '../dataplanes/linux.ts'
import { NodeKernel } from '../dataplanes/linux/node-kernel.ts'
import { KernelRouting } from './kernel-routing.ts'
import { egressShape } from './egress-elements.ts'
import { serviceShape } from './service-elements.ts'
import { untrackedShape } from './untracked-elements.ts'
import { TranslationTable } from './translation-table.ts'

/** Without the addon nothing is translated. */
export function openRouting({ netlink, addon, netns }: Pick<Kernel, 'netlink' | 'netns'> & Partial<Pick<Kernel, 'addon'>>): KernelRouting {
  if (addon === undefined) return new KernelRouting(netlink)
  const home = new NodeKernel(addon, netns)
  return new KernelRouting(netlink, {
    services: new TranslationTable(home, serviceShape),
    egress: new TranslationTable(home, egressShape),
    peers: new TranslationTable(home, untrackedShape),
  })
}
