// The accounts that the chart gives agents, on a real API server.
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse, parseAllDocuments, stringify } from 'yaml'
import { openKubeStore } from '../../platform/store/kube/open.ts'
import type { KubeStore } from '../../platform/store/kube/kube.ts'
import { kubectl } from '../setup/kubectl.ts'
import { run } from '../setup/run.ts'

export const namespace = 'megrez-system'
const chart = join(import.meta.dirname, '../../charts/megrez')

export interface Manifest {
  readonly kind: string
  readonly metadata: { readonly name: string }
}

/** The chart's, with agents. */
export async function rendered(folder: string): Promise<Manifest[]> {
  const env = { HELM_CACHE_HOME: folder, HELM_CONFIG_HOME: folder, HELM_DATA_HOME: folder }
  const { code, stdout, stderr } = await run(
    process.env.MEGREZ_TEST_HELM ?? 'helm',
    ['template', 'megrez', chart, '--namespace', namespace, '--kube-version', '1.34', '--values', '-'],
    { env, input: stringify({ agents: { enabled: true } }) },
  )
  assert.equal(code, 0, stderr)
  return parseAllDocuments(stdout)
    .map((document) => document.toJS() as Manifest | null)
    .filter((each) => each !== null)
}

/** As the agent of a node is: a token of its account, bound to the Node; to none where none is named. */
export async function storeOfAgent(node: string | undefined, folder: string): Promise<KubeStore> {
  const bound = node === undefined ? [] : ['--bound-object-kind', 'Node', '--bound-object-name', node]
  const token = (await kubectl(['create', 'token', 'megrez-agent', '--namespace', namespace, ...bound])).trim()
  const config = parse(await kubectl(['config', 'view', '--raw', '--minify'])) as { clusters: { cluster: object }[] }
  const file = join(folder, `${node ?? 'nobody'}.kubeconfig`)
  await writeFile(
    file,
    stringify({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'x',
      contexts: [{ name: 'x', context: { cluster: 'x', user: 'x' } }],
      clusters: [{ name: 'x', cluster: config.clusters[0]!.cluster }],
      users: [{ name: 'x', user: { token } }],
    }),
  )
  return openKubeStore({ kubeconfig: file, plain: true })
}
