// What makes Services of Kubernetes reachable on a node of the lab; without it the API server's alone is.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { until } from '../../platform/programs/until.ts'
import type { Cluster, ClusterNode } from '../cluster.ts'
import { mustIn, runIn } from '../commands.ts'
import { kubeconfigOf } from './who.ts'

export type ProxyMode = 'nftables' | 'iptables'

const account = 'kube-proxy'
const healthL4Port = 10256
/** Of the machine: they are not the lab's to change. */
const leftAlone = ['--conntrack-max-per-core=0', '--conntrack-tcp-timeout-established=0s', '--conntrack-tcp-timeout-close-wait=0s']

/** With the right that Kubernetes itself gives it; ends with the lab. Ready once it is returned. */
export async function startKubeProxy(
  { lab, controlPlane, kubectl }: Cluster,
  { name, space, folder }: ClusterNode,
  { program, mode }: { readonly program: string; readonly mode: ProxyMode },
): Promise<void> {
  const kubeconfig = join(folder, 'kube-proxy.kubeconfig')
  await kubectl(
    ['apply', '--server-side', '-f', '-'],
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'List',
      items: [
        { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: account, namespace: 'kube-system' } },
        {
          apiVersion: 'rbac.authorization.k8s.io/v1',
          kind: 'ClusterRoleBinding',
          metadata: { name: account },
          roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'system:node-proxier' },
          subjects: [{ kind: 'ServiceAccount', name: account, namespace: 'kube-system' }],
        },
      ],
    }),
  )
  const token = (await kubectl(['create', 'token', account, '--namespace', 'kube-system', '--duration', '2h'])).trim()
  await writeFile(kubeconfig, kubeconfigOf(controlPlane.url, controlPlane.ca, token), { mode: 0o600 })
  // Who is on the node itself finds no way to a Service's address before that is rewritten, unless there is one to anywhere.
  if ((await runIn(space, ['ip', 'route', 'show', 'default'])).stdout === '')
    await mustIn(space, ['ip', 'route', 'add', 'default', 'via', new URL(controlPlane.url).hostname])
  const flags = [
    `--kubeconfig=${kubeconfig}`,
    `--hostname-override=${name}`,
    `--proxy-mode=${mode}`,
    '--metrics-bind-address=127.0.0.1:10249',
    `--healthz-bind-address=127.0.0.1:${healthL4Port}`,
    ...leftAlone,
  ]
  await lab.start(program, flags, { space, log: `${name}-kube-proxy` })
  const probe = `fetch('http://127.0.0.1:${healthL4Port}/healthz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))`
  await until(async () => (await runIn(space, [process.execPath, '-e', probe])).code === 0, `kube-proxy of ${name} answers`, 60_000)
}
