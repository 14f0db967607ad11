import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { stringify } from 'yaml'
import type { Cluster } from '../cluster.ts'
import { mustIn } from '../commands.ts'
import { namespace } from '../megrez/chart.ts'

const chart = resolve(import.meta.dirname, '../../charts/megrez')

export interface Release {
  /** Installs, or upgrades, to these values and no others. */
  apply(values: object): Promise<void>
  /** To what the release was at that revision, counted from 1. */
  rollback(revision: number): Promise<void>
  uninstall(): Promise<void>
}

/** Our chart in a cluster, by real helm, under its usual name. */
export async function releaseOf({ lab, space, controlPlane }: Cluster, helm: string): Promise<Release> {
  const home = join(lab.folder, 'helm')
  await mkdir(home)
  const homes = ['HELM_CACHE_HOME', 'HELM_CONFIG_HOME', 'HELM_DATA_HOME'].map((name) => `${name}=${home}`)
  const call = async (args: readonly string[], input?: string): Promise<void> =>
    void (await mustIn(space, ['env', ...homes, helm, '--kubeconfig', controlPlane.kubeconfig, '--namespace', namespace, ...args], input))
  return {
    apply: (values) => call(['upgrade', '--install', 'megrez', chart, '--create-namespace', '--values', '-'], stringify(values)),
    rollback: (revision) => call(['rollback', 'megrez', String(revision)]),
    uninstall: () => call(['uninstall', 'megrez', '--wait']),
  }
}
