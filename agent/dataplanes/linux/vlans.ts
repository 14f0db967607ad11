// Programs for the VLANs of a port, at its ways in and out: loaded into the kernel by the addon, put in place over netlink. What a program
// does is its name, so it can be read back.
import { close } from 'node:fs'
import { promisify } from 'node:util'
import { LinkRefused, messageOf } from '../../../core/errors.ts'
import type { LinuxItem } from '../../../core/linux/linux-items.ts'
import { programOf, vlansName, type PortVlans } from '../../../core/linux/vlan-programs.ts'
import type { Link } from '../../../core/wire/netlink/link.ts'
import {
  encodeClsact,
  encodeProgramDrop,
  encodePrograms,
  encodeProgramsDump,
  readPrograms,
  type TcHook,
} from '../../../core/wire/netlink/tc.ts'
import { linkGroup } from '../../links/pod-namespace.ts'
import { errnos, refusedBy, type NodeKernel } from './node-kernel.ts'

export type VlanPort = Extract<LinuxItem, { readonly kind: 'vlans' }>
export const isVlanPort = (thing: LinuxItem): thing is VlanPort => thing.kind === 'vlans'

const closed = promisify(close)
const ways = ['in', 'out'] as const
const prefix = 'megrez '
/** EINVAL: no discipline to have programs. */
const gone = [errnos.ENOENT, errnos.EINVAL, errnos.ENODEV]

export class VlanPrograms {
  readonly #home: NodeKernel

  constructor(home: NodeKernel) {
    this.#home = home
  }

  /** Before the port joins its bridge; what it had is replaced. */
  async put(vlans: PortVlans, index: number): Promise<void> {
    const files = await Promise.all(ways.map((way) => this.#home.addon.program(programOf(vlans, way)))).catch(refuse)
    try {
      await this.#request(encodeClsact(index), [errnos.EEXIST])
      const [into = 0, out = 0] = files
      await this.#request(encodePrograms(index, `${prefix}${vlansName(vlans)}`, { in: into, out }), [])
    } finally {
      for (const file of files) await closed(file)
    }
  }

  /** After it has left. The discipline stays, which others may use. */
  async drop(index: number): Promise<void> {
    for (const way of ways) await this.#request(encodeProgramDrop(index, way), gone)
  }

  /** @returns why not, where the kernel does not take them for this device */
  async probe(index: number): Promise<string | undefined> {
    try {
      await this.put({ mode: 'access', vlans: [1] }, index)
      return undefined
    } catch (err) {
      return `the kernel takes no programs for VLANs (${messageOf(err)})`
    }
  }

  /** Ports of bridges that are physical networks' and ours. */
  async list(links: readonly Link[]): Promise<readonly LinuxItem[]> {
    const bridges = new Map(
      links
        .filter(({ kind, group, ifname }) => kind === 'bridge' && group === linkGroup.ours && /^mgp[0-9a-z]{12}$/.test(ifname))
        .map((link) => [link.index, link]),
    )
    const ports = await Promise.all(
      links.filter(({ master }) => bridges.has(master)).map((port) => this.#seen(port, bridges.get(port.master)!.ifname)),
    )
    return [...[...bridges.values()].map(({ ifname, up }): LinuxItem => ({ kind: 'physical', bridge: ifname, up })), ...ports]
  }

  async #seen({ index, ifname, bridgePort, up }: Link, bridge: string): Promise<LinuxItem> {
    const [into, out] = await Promise.all(ways.map((way) => this.#name(index, way)))
    const right =
      into === out &&
      up &&
      bridgePort?.learning === false &&
      bridgePort.flood === 'all' &&
      !bridgePort.neighSuppress &&
      !bridgePort.isolated
    return {
      kind: 'vlans',
      bridge,
      ifname,
      name: right && into?.startsWith(prefix) === true ? into.slice(prefix.length) : 'as nobody wants it',
      mode: 'tagged',
      vlans: [],
    }
  }

  async #name(index: number, way: TcHook): Promise<string | undefined> {
    return (
      await this.#home.list('a list of programs', {
        of: 'route',
        bytes: encodeProgramsDump(index, way),
        read: readPrograms,
        none: [...gone, errnos.EOPNOTSUPP],
      })
    )?.at(-1)
  }

  async #request(bytes: Uint8Array, but: readonly number[]): Promise<void> {
    const errno = await this.#home.change({ of: 'route', bytes })
    if (errno !== 0 && !but.includes(errno)) throw refusedBy('a program for VLANs', errno)
  }
}

function refuse(err: unknown): never {
  throw new LinkRefused({ what: 'a program for VLANs', reason: messageOf(err) })
}
