// A real Kubernetes API server over a real etcd, private and thrown away: objects, CRDs, admission, RBAC, watches; no
// controllers, no scheduler, no kubelet. So a deleted namespace stays Terminating, owner references collect nothing, and
// a pod is bound to a node by whoever posts its Binding.
// Run as a program it starts one for the tests that are run by hand, and stays until Ctrl-C.
import { generateKeyPairSync } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { get } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { issueLeaf, makeAuthority } from '../../platform/tls/authority.ts'
import { keep } from '../../platform/redis-server/keep.ts'
import type { KeptServer } from '../../platform/redis-server/keep.ts'
import { component } from '../../lab/programs/binaries.ts'
import { freePorts } from '../../platform/programs/free-ports.ts'
import { kubeconfig, tokens, webhookClientCa } from './kubeconfig.ts'
import { until } from './until.ts'

export interface KubeServer {
  readonly url: string
  /** Path of a kubeconfig with one context for each user of `kubeconfig.ts`; `admin` is the current one. */
  readonly kubeconfig: string
  /** kill -9 of the API server, over the same etcd; resolves when it is gone. */
  kill(): Promise<void>
  /** kill -STOP of the API server: it is there and does nothing. @returns lets it go on */
  hang(): () => void
  /** Starts it again, after a kill, and waits until it is ready. */
  restart(): Promise<void>
  /** Has etcd forget every state before the present one, as an API server does every five minutes. */
  compact(): Promise<void>
  stop(): Promise<void>
}

/** Starts both; 4 s on two idle cores. */
export async function startKube(programs: { readonly etcd: string; readonly kubeApiserver: string }): Promise<KubeServer> {
  const folder = await mkdtemp(join(tmpdir(), 'megrez-kube-'))
  const [etcdPort, peerPort, apiPort] = await freePorts(3)
  const url = `https://127.0.0.1:${apiPort}`
  await mkdir(join(folder, 'certs'))
  await writeFile(join(folder, 'tokens.csv'), tokens(), { mode: 0o600 })
  await writeFile(join(folder, 'service-accounts.pem'), signingKey(), { mode: 0o600 })
  await knownToWebhooks(folder)
  const started: KeptServer[] = []
  // The API server first: etcd ends at once, and an API server without one would wait for it.
  const stop = async () => {
    for (const each of started.toReversed()) await each.stop()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    const etcdUrl = `http://127.0.0.1:${etcdPort}`
    started.push(await keep(programs.etcd, etcdFlags(folder, etcdUrl, `http://127.0.0.1:${peerPort}`), { log: join(folder, 'etcd.log') }))
    const log = join(folder, 'kube-apiserver.log')
    const start = async () => {
      const server = await keep(programs.kubeApiserver, apiserverFlags(folder, etcdUrl, Number(apiPort)), { log, remove: folder })
      started.push(server)
      await ready(server, url, log)
    }
    const kill = async () => {
      const server = started.at(-1)!
      process.kill(server.pid, 'SIGKILL')
      await server.ended
    }
    const hang = (): (() => void) => {
      const { pid } = started.at(-1)!
      process.kill(pid, 'SIGSTOP')
      return () => void process.kill(pid, 'SIGCONT')
    }
    await start()
    const path = join(folder, 'kubeconfig.json')
    await writeFile(path, kubeconfig(url, await readFile(join(folder, 'certs/apiserver.crt'))), { mode: 0o600 })
    return { url, kubeconfig: path, kill, hang, restart: start, compact: () => compact(etcdUrl), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** By etcd's own gateway for JSON. */
async function compact(etcdUrl: string): Promise<void> {
  const ask = async (path: string, body: object): Promise<unknown> => {
    const answer = await fetch(`${etcdUrl}/v3/kv/${path}`, { method: 'POST', body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`etcd answers ${answer.status} to ${path}: ${await answer.text()}`)
    return answer.json()
  }
  const { header } = (await ask('range', { key: Buffer.from('/').toString('base64') })) as {
    readonly header: { readonly revision: string }
  }
  await ask('compaction', { revision: header.revision, physical: true })
}

/** What it shows to every webhook, as docs/operations.md says that an operator does it (AdmissionConfiguration, kubeConfigFile). */
async function knownToWebhooks(folder: string): Promise<void> {
  const life = { now: Date.now(), ms: 24 * 3_600_000 }
  const authority = makeAuthority('api server', life)
  const { cert, key } = issueLeaf(authority, ['kube-apiserver.example.org'], life, 'clientAuth')
  const base64 = (text: string): string => Buffer.from(text).toString('base64')
  const users = [{ name: '*', user: { 'client-certificate-data': base64(cert), 'client-key-data': base64(key) } }]
  const kubeConfigFile = join(folder, 'webhooks.kubeconfig')
  const configuration = { apiVersion: 'apiserver.config.k8s.io/v1', kind: 'WebhookAdmissionConfiguration', kubeConfigFile }
  const plugins = ['MutatingAdmissionWebhook', 'ValidatingAdmissionWebhook'].map((name) => ({ name, configuration }))
  await writeFile(kubeConfigFile, JSON.stringify({ apiVersion: 'v1', kind: 'Config', users }), { mode: 0o600 })
  await writeFile(
    join(folder, 'admission.json'),
    JSON.stringify({ apiVersion: 'apiserver.config.k8s.io/v1', kind: 'AdmissionConfiguration', plugins }),
  )
  await writeFile(webhookClientCa(join(folder, 'kubeconfig.json')), authority.cert)
}

function etcdFlags(folder: string, client: string, peer: string): string[] {
  return flags({
    name: 'test',
    'data-dir': join(folder, 'etcd'),
    'listen-client-urls': client,
    'advertise-client-urls': client,
    'listen-peer-urls': peer,
    'initial-advertise-peer-urls': peer,
    'initial-cluster': `test=${peer}`,
    'unsafe-no-fsync': 'true', // the data dies with the run
    'log-level': 'warn',
  })
}

function apiserverFlags(folder: string, etcd: string, l4Port: number): string[] {
  const key = join(folder, 'service-accounts.pem')
  return flags({
    'etcd-servers': etcd,
    'secure-port': String(l4Port),
    'bind-address': '127.0.0.1',
    'advertise-address': '127.0.0.1',
    'cert-dir': join(folder, 'certs'),
    'service-account-key-file': key,
    'service-account-signing-key-file': key,
    'service-account-issuer': 'https://kubernetes.default.svc',
    'token-auth-file': join(folder, 'tokens.csv'),
    'authorization-mode': 'RBAC',
    'service-cluster-ip-range': '10.0.0.0/24',
    'allow-privileged': 'true',
    'admission-control-config-file': join(folder, 'admission.json'),
    'disable-admission-plugins': 'ServiceAccount', // it would ask for the account that a controller makes
  })
}

function flags(values: Readonly<Record<string, string>>): string[] {
  return Object.entries(values).map(([name, value]) => `--${name}=${value}`)
}

const signingKey = () =>
  generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  }).privateKey

async function ready(server: KeptServer, url: string, log: string): Promise<void> {
  let code: number | undefined
  void server.ended.then((ended) => (code = ended))
  await until(async () => code !== undefined || (await readyz(url)), `${url}/readyz answers ok`, 90_000)
  if (code === undefined) return
  const last = (await readFile(log, 'utf8').catch(() => '')).trim().split('\n').slice(-5).join('\n')
  throw new Error(`kube-apiserver ended with ${code}:\n${last}`)
}

/** Readiness is asked before the certificate can be known. */
function readyz(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const request = get(`${url}/readyz`, { rejectUnauthorized: false, timeout: 2000, agent: false }, (response) => {
      response.resume()
      resolve(response.statusCode === 200)
    })
    request.on('timeout', () => request.destroy())
    request.on('error', () => resolve(false))
  })
}

if (import.meta.main) {
  const [etcd, kubeApiserver, kubectl, helm] = [
    await component('etcd'),
    await component('kube-apiserver'),
    await component('kubectl'),
    await component('helm'),
  ]
  if (!('path' in etcd) || !('path' in kubeApiserver) || !('path' in kubectl) || !('path' in helm)) {
    console.error([etcd, kubeApiserver, kubectl, helm].flatMap((each) => ('missing' in each ? [each.missing] : [])).join('\n'))
    process.exit(1)
  }
  const server = await startKube({ etcd: etcd.path, kubeApiserver: kubeApiserver.path })
  console.log(`export MEGREZ_TEST_KUBE=${server.kubeconfig} MEGREZ_TEST_KUBECTL=${kubectl.path} MEGREZ_TEST_HELM=${helm.path}`)
  const stay = setInterval(() => undefined, 60_000)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void server.stop().then(() => clearInterval(stay)))
}
