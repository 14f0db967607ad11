// A node of the lab made more like a machine: paths that a DaemonSet mounts from its node are this node's own, at their usual places.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Cluster, ClusterNode } from '../cluster.ts'
import { mustIn } from '../commands.ts'

/** Where both nodes would write on one machine; over each lies a layer of the node's own. */
const ownFolders = ['/opt', '/etc', '/var/lib']
const conf = '10-pods.conflist'

/**
 * Before anything of ours runs on it, and with its Open vSwitch there already. Mounts are shared from here on, as systemd has them:
 * what is mounted later on the node shows in containers that ask for it.
 */
export async function makeMachine({ folder, space, runtime }: ClusterNode): Promise<void> {
  const layers = await Promise.all(
    ownFolders.map(async (path) => {
      const [upper, work] = [join(folder, 'own', path), join(folder, 'own-work', path)]
      for (const each of [upper, work]) await mkdir(each, { recursive: true })
      return `mount -t overlay overlay -o lowerdir=${path},upperdir=${upper},workdir=${work} ${path}`
    }),
  )
  const binds = Object.entries({
    [runtime.cniBin]: '/opt/cni/bin',
    [runtime.cniConf]: '/etc/cni/net.d',
    [join(folder, 'ovs')]: '/run/openvswitch',
  })
  await mustIn(space, [
    'sh',
    '-ec',
    [...layers, ...binds.map(([from, to]) => `mkdir -p ${to}; mount --bind ${from} ${to}`), 'mount --make-rshared /'].join('\n'),
  ])
  await usualIpam(join(runtime.cniConf, conf))
}

/** The delegate remembers its addresses where it does by default, which the chart mounts. */
async function usualIpam(path: string): Promise<void> {
  const { plugins, ...list } = JSON.parse(await readFile(path, 'utf8')) as {
    readonly plugins: readonly { readonly ipam?: { readonly dataDir?: string } }[]
  }
  const without = plugins.map(({ ipam: { dataDir: _, ...ipam } = {}, ...plugin }) => ({ ...plugin, ipam }))
  await writeFile(path, JSON.stringify({ ...list, plugins: without }))
}

/**
 * The API server is where pods look for it, and reaches them: the address of Kubernetes' Service is on a link of its own, so that
 * no node has to translate it. Other Services have nobody.
 */
export async function connectPods({ space, nodes, kubectl }: Cluster): Promise<void> {
  const vip = (await kubectl(['get', 'service', 'kubernetes', '-o', 'jsonpath={.spec.clusterIP}'])).trim()
  const [, own = ''] = /inet (\S+)\//.exec(await mustIn(space, ['ip', '-o', '-4', 'addr', 'show', 'dev', 'main'])) ?? []
  await mustIn(space, ['ip', 'addr', 'add', `${vip}/32`, 'dev', 'main'])
  for (const node of nodes) {
    const {
      plugins: [first],
    } = JSON.parse(await readFile(join(node.runtime.cniConf, conf), 'utf8')) as {
      plugins: readonly { ipam: { ranges: readonly (readonly { subnet: string }[])[] } }[]
    }
    await mustIn(space, ['ip', 'route', 'add', first!.ipam.ranges[0]![0]!.subnet, 'via', node.address])
    await mustIn(node.space, ['ip', 'route', 'add', `${vip}/32`, 'via', own])
  }
}
