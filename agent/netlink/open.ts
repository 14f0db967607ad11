import type { Log } from '../../platform/log.ts'
import { loadAddon } from '../native/addon.ts'
import { openNetlink } from './addon.ts'
import { ipNetlink } from './ip.ts'
import type { Netlink } from './netlink.ts'

let warned = false

/**
 * The kernel by way of the addon, else by iproute2, which is said in the log once a process.
 *
 * @param netns the node's namespace, where it is not that of this process
 */
export async function openKernel({ netns, log }: { readonly netns?: string; readonly log: Log }): Promise<Netlink> {
  const addon = loadAddon()
  if (!('missing' in addon)) return openNetlink(addon, netns)
  if (!warned) log.warn({ missing: addon.missing }, 'the native addon is missing: links are made by the program ip, ten times slower')
  warned = true
  return ipNetlink(netns)
}
