import type { Registry } from 'prom-client'
import type { Clock } from '../clock.ts'
import { KubeClient } from '../kube/client.ts'
import { findCredentials, kubeconfigCredentials } from '../kube/credentials.ts'
import { noMeter, prometheusMeter } from '../kube/meter.ts'
import type { Log } from '../log.ts'
import { KubeStore } from './kube.ts'

export interface OpenKube {
  /** Path; absent: KUBECONFIG, else the service account of the pod we run in, else ~/.kube/config. */
  readonly kubeconfig?: string
  readonly context?: string
  /** Where the figures about the API server go. */
  readonly registry?: Registry
  readonly log?: Log
  readonly clock?: Clock
}

/** The store of a cluster, as a process opens it. Nothing is asked of the API server yet. */
export async function openKubeStore({ kubeconfig, context, registry, ...more }: OpenKube = {}): Promise<KubeStore> {
  const named = context === undefined ? {} : { context }
  const credentials = kubeconfig === undefined && context === undefined ? await findCredentials() : await kubeconfigCredentials(kubeconfig, named)
  const meter = registry === undefined ? noMeter : prometheusMeter(registry)
  return new KubeStore(new KubeClient(credentials, { meter }), { meter, ...more })
}
