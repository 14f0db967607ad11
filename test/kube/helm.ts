// The chart by real helm, with a home of its own.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseAllDocuments, stringify } from 'yaml'
import { kubeconfigPath } from '../setup/kubectl.ts'
import { run, type Outcome } from '../setup/run.ts'

export const root = join(import.meta.dirname, '../..')
export const chart = join(root, 'charts/megrez')
export const crdFolder = join(chart, 'files/crds')
export const nsmCrdFolder = join(chart, 'files/nsm-crds')
export const namespace = 'megrez-system'

export interface Manifest {
  readonly kind: string
  readonly metadata: { readonly name: string; readonly namespace?: string }
  readonly rules?: readonly {
    readonly apiGroups: readonly string[]
    readonly resources: readonly string[]
    readonly verbs: readonly string[]
  }[]
  readonly spec?: {
    readonly template?: {
      readonly spec: { readonly containers: readonly { readonly env: readonly { readonly name: string; readonly value?: string }[] }[] }
    }
  }
  readonly data?: Readonly<Record<string, string>>
}

let folder = ''
/** Helm's home; made with the first call of it, and removed by `closeHelm`. */
export const helmFolder = async (): Promise<string> => (folder ||= await mkdtemp(join(tmpdir(), 'megrez-chart-')))
export async function closeHelm(): Promise<void> {
  if (folder !== '') await rm(folder, { recursive: true })
  folder = ''
}

export async function helm(args: readonly string[], input?: string): Promise<Outcome> {
  const home = await helmFolder()
  const env = { HELM_CACHE_HOME: home, HELM_CONFIG_HOME: home, HELM_DATA_HOME: home, KUBECONFIG: kubeconfigPath }
  return run(process.env.MEGREZ_TEST_HELM ?? 'helm', args, { env, ...(input === undefined ? {} : { input }) })
}
export async function helmed(args: readonly string[], input?: string): Promise<string> {
  const { code, stdout, stderr } = await helm(args, input)
  assert.equal(code, 0, stderr)
  return stdout
}
export const render = (values: object, ...more: string[]): Promise<string> =>
  helmed(['template', 'megrez', chart, '--namespace', namespace, '--kube-version', '1.34', '--values', '-', ...more], stringify(values))
export const manifests = (text: string): Manifest[] =>
  parseAllDocuments(text)
    .map((document) => document.toJS() as Manifest | null)
    .filter((each) => each !== null)
