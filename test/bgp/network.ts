// Nodes on one link, each a network namespace with a folder of its own.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BGPHost } from '../../agent/bgp/host.ts'
import { routesOf } from '../../agent/bgp/kernel-view.ts'
import { FollowedLists } from '../../agent/netlink/followed-lists.ts'
import { openKernel } from '../../agent/netlink/open.ts'
import { labPrefix, makeNamespace, type Namespace } from '../../lab/namespaces.ts'
import { realClock } from '../../platform/clock.ts'
import { silentLog } from '../../platform/log.ts'

export interface BGPNode {
  readonly name: string
  readonly ipv4: string
  readonly ipv6: string
  readonly namespace: Namespace
  readonly host: BGPHost
  /** What its kernel has, for as long as the network is there. */
  readonly kernel: FollowedLists
  readonly folder: string
  /** Of that table, by protocol of the kernel's. */
  routes(table: number, protocol: string): Promise<readonly string[]>
  /** What a pid file of its folder names is killed. */
  kill(pidFile: string, signal: NodeJS.Signals): Promise<number>
}

export interface Network {
  readonly nodes: Readonly<Record<string, BGPNode>>
  remove(): Promise<void>
}

/** @param names of one letter each */
export async function makeNetwork(names: readonly string[]): Promise<Network> {
  const prefix = labPrefix()
  const wire = await makeNamespace(`${prefix}w`)
  const folders = await mkdtemp(join(tmpdir(), 'mgz-bgp-'))
  // FRR's daemons run as a user of their own, and their folders are in here.
  await wire.exec('chmod', '755', folders)
  await wire.ip('link', 'add', 'wire', 'type', 'bridge')
  await wire.ip('link', 'set', 'wire', 'up')
  const nodes: Record<string, BGPNode> = {}
  for (const [i, name] of names.entries()) nodes[name] = await makeNode({ prefix, name, folder: join(folders, name), number: i + 1, wire })
  return {
    nodes,
    async remove() {
      for (const { folder, host, kernel } of Object.values(nodes)) {
        await kernel.stop()
        await stopDaemons(folder, host)
      }
      for (const { namespace } of [...Object.values(nodes), { namespace: wire }]) await namespace.remove()
      await rm(folders, { recursive: true, force: true })
    },
  }
}

interface Making {
  readonly prefix: string
  readonly name: string
  readonly folder: string
  readonly number: number
  readonly wire: Namespace
}

async function makeNode({ prefix, name, folder, number, wire }: Making): Promise<BGPNode> {
  const namespace = await makeNamespace(`${prefix}${name}`)
  const [ipv4, ipv6] = [`10.71.1.${number}`, `fd71::${number}`]
  await wire.ip('link', 'add', `w${name}`, 'type', 'veth', 'peer', 'name', 'up0', 'netns', namespace.name)
  await wire.ip('link', 'set', `w${name}`, 'master', 'wire', 'up')
  await namespace.ip('address', 'add', `${ipv4}/24`, 'dev', 'up0')
  await namespace.ip('address', 'add', `${ipv6}/64`, 'dev', 'up0', 'nodad')
  await namespace.ip('link', 'set', 'up0', 'up')
  const host = new BGPHost(namespace.name)
  const kernel = new FollowedLists({ open: () => openKernel({ netns: host.netns!, log: silentLog() }), clock: realClock })
  return {
    name,
    ipv4,
    ipv6,
    namespace,
    host,
    kernel,
    folder,
    routes: (table, protocol) => routesOf(kernel, { table, protocol }),
    async kill(pidFile, signal) {
      const pid = Number(await host.read(join(folder, pidFile)))
      process.kill(pid, signal)
      return pid
    },
  }
}

/** Daemons outlive whoever started them, so they are ended by the pid files that they have written. */
export async function stopDaemons(folder: string, host: BGPHost): Promise<void> {
  for (const name of ['bird', 'bgpd', 'bfdd', 'zebra', 'exabgp']) {
    const pid = Number(await host.read(join(folder, `${name}.pid`)))
    if (Number.isInteger(pid) && pid > 1) await host.run('kill', '-KILL', String(pid))
  }
}
