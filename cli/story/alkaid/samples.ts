// Alkaid's sample pods, as they stand in examples/.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { yamlIn } from '../../../core/yaml.ts'
import type { Sandbox } from '../../../lab/nodes/node.ts'
import { pathOf } from '../../demo/rest.ts'
import { made } from '../../demo/two-nodes.ts'
import type { AlkaidStage } from './stage.ts'

type PodSpec = Readonly<Record<string, unknown>>
const bounds = { depth: 64, tokens: 10_000, documents: 10 }
const clusterNic = { 'megrez.io/cluster-nic': 'none' }

/** The pod's spec of pod1.yaml to pod5.yaml: the last document there. */
export async function sampleSpec(number: 1 | 2 | 3 | 4 | 5): Promise<PodSpec> {
  const text = await readFile(join(import.meta.dirname, `../../../examples/pod${number}.yaml`), 'utf8')
  const pod = yamlIn(text, bounds).findLast((each) => (each as { kind?: string } | null)?.kind === 'Pod')
  return (pod as { readonly spec: PodSpec }).spec
}

/** @returns its UID */
export const submitted = ({ rest, namespace }: AlkaidStage, name: string, spec: PodSpec): Promise<string> =>
  made(rest, pathOf('Pod', namespace), { apiVersion: 'v1', kind: 'Pod', metadata: { name, annotations: clusterNic }, spec })

/** A scheduler's part. */
export async function scheduled({ rest, namespace, node }: AlkaidStage, name: string): Promise<void> {
  const path = pathOf('Pod', namespace, name)
  const { etag } = await rest.call('GET', path)
  const merge = { 'content-type': 'application/merge-patch+json', 'if-match': etag ?? '' }
  const { status, body } = await rest.call('PATCH', path, { spec: { nodeName: node.name } }, merge)
  if (status !== 200) throw new Error(`PATCH ${path}: ${status} ${body.detail ?? ''}`)
}

/** A runtime's part. */
export async function added({ node, namespace }: AlkaidStage, name: string, uid: string): Promise<Sandbox> {
  const sandbox = await node.sandbox({ namespace, name, uid })
  const { code, said } = await node.cni('ADD', sandbox)
  if (code !== 0) throw new Error(`CNI ADD of ${name}: ${code} ${said.msg ?? ''}`)
  return sandbox
}
