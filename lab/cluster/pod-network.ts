// The cluster's own pod network: a routed one, of the standard plugins. It is what a delegate is in production.
import { copyFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { mustIn } from '../commands.ts'
import type { Space } from '../lab.ts'
import type { Runtime } from './containerd.ts'

const plugins = ['ptp', 'host-local', 'loopback', 'bridge', 'macvlan', 'static']

/** @param cidr of the pods of this node */
export async function installPodNetwork(
  { cniBin, cniConf }: Runtime,
  { cidr, from, folder }: { readonly cidr: string; readonly from: string; readonly folder: string },
): Promise<void> {
  for (const name of plugins) await copyFile(join(from, name), join(cniBin, name))
  const ipam = { type: 'host-local', ranges: [[{ subnet: cidr }]], routes: [{ dst: '0.0.0.0/0' }], dataDir: join(folder, 'ipam') }
  const conf = { cniVersion: '1.0.0', name: 'pods', plugins: [{ type: 'ptp', mtu: 1500, ipam }] }
  await writeFile(join(cniConf, '10-pods.conflist'), JSON.stringify(conf))
}

/** Each node forwards, and knows the way to the pods of the others. */
export async function routePods(space: Space, others: readonly { readonly cidr: string; readonly address: string }[]): Promise<void> {
  await mustIn(space, ['sh', '-c', 'echo 1 > /proc/sys/net/ipv4/ip_forward'])
  for (const { cidr, address } of others) await mustIn(space, ['ip', 'route', 'add', cidr, 'via', address])
}
