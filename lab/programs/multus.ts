// The real Multus, thick, in a cluster of the lab: its own manifest as it is, with an image of its own binaries.
import { existsSync } from 'node:fs'
import { copyFile, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { run } from '../../platform/programs/run.ts'
import { until } from '../../platform/programs/until.ts'
import { peersFolder } from './bess.ts'
import type { Cluster } from '../cluster.ts'
import { must, mustIn } from '../commands.ts'
import { layOut } from '../images.ts'

/** As the manifest names them. */
const image = 'ghcr.io/k8snetworkplumbingwg/multus-cni:snapshot-thick'
const inImage = 'usr/src/multus-cni/bin'
const programs = ['multus', 'multus-daemon', 'multus-shim', 'install_multus']
const rolledOut = ['rollout', 'status', 'daemonset/kube-multus-ds', '-n', 'kube-system', '--timeout=120s']
/** What it calls the plugin that it has put before all others. */
export const multusConf = '00-multus.conf'

export interface MultusFiles {
  /** Of its programs. */
  readonly folder: string
  /** The path of its DaemonSet and of what that needs. */
  readonly manifest: string
}
export interface Multus {
  /** Applies it, and waits until it runs on each node and its configuration is there. */
  install(cluster: Cluster): Promise<void>
  /** Its pods end; resolves once they have taken their configuration away. */
  remove(cluster: Cluster): Promise<void>
  /** Its pods are started anew. */
  restart(cluster: Cluster): Promise<void>
}

const built = (): string => join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'megrez-peers', 'multus')

/** What Multus is made of, built where it is not (a minute, once), or why it is not there. */
export async function multusPrograms({
  install,
  print,
}: {
  readonly install: boolean
  readonly print: (line: string) => void
}): Promise<MultusFiles | { readonly missing: string }> {
  const peers = peersFolder()
  if (peers === undefined) return { missing: 'multus: MEGREZ_PEERS names no folder with multus/build.sh' }
  const [script, manifest, folder] = [join(peers, 'multus/build.sh'), join(peers, 'multus/daemonset-thick.yml'), built()]
  if (!existsSync(script)) return { missing: `multus: there is no ${script}` }
  if (!install && !existsSync(join(folder, 'multus-daemon')))
    return { missing: `multus: not built, and building was declined (bash ${script})` }
  print(`multus: ${script} (does nothing where it is built)`)
  const done = await run('bash', [script, folder])
  return done.code === 0 ? { folder, manifest } : { missing: `multus: ${done.stderr.trim().split('\n').at(-1) ?? 'build.sh failed'}` }
}

export function multusOf({ folder, manifest }: MultusFiles): Multus {
  const ready = async ({ kubectl, nodes }: Cluster): Promise<void> => {
    await kubectl(rolledOut)
    for (const { name, runtime } of nodes)
      await until(() => existsSync(join(runtime.cniConf, multusConf)), `Multus has its configuration on ${name}`)
  }
  return {
    async install(cluster) {
      if (!existsSync(homeOf(cluster))) await importImage(cluster, folder)
      await cluster.kubectl(['apply', '-f', '-'], await readFile(manifest, 'utf8'))
      await ready(cluster)
    },
    async remove({ kubectl, nodes }) {
      await kubectl(['delete', 'daemonset/kube-multus-ds', '-n', 'kube-system', '--wait=true'])
      for (const { name, runtime } of nodes)
        await until(() => !existsSync(join(runtime.cniConf, multusConf)), `Multus' configuration has gone from ${name}`, 60_000)
    },
    async restart(cluster) {
      await cluster.kubectl(['rollout', 'restart', 'daemonset/kube-multus-ds', '-n', 'kube-system'])
      await ready(cluster)
    },
  }
}

const homeOf = ({ lab }: Cluster): string => join(lab.folder, 'multus')

/** One layer of the programs alone: they are linked with nothing. */
async function importImage(cluster: Cluster, from: string): Promise<void> {
  const { nodes } = cluster
  const home = homeOf(cluster)
  const [root, layer, layout] = [join(home, 'root'), join(home, 'layer.tar'), join(home, 'layout')]
  await mkdir(join(root, inImage), { recursive: true })
  for (const name of programs) await copyFile(join(from, name), join(root, inImage, name))
  // Its installer wants one to copy, which only auxiliary chains call: there are none here.
  await copyFile(join(from, 'install_multus'), join(root, inImage, 'passthru'))
  for (const name of ['tmp', 'etc', 'var']) await mkdir(join(root, name))
  await symlink('../run', join(root, 'var/run'))
  await writeFile(join(root, 'etc/passwd'), 'root:x:0:0:root:/root:/sbin/nologin\n')
  await must('tar', ['-C', root, '-cf', layer, '.'])
  await layOut(layout, image, [{ tar: await readFile(layer) }], { Env: [`PATH=/${inImage}`] })
  for (const { space, runtime } of nodes)
    await mustIn(space, ['sh', '-c', `tar -C ${layout} -cf - . | ctr -a ${runtime.socket} -n k8s.io images import -`])
}
