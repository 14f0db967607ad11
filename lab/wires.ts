// How the spaces of a cluster are joined: everybody to the control plane's bridge, and the nodes to a second one, that their
// tunnels run over. The names of links stay below 16 characters.
import { mustIn } from './commands.ts'
import type { Space } from './lab.ts'

export interface Bridge {
  readonly name: string
  /** Of the bridge itself, with its length; absent: it has none. */
  readonly cidr?: string
  readonly mtuBytes: number
}

export async function makeBridge(at: Space, { name, cidr, mtuBytes }: Bridge): Promise<void> {
  const ip = (...args: readonly string[]): Promise<string> => mustIn(at, ['ip', ...args])
  await ip('link', 'add', name, 'mtu', String(mtuBytes), 'type', 'bridge')
  if (cidr !== undefined) await ip('addr', 'add', cidr, 'dev', name)
  await ip('link', 'set', name, 'up')
}

export interface Plug {
  readonly bridge: Bridge
  /** The space that the bridge is in. */
  readonly at: Space
  /** Its end there. */
  readonly far: string
  /** Its end in the space that is plugged in. */
  readonly near: string
  /** Absent: none. */
  readonly cidr?: string
}

export async function plugIn(space: Space, { bridge, at, far, near, cidr }: Plug): Promise<void> {
  const mtu = String(bridge.mtuBytes)
  await mustIn(space, ['ip', 'link', 'add', near, 'mtu', mtu, 'type', 'veth', 'peer', 'name', far, 'mtu', mtu, 'netns', String(at.pid)])
  await mustIn(at, ['ip', 'link', 'set', far, 'master', bridge.name, 'up'])
  if (cidr !== undefined) await mustIn(space, ['ip', 'addr', 'add', cidr, 'dev', near])
  await mustIn(space, ['ip', 'link', 'set', near, 'up'])
}
