// What the addon rejects with, in our words.
import { LinkRefused, NetnsGone, messageOf } from '../../core/errors.ts'
import type { NetlinkNamespace } from './netlink.ts'

export function refusal(netns: NetlinkNamespace): (cause: unknown) => never {
  return (cause) => {
    const { syscall } = cause as { readonly syscall?: string }
    // EINVAL of setns: a file that is there, and is no namespace: one that is gone leaves an empty file behind.
    if (netns !== undefined && (syscall === 'open' || syscall === 'setns')) throw new NetnsGone({ netns, cause })
    throw new LinkRefused({ what: 'a request', reason: messageOf(cause), cause })
  }
}
