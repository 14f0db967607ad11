// The chart as real helm renders it, for a cluster whose webhooks and workers are processes beside it.
import { join, resolve } from 'node:path'
import { parseAllDocuments, stringify } from 'yaml'
import { must } from '../commands.ts'

const chart = resolve(import.meta.dirname, '../../charts/megrez')
export const namespace = 'megrez-system'

export interface Manifest {
  readonly kind: string
  readonly metadata: { readonly name: string; readonly namespace?: string }
  readonly spec?: unknown
}

/** @param only a template of it, CRDs included where it is theirs */
export async function renderChart(
  helm: string,
  { values, only, home }: { readonly values: object; readonly only?: string; readonly home: string },
): Promise<readonly Manifest[]> {
  const narrowed = only === undefined ? [] : ['--show-only', only]
  const homes = ['HELM_CACHE_HOME', 'HELM_CONFIG_HOME', 'HELM_DATA_HOME'].map((name) => `${name}=${join(home, 'helm')}`)
  const text = await must(
    'env',
    [
      ...homes,
      helm,
      'template',
      '--no-hooks',
      'megrez',
      chart,
      '--namespace',
      namespace,
      '--kube-version',
      '1.34',
      ...narrowed,
      '--values',
      '-',
    ],
    stringify(values),
  )
  return parseAllDocuments(text).flatMap((document) => (document.toJS() as Manifest | null) ?? [])
}

interface Workload {
  readonly template?: {
    readonly spec?: { readonly containers?: readonly { readonly env?: readonly { readonly name: string; readonly value?: string }[] }[] }
  }
}

/** The settings that the chart gives a component; those that come from Secrets and from the node are for the caller. */
export function settingsOf(manifests: readonly Manifest[], component: string): Readonly<Record<string, string>> {
  const workload = manifests.find(({ kind, metadata }) => /^(Deployment|DaemonSet)$/.test(kind) && metadata.name === `megrez-${component}`)
  if (workload === undefined) throw new Error(`the chart renders no megrez-${component}`)
  const env = (workload.spec as Workload).template?.spec?.containers?.[0]?.env ?? []
  return Object.fromEntries(env.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]])))
}
