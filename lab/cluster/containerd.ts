import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runIn } from '../commands.ts'
import { until } from '../../platform/programs/until.ts'
import { pauseImage } from '../images.ts'
import type { Lab, Space } from '../lab.ts'

export interface Runtime {
  readonly socket: string
  /** Where it looks for CNI plugins and for their configuration. */
  readonly cniBin: string
  readonly cniConf: string
}

/** A containerd of one node's own, with these images. */
export async function startContainerd(
  lab: Lab,
  space: Space,
  { folder, images }: { readonly folder: string; readonly images: readonly string[] },
): Promise<Runtime> {
  const at = (name: string): string => join(folder, name)
  const runtime = { socket: at('containerd.sock'), cniBin: at('cni/bin'), cniConf: at('cni/conf') }
  await mkdir(runtime.cniBin, { recursive: true })
  await mkdir(runtime.cniConf, { recursive: true })
  await writeFile(at('containerd.toml'), configuration(at, runtime))
  await lab.start('containerd', ['-c', at('containerd.toml')], { space, vital: true, log: `${space.name}-containerd` })
  const ctr = ['ctr', '-a', runtime.socket, '-n', 'k8s.io']
  await until(async () => (await runIn(space, [...ctr, 'version'])).code === 0, 'containerd answers')
  for (const image of images) {
    const { code, stderr } = await runIn(space, [...ctr, 'images', 'import', image])
    if (code !== 0) throw new Error(`ctr images import ${image}: ${stderr.trim()}`)
  }
  return runtime
}

const configuration = (at: (name: string) => string, { socket, cniBin, cniConf }: Runtime): string => `
version = 2
root = "${at('containerd')}"
state = "/run/containerd-state"
[grpc]
  address = "${socket}"
[ttrpc]
  address = "${socket}.ttrpc"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "${pauseImage}"
  disable_tcp_service = true
  stream_server_address = "127.0.0.1"
  stream_server_port = "0"
  restrict_oom_score_adj = true
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "${cniBin}"
    conf_dir = "${cniConf}"
  [plugins."io.containerd.grpc.v1.cri".containerd]
    snapshotter = "overlayfs"
    [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
      runtime_type = "io.containerd.runc.v2"
      [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
        SystemdCgroup = false
`
