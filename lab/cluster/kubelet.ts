import { mkdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { until } from '../../platform/programs/until.ts'
import type { KeptServer } from '../../platform/redis-server/keep.ts'
import { makeGroup } from '../groups.ts'
import type { Lab, Space } from '../lab.ts'

export interface KubeletOptions {
  readonly program: string
  readonly folder: string
  /** Name of the Node. */
  readonly node: string
  readonly address: string
  readonly socket: string
  readonly kubeconfig: string
}

/** A constant of kubelet's (pluginapi.DevicePluginPath): all of one machine have it, and each that starts takes it from the one before. */
const pluginSocket = '/var/lib/kubelet/device-plugins/kubelet.sock'
const socketNow = (): Promise<string> =>
  stat(pluginSocket).then(
    ({ ino, ctimeMs }) => `${ino} ${ctimeMs}`,
    () => 'none',
  )

/** Resolves when it has taken that socket: of two that want it at the same time one ends. */
export async function startKubelet(
  lab: Lab,
  space: Space,
  { program, folder, node, address, socket, kubeconfig }: KubeletOptions,
): Promise<KeptServer> {
  const group = `${lab.id}/${node}`
  await makeGroup(group)
  await mkdir(join(folder, 'kubelet'), { recursive: true })
  await writeFile(join(folder, 'resolv.conf'), '')
  await writeFile(join(folder, 'kubelet.json'), JSON.stringify(configuration(folder, group, socket)))
  const flags = {
    config: join(folder, 'kubelet.json'),
    kubeconfig,
    'hostname-override': node,
    'node-ip': address,
    'root-dir': join(folder, 'kubelet'),
    'cert-dir': join(folder, 'kubelet-certs'),
  }
  const before = await socketNow()
  const kubelet = await lab.start(
    program,
    Object.entries(flags).map(([name, value]) => `--${name}=${value}`),
    { space, vital: true, log: `${space.name}-kubelet` },
  )
  await until(async () => ![before, 'none'].includes(await socketNow()), `kubelet of ${node} listens for device plugins`, 60_000)
  return kubelet
}

// The limits are off: the machine's disk and memory are not the lab's to judge.
const configuration = (folder: string, group: string, socket: string): object => ({
  apiVersion: 'kubelet.config.k8s.io/v1beta1',
  kind: 'KubeletConfiguration',
  containerRuntimeEndpoint: `unix://${socket}`,
  cgroupDriver: 'cgroupfs',
  cgroupRoot: `/${group}`,
  failCgroupV1: false,
  failSwapOn: false,
  localStorageCapacityIsolation: false,
  enforceNodeAllocatable: [],
  evictionHard: { 'memory.available': '1Mi', 'nodefs.available': '1Mi', 'imagefs.available': '1Mi' },
  imageGCHighThresholdPercent: 100,
  readOnlyPort: 0,
  healthzPort: 0,
  podLogsDir: join(folder, 'pod-logs'),
  volumePluginDir: join(folder, 'volume-plugins'),
  resolvConf: join(folder, 'resolv.conf'),
  // Nobody is there; without one each pod is warned of it.
  clusterDNS: ['10.0.0.10'],
  clusterDomain: 'cluster.local',
  // Nobody but the lab reaches its namespace.
  authentication: { anonymous: { enabled: true }, webhook: { enabled: false } },
  authorization: { mode: 'AlwaysAllow' },
})
