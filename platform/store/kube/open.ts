import type { Clock } from '../../clock.ts'
import { KubeClient } from '../../kube/client.ts'
import { findCredentials, inClusterCredentials, kubeconfigCredentials, type Credentials } from '../../kube/credentials.ts'
import { plainKubeconfigCredentials } from '../../kube/plain-kubeconfig.ts'
import { noMeter, prometheusMeter } from '../../kube/watch/meter.ts'
import type { Log } from '../../log.ts'
import type { MetricSet } from '../../metrics/set.ts'
import { KubeStore } from './kube.ts'

export interface OpenKube {
  /** Path; absent: KUBECONFIG, else the service account of the pod we run in, else ~/.kube/config. */
  readonly kubeconfig?: string
  readonly context?: string
  /** Where the figures about the API server go. */
  readonly metrics?: MetricSet
  readonly log?: Log
  readonly clock?: Clock
  /** A kubeconfig is read without the library that knows all kinds of them, and weighs 70 MiB. */
  readonly plain?: boolean
}

/** The store of a cluster, as a process opens it. Nothing is asked of the API server yet. */
export async function openKubeStore({ kubeconfig, context, metrics, plain = false, ...more }: OpenKube = {}): Promise<KubeStore> {
  const named = context === undefined ? {} : { context }
  const credentials = await credentialsOf(kubeconfig, named, plain)
  const meter = metrics === undefined ? noMeter : prometheusMeter(metrics)
  return new KubeStore(new KubeClient(credentials, { meter }), { meter, ...more })
}

async function credentialsOf(kubeconfig: string | undefined, named: { readonly context?: string }, plain: boolean): Promise<Credentials> {
  if (plain) {
    const path = kubeconfig ?? process.env['KUBECONFIG']
    return path === undefined ? inClusterCredentials() : plainKubeconfigCredentials(path, named)
  }
  return kubeconfig === undefined && named.context === undefined ? findCredentials() : kubeconfigCredentials(kubeconfig, named)
}
