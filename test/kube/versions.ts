// A cluster that is upgraded: an API server of its own, with the CRDs, rights and policies of one version at a time, and worker processes
// of two versions on it and on one Redis.
import { randomBytes } from 'node:crypto'
import { globSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Redis } from 'ioredis'
import { component } from '../../lab/programs/binaries.ts'
import type { KubeStore } from '../../platform/store/kube/kube.ts'
import { openKubeStore } from '../../platform/store/kube/open.ts'
import { makeAuthority } from '../../platform/tls/authority.ts'
import { reconciledKinds } from '../../workers/queues.ts'
import { startMain, complaintsIn, type Main } from '../process/mains.ts'
import { startKube } from '../setup/kube.ts'
import { redisSocket } from '../setup/redis.ts'
import { run } from '../setup/run.ts'
import { until } from '../setup/until.ts'
import { render } from './test-cluster.ts'

const namespace = 'megrez-system'
const today = resolve(import.meta.dirname, '../..')

export interface UpgradedCluster {
  readonly store: KubeStore
  /** Puts a version's CRDs, rights and policies in, as an upgrade of the chart does. */
  install(tree?: string): Promise<void>
  startWorkers(tree?: string): Promise<Main>
  /** Whether today's queues have no key in Redis that somebody works at, or that is to be worked at now. */
  isIdle(): Promise<boolean>
  close(): Promise<void>
}

export async function openUpgradedCluster(): Promise<UpgradedCluster> {
  const [etcd, kubeApiserver] = [await component('etcd'), await component('kube-apiserver')]
  if ('missing' in etcd || 'missing' in kubeApiserver) throw new Error('etcd or kube-apiserver is missing')
  const folder = await mkdtemp(join(tmpdir(), 'megrez-versions-'))
  const server = await startKube({ etcd: etcd.path, kubeApiserver: kubeApiserver.path })
  const kubectl = async (args: readonly string[], input = ''): Promise<void> => {
    const program = process.env['MEGREZ_TEST_KUBECTL'] ?? 'kubectl'
    const { code, stderr } = await run(program, ['--kubeconfig', server.kubeconfig, ...args], { input })
    if (code !== 0) throw new Error(`kubectl ${args.join(' ')}: ${stderr}`)
  }
  const apply = ['apply', '--server-side', '--force-conflicts', '--field-manager=megrez']
  await kubectl(['create', 'namespace', namespace])
  const store = await openKubeStore({ kubeconfig: server.kubeconfig })
  const authority = makeAuthority('test', { now: Date.now(), ms: 3_600_000 })
  const prefix = `versions-${randomBytes(4).toString('hex')}`
  const redis = new Redis(String(redisSocket))
  const started: Main[] = []
  const env = {
    MEGREZ_KUBECONFIG: server.kubeconfig,
    MEGREZ_KUBE_CONTEXT: 'workers',
    MEGREZ_NAMESPACE: namespace,
    MEGREZ_LOG_LEVEL: 'info',
    MEGREZ_ADDRESS_REST_MS: '0',
    MEGREZ_CALLBACK_ALLOW: '127.0.0.0/8',
    MEGREZ_CALLBACK_HTTP: 'true',
    MEGREZ_REDIS: String(redisSocket),
    MEGREZ_REDIS_PREFIX: prefix,
  }
  return {
    store,
    async install(tree = today) {
      const crds = globSync(join(tree, 'charts/megrez/files/crds/*.yaml')).flatMap((file) => ['-f', file])
      await kubectl([...apply, ...crds])
      await kubectl(['wait', '--for=condition=Established', '--timeout=60s', ...crds])
      const manifests = await render({ tls: { secretName: 'unused', caBundle: authority.cert } }, folder, join(tree, 'charts/megrez'))
      // No webhooks run here: what they fill in, a test writes.
      const items = manifests.filter(({ kind }) => !kind.endsWith('WebhookConfiguration'))
      await kubectl([...apply, '-f', '-'], JSON.stringify({ apiVersion: 'v1', kind: 'List', items }))
    },
    async startWorkers(tree = today) {
      const main = startMain('workers/main.ts', env, tree)
      started.push(main)
      await until(() => main.log.some(({ msg }) => msg === 'workers run'), 'workers run', 60_000).catch((cause: unknown) => {
        throw new Error(`workers of ${tree}: ${complaintsIn(main.log)}`, { cause })
      })
      return main
    },
    async isIdle() {
      // Queues that had another name before are nobody's by then: what waits there stays.
      const held = reconciledKinds.flatMap((kind) => ['wait', 'active', 'prioritized'].map((list) => `${prefix}:${kind}:${list}`))
      return (await redis.exists(...held)) === 0
    },
    async close() {
      await Promise.all(started.map((main) => main.end()))
      redis.disconnect()
      await store.close()
      await server.stop()
      await rm(folder, { recursive: true })
    },
  }
}
