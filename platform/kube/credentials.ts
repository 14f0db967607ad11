// Where the API server is and who we are to it: from a kubeconfig, or from the pod that we run in.
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { KubeConfig } from '@kubernetes/client-node'
import { ConfigInvalid } from '../../core/errors.ts'
import { realClock, type Clock } from '../clock.ts'
import type { Tls } from '../http/client.ts'

export interface Credentials {
  /** With scheme, and a path where the API server is behind a proxy that wants one. */
  readonly server: string
  readonly tls: Tls
  /**
   * The Authorization header, or undefined where a client certificate says it all. Asked for each request.
   *
   * @param refused the one given last was answered by 401
   */
  authorization(refused: boolean): Promise<string | undefined>
}

const accountFolder = '/var/run/secrets/kubernetes.io/serviceaccount'
// The kubelet renews a token when a fifth of its hour is left: looking every ten seconds is soon enough.
const readAgainMs = 10_000

/** Of the service account of the pod that we run in. The CA is read once: after it was replaced, restart. */
export async function inClusterCredentials(
  env: Readonly<Record<string, string | undefined>> = process.env,
  { folder = accountFolder, clock = realClock }: { readonly folder?: string; readonly clock?: Clock } = {},
): Promise<Credentials> {
  const host = env['KUBERNETES_SERVICE_HOST']
  const l4Port = env['KUBERNETES_SERVICE_PORT'] ?? '443'
  if (host === undefined)
    throw new ConfigInvalid({
      name: 'KUBECONFIG',
      reason: 'names no kubeconfig, and KUBERNETES_SERVICE_HOST is not set as it is inside a pod',
    })
  const ca = await readFile(join(folder, 'ca.crt'))
  const token = fileToken(join(folder, 'token'), clock)
  return {
    server: `https://${host.includes(':') ? `[${host}]` : host}:${l4Port}`,
    tls: { ca },
    authorization: async (refused) => `Bearer ${await token(refused)}`,
  }
}

/** The text of a file that is replaced now and then; read again once it has changed. */
export function fileToken(path: string, clock: Clock): (again: boolean) => Promise<string> {
  let held: { readonly text: string; readonly mark: string; lookedAt: number } | undefined
  return async (again) => {
    if (held !== undefined && !again && clock.elapsed() - held.lookedAt < readAgainMs) return held.text
    const { mtimeMs, ino } = await stat(path)
    const mark = `${ino} ${mtimeMs}`
    if (held?.mark === mark) held.lookedAt = clock.elapsed()
    else held = { text: (await readFile(path, 'utf8')).trim(), mark, lookedAt: clock.elapsed() }
    return held.text
  }
}

// The library costs 70 MiB and 0.4 s to load (2026-11, 2.0.1): only where there is a kubeconfig, and for nothing else.
/** @param path of the kubeconfig; else KUBECONFIG and ~/.kube/config, as kubectl has it */
export async function kubeconfigCredentials(
  path?: string,
  { context, clock = realClock }: { readonly context?: string; readonly clock?: Clock } = {},
): Promise<Credentials> {
  const { KubeConfig } = await import('@kubernetes/client-node')
  const config = new KubeConfig()
  if (path === undefined) config.loadFromDefault()
  else config.loadFromFile(path)
  if (context !== undefined) config.setCurrentContext(context)
  const cluster = config.getCurrentCluster()
  if (cluster === null)
    throw new ConfigInvalid({ name: 'KUBECONFIG', reason: `context ${JSON.stringify(config.getCurrentContext())} names no cluster` })
  const { tls, header } = await optionsOf(config)
  let held = { header, askedAt: clock.elapsed() }
  // One at a time: a user may be a program that has to be run, or an OIDC server that has to be asked.
  let pending: Promise<void> | undefined
  const readAgain = async (): Promise<void> => {
    try {
      held = { header: (await optionsOf(config)).header, askedAt: clock.elapsed() }
    } finally {
      pending = undefined
    }
  }
  return {
    server: cluster.server.replace(/\/+$/, ''),
    tls,
    // They answer from the library's own cache until their token is about to expire.
    async authorization(refused) {
      if (refused || clock.elapsed() - held.askedAt >= readAgainMs) await (pending ??= readAgain())
      return held.header
    },
  }
}

type HttpsOptions = Parameters<KubeConfig['applyToHTTPSOptions']>[0]

async function optionsOf(config: KubeConfig): Promise<{ readonly tls: Tls; readonly header: string | undefined }> {
  const options: HttpsOptions & { headers: Record<string, string> } = { headers: {} }
  await config.applyToHTTPSOptions(options)
  const { ca, cert, key, servername, rejectUnauthorized } = options as Tls
  const tls = Object.fromEntries(
    Object.entries({ ca, cert, key, servername, rejectUnauthorized }).filter(([, value]) => value !== undefined && value !== null),
  ) as Tls
  const basic = typeof options.auth === 'string' ? `Basic ${Buffer.from(options.auth).toString('base64')}` : undefined
  return { tls, header: options.headers['Authorization'] ?? basic }
}

/** A kubeconfig where one is named or we are in no pod, else the pod's own service account. */
export async function findCredentials(env: Readonly<Record<string, string | undefined>> = process.env): Promise<Credentials> {
  if (env['KUBECONFIG'] !== undefined || env['KUBERNETES_SERVICE_HOST'] === undefined) return kubeconfigCredentials()
  return inClusterCredentials(env)
}
